// The part of Triton's C++ client that the playground's code uses: declarations of our own, without a library behind
// them, so that a compiler can say whether the code is C++ and whether it calls what is there with fitting types.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <unordered_map>
#include <vector>

namespace triton { namespace client {

class Error {
 public:
  bool IsOk() const;
  friend std::ostream& operator<<(std::ostream& out, const Error& error);
};

struct RequestParameter {
  std::string name;
  std::string value;
  std::string type;
};

struct InferOptions {
  explicit InferOptions(const std::string& model_name);
  std::string model_name_;
  std::string model_version_;
  std::string request_id_;
  uint64_t sequence_id_;
  std::string sequence_id_str_;
  bool sequence_start_;
  bool sequence_end_;
  uint64_t priority_;
  uint64_t server_timeout_;
  uint64_t client_timeout_;
  std::unordered_map<std::string, RequestParameter> request_parameters;
};

class InferInput {
 public:
  static Error Create(
      InferInput** input, const std::string& name, const std::vector<int64_t>& dims, const std::string& datatype);
  Error AppendRaw(const std::vector<uint8_t>& bytes);
  Error AppendRaw(const uint8_t* bytes, size_t byte_size);
  Error AppendFromString(const std::vector<std::string>& texts);
};

class InferRequestedOutput {
 public:
  static Error Create(InferRequestedOutput** output, const std::string& name, const size_t class_count = 0);
};

class InferResult {
 public:
  virtual ~InferResult() = default;
  virtual std::string DebugString() const = 0;
};

class InferenceServerHttpClient {
 public:
  static Error Create(std::unique_ptr<InferenceServerHttpClient>* client, const std::string& url, bool verbose = false);
  Error Infer(
      InferResult** result, const InferOptions& options, const std::vector<InferInput*>& inputs,
      const std::vector<const InferRequestedOutput*>& outputs = std::vector<const InferRequestedOutput*>());
};

}}  // namespace triton::client
