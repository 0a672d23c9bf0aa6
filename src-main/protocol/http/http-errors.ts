// What is wrong with a call of the HTTP endpoint before its tensors are looked at.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const httpCatalogue = defineErrors('http', {
  inflatedTooLarge: {
    code: 'INVALID_ARG',
    text: 'Decompressed data size exceeds the maximum allowed value of {limit} bytes. Use --http-max-input-size to increase the limit.',
    cause: 'The body is larger than the server takes once it is decompressed.',
    remedy: 'Send smaller batches, or start the server with a larger --http-max-input-size.',
  },
  emptyCompressed: {
    code: 'INVALID_ARG',
    text: 'nothing to be decompressed',
    cause: 'Content-Encoding says that the body is compressed, and there is none.',
    remedy: 'Send a body, or leave Content-Encoding out.',
  },
  notInflated: {
    code: 'INVALID_ARG',
    text: 'inconsistent stream state during decompression: {reason}',
    cause: 'The body is not what Content-Encoding says.',
    remedy: 'Compress the body with gzip or deflate, or leave Content-Encoding out.',
  },
  contentLength: {
    code: 'INVALID_ARG',
    text: 'Unable to parse Content-Length, value is out of range {range}, got: {got}',
    cause: 'Content-Length is larger than any body that is read.',
    remedy: 'Send smaller batches, or the tensors in shared memory.',
  },
  decoupled: {
    code: 'UNSUPPORTED',
    text: "HTTP end point doesn't support models with decoupled transaction policy",
    cause: 'The model may answer a request many times or never, and this endpoint holds exactly one answer.',
    remedy: 'Use gRPC, or the generate_stream endpoint.',
  },
  bodyTooLarge: {
    code: 'INVALID_ARG',
    text: 'request body of {size} bytes exceeds the maximum of {limit} bytes',
    cause: 'The body is larger than any that is read.',
    remedy: 'Send smaller batches, or the tensors in shared memory.',
  },
  rawTooLarge: {
    code: 'INVALID_ARG',
    text: 'Raw input has a byte_size ({size} bytes) that exceeds the maximum allowed value of {limit} bytes. Use --http-max-input-size to increase the limit.',
    cause: 'The body of a raw request is larger than the server takes.',
    remedy: 'Send less, or start the server with a larger --http-max-input-size.',
  },
  headerLengthNoNumber: {
    code: 'INVALID_ARG',
    text: 'Unable to parse Inference-Header-Content-Length, got: {got}',
    cause: 'Inference-Header-Content-Length is not a number.',
    remedy: 'Send the number of bytes of the JSON part, or leave the header out when all is JSON.',
  },
  headerLengthRange: {
    code: 'INVALID_ARG',
    text: 'Unable to parse Inference-Header-Content-Length, value is out of range {range}, got: {got}',
    cause: 'Inference-Header-Content-Length is larger than any JSON part that is read.',
    remedy: 'Send the number of bytes of the JSON part.',
  },
  headerLength: {
    code: 'INVALID_ARG',
    text: 'inference header size should be in range (0, {limit}), got: {got}',
    cause: 'The JSON part is announced longer than the whole body.',
    remedy: 'Send the number of bytes of the JSON part.',
  },
  binaryTypeNotFirst: {
    code: 'INVALID_ARG',
    text: "expect MIME type for binary data starts with '{type}', got: {got}",
    cause: 'The content type names the form of a binary request, and something else before it.',
    remedy: 'Send that type alone, with the number of bytes of the JSON part behind it.',
  },
  headerSizeNoNumber: {
    code: 'INVALID_ARG',
    text: 'Unable to parse inference header size, got: {got}',
    cause: 'What follows json-header-size= in the content type is not a number.',
    remedy: 'Send the number of bytes of the JSON part there.',
  },
  headerSizeRange: {
    code: 'INVALID_ARG',
    text: 'Unable to parse inference header size, value is out of range {range}, got: {got}',
    cause: 'json-header-size in the content type is larger than any JSON part that is read.',
    remedy: 'Send the number of bytes of the JSON part there.',
  },
  notObject: {
    code: 'INTERNAL',
    text: 'attempt to get members for non-object',
    cause: 'The body, or a part of it, is something else where a JSON object is needed.',
    remedy: 'Compare the body with the one in the documentation of the endpoint.',
  },
  loadParameter: {
    code: 'INTERNAL',
    text: 'unexpected error on creating Triton parameter',
    cause:
      'A load call has a parameter that is neither config nor a file, or of a type that those do not have.',
    remedy: "Send the configuration as 'config' and files as 'file:1/model.onnx', each as a text.",
  },
  unknownCategory: {
    code: 'INVALID_ARG',
    text: "unknown restricted api '{name}'",
    cause: '--http-restricted-api names a group of calls that there is not.',
    remedy: 'Use one of the names that the help of the option lists.',
  },
  repeatedCategory: {
    code: 'INVALID_ARG',
    text: "restricted api '{name}' can not be specified in multiple config groups",
    cause: '--http-restricted-api protects a group of calls twice.',
    remedy: 'Name each group once.',
  },
  jsonTooLarge: {
    code: 'INVALID_ARG',
    text: 'request JSON size of {size} bytes exceeds the maximum allowed input size of {limit} bytes. Use --http-max-input-size to increase the limit.',
    cause: 'The JSON of the body is larger than the server takes.',
    remedy:
      'Send tensors as binary data, send smaller batches, or start the server with a larger --http-max-input-size.',
  },
  generateCompressed: {
    code: 'INVALID_ARG',
    text: "Unsupported content-encoding, only 'identity' is supported.",
    cause: 'The body of a generate request is compressed.',
    remedy: 'Send it as it is.',
  },
  readyNoFlag: {
    code: 'INVALID_ARG',
    text: "Invalid value for 'ready': expected a boolean",
    cause: 'ready in the body of an index call is neither true nor false.',
    remedy: 'Send {"ready": true}, or leave it out.',
  },
  logFormat: {
    code: 'UNAVAILABLE',
    text: 'invalid argument for --log_format, got: {format}',
    cause: 'There is no log format of this name.',
    remedy: "Send 'default' or 'ISO8601'.",
  },
  regionName: {
    code: 'INVALID_ARG',
    text: "'region name' is necessary to register {kind} shared memory region",
    cause: 'The path of a register call names no region.',
    remedy: 'Put the name into the path: /v2/systemsharedmemory/region/NAME/register.',
  },
  regionField: {
    code: 'INVALID_ARG',
    text: "Shared memory register request has no '{field}' field",
    cause: 'The body of a register call misses a field.',
    remedy: 'Send the field that the message names.',
  },
  rawHandle: {
    code: 'INVALID_ARG',
    text: "'raw_handle' must be a valid base64 encoded cudaIpcMemHandle_t",
    cause: 'raw_handle is not the 64 bytes of a CUDA memory handle in base64.',
    remedy: 'Send the handle that cudaIpcGetMemHandle gives, in base64.',
  },
  wrongType: {
    code: 'INTERNAL',
    text: '{reason}',
    cause: 'The body, or the JSON part of it, is no JSON, or has a value of another type than is needed.',
    remedy: 'Compare the body with the one in the documentation of the endpoint.',
  },
  wrongMember: {
    code: 'INTERNAL',
    text: "Unable to parse '{member}': {reason}",
    cause: 'A member of the body is missing, or of another type than is needed.',
    remedy: 'Correct the member that the message names.',
  },
  portTaken: {
    code: 'UNAVAILABLE',
    text: "Socket '{address}:{port}' already in use ",
    cause: 'Another program listens there, perhaps another server of this kind.',
    remedy: 'End it, or choose another port.',
  },
  notListening: {
    code: 'UNAVAILABLE',
    text: '{reason}',
    cause: 'The system does not let the server listen at this address and port.',
    remedy: 'Use an address of this machine, and a port from 1024 on.',
  },
  threadEnded: {
    code: 'UNAVAILABLE',
    text: 'a thread of the HTTP endpoint ended: {reason}',
    cause: 'A thread that reads sockets ended before it listened.',
    remedy: 'Look at the reason; --http-wire-threads=0 starts the server without such threads.',
  },
  clientGone: {
    code: 'CANCELLED',
    text: 'the client has closed the connection',
    cause: 'The client went away before its request was read.',
    remedy: 'Let the client wait longer, if it was not meant.',
  },
  notRead: {
    code: 'INTERNAL',
    text: '{reason}',
    cause: 'The worker that reads large JSON bodies ended; the next body gets a new one.',
    remedy: 'Send the tensors as binary data, which takes far less memory.',
  },
});

export const httpErrors = httpCatalogue.errors;
