// What is wrong with a call of the gRPC endpoint before a model sees it.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const grpcCatalogue = defineErrors('grpc', {
  loadParameter: {
    code: 'INVALID_ARG',
    text: "unrecognized load parameter '{key}'.",
    cause: 'A load call has a parameter that is neither config nor a file.',
    remedy: "Send the configuration as 'config' and files as 'file:1/model.onnx'.",
  },
  loadParameterType: {
    code: 'INVALID_ARG',
    text: "invalid value type for load parameter '{key}', expected {expected}.",
    cause: 'A parameter of a load call has another type than it needs.',
    remedy: 'Send the parameter in the field that the message names.',
  },
  unloadParameterType: {
    code: 'INVALID_ARG',
    text: "invalid value type for 'unload_dependents' parameter, expected bool_param.",
    cause: 'unload_dependents is given in another field than bool_param.',
    remedy: 'Send it as bool_param.',
  },
  stopping: {
    code: 'UNAVAILABLE',
    text: 'GRPC server is shutting down and has stopped accepting new requests.',
    cause: 'The gRPC endpoint is being closed.',
    remedy: 'Send the request to another server, or again once this one has started.',
  },
  decoupled: {
    code: 'UNSUPPORTED',
    text: "ModelInfer RPC doesn't support models with decoupled transaction policy",
    cause: 'The model may answer a request many times or never, and a unary call holds exactly one answer.',
    remedy: 'Use the streaming call, ModelStreamInfer.',
  },
  restricted: {
    code: 'UNAVAILABLE',
    text: "This protocol is restricted, expecting header '{key}'",
    cause:
      'The call belongs to a group that --grpc-restricted-protocol protects, and the metadata with its value is missing.',
    remedy:
      'Send the metadata entry that the message names, with the value that the server was started with.',
  },
  withoutFile: {
    code: 'INVALID_ARG',
    text: "TLS needs a file named by '{option}'",
    cause: 'TLS of the gRPC endpoint is on, and one of its files is not named.',
    remedy: 'Give the option that the message names, or leave TLS off.',
  },
  oneTraceValue: {
    code: 'INVALID_ARG',
    text: "expect only 1 value for '{key}'",
    cause: 'A trace setting that has one value was given several.',
    remedy: 'Send one value.',
  },
  logFlag: {
    code: 'INVALID_ARG',
    text: "expect boolean for '{key}'",
    cause: 'A log setting was given in another field than bool_param.',
    remedy: 'Send it as bool_param.',
  },
  logLevel: {
    code: 'INVALID_ARG',
    text: "expect int32 for '{key}'",
    cause: 'The verbosity was given in another field than uint32_param.',
    remedy: 'Send it as uint32_param.',
  },
  logText: {
    code: 'INVALID_ARG',
    text: "expect string for '{key}'",
    cause: 'The log format was given in another field than string_param.',
    remedy: 'Send it as string_param.',
  },
  logFormat: {
    code: 'INVALID_ARG',
    text: 'invalid argument for log_format, got: {format}',
    cause: 'There is no log format of this name.',
    remedy: "Send 'default' or 'ISO8601'.",
  },
  reservedParameter: {
    code: 'INVALID_ARG',
    text: "parameter keys starting with 'triton_' are reserved for Triton usage. Only the following keys starting with 'triton_' are allowed: {key}",
    cause: 'A parameter of the request has a name that is kept for the server.',
    remedy: 'Rename the parameter.',
  },
  priority: {
    code: 'INVALID_ARG',
    text: "invalid value for 'priority', expected value >= 0.",
    cause: 'priority is below zero.',
    remedy: 'Send 0 for the default, or 1 for the most urgent and higher numbers for less urgent ones.',
  },
  parameterType: {
    code: 'INVALID_ARG',
    text: "invalid value type for '{key}' parameter, expected {expected}.",
    cause: 'A parameter of the request has another type than it needs.',
    remedy: 'Send the parameter in the field that the message names.',
  },
  reservedHeader: {
    code: 'INVALID_ARG',
    text: "Header '{key}' is reserved for Triton usage and cannot be forwarded.",
    cause: '--grpc-header-forward-pattern matches metadata whose name is kept for the server.',
    remedy: 'Rename the metadata, or make the pattern narrower.',
  },
  repeatedOutput: {
    code: 'INVALID_ARG',
    text: "{prefix}output '{name}' already exists in request",
    cause: 'The request asks for one output twice.',
    remedy: 'Ask for each output once.',
  },
  regionAndClasses: {
    code: 'INVALID_ARG',
    text: "output can't set both 'shared_memory_region' and 'classification'",
    cause: 'An output is asked for as classes and in shared memory, which holds plain tensors only.',
    remedy: 'Leave one of them out.',
  },
  classificationType: {
    code: 'INVALID_ARG',
    text: "invalid value type for 'classification' parameter, expected int64_param",
    cause: 'classification is given in another field than int64_param.',
    remedy: 'Send it as int64_param.',
  },
  classification: {
    code: 'INVALID_ARG',
    text: "invalid value for 'classification' parameter, expected >= 0",
    cause: 'The number of classes is not positive.',
    remedy: 'Send how many of the best classes are wanted: 1 or more.',
  },
  withoutRegion: {
    code: 'INVALID_ARG',
    text: "'{key}' can not be specified without 'shared_memory_region' parameter for tensor '{name}'",
    cause: 'A tensor has an offset or a size in shared memory, and no region.',
    remedy: 'Send shared_memory_region too, or leave the others out.',
  },
  withoutRegionSize: {
    code: 'INVALID_ARG',
    text: "'shared_memory_byte_size' must be specified along with 'shared_memory_region' parameter for tensor '{name}'",
    cause: 'A tensor names a region of shared memory but not how many bytes of it are meant.',
    remedy: 'Send shared_memory_byte_size too.',
  },
  regionParameterType: {
    code: 'INVALID_ARG',
    text: "invalid value type for '{key}' parameter for tensor '{name}', expected {expected}.",
    cause: 'A parameter about shared memory has another type than it needs.',
    remedy: 'Send the parameter in the field that the message names.',
  },
  contentsAndRegion: {
    code: 'INVALID_ARG',
    text: "unexpected 'content' provided when using shared memory for input tensor '{input}' for model '{model}'",
    cause: 'An input has data both in the message and in shared memory.',
    remedy:
      'Send the data in one way only: as contents, as raw_input_contents, or in a shared memory region.',
  },
  contentsAndRaw: {
    code: 'INVALID_ARG',
    text: "contents field must not be specified when using raw_input_contents for '{input}' for model '{model}'",
    cause: 'An input has data both as contents and as raw_input_contents.',
    remedy:
      'Send the data in one way only: as contents, as raw_input_contents, or in a shared memory region.',
  },
  withoutData: {
    code: 'INVALID_ARG',
    text: "unable to find data for input tensor '{input}' for model '{model}' in request.",
    cause: 'The request describes an input and holds no data for it.',
    remedy:
      'Send the data in one way only: as contents, as raw_input_contents, or in a shared memory region.',
  },
  malformedContents: {
    code: 'INVALID_ARG',
    text: "contents of input tensor '{input}' for model '{model}' are malformed: {reason}",
    cause: 'The numbers of an input cannot be read from the message.',
    remedy:
      'Make the message with the classes that a protobuf compiler generates, or send raw_input_contents.',
  },
  repeatedContents: {
    code: 'INVALID_ARG',
    text: 'unexpected explicit tensor data {where}, binary data was already supplied.',
    cause: 'An input has values in more than one field of its contents.',
    remedy: 'Fill the field of its data type only.',
  },
  contentsType: {
    code: 'INVALID_ARG',
    text: "unexpected explicit tensor data {where} of type '{type}', expected datatype '{datatype}'",
    cause: 'The values of an input lie in a field that belongs to another data type.',
    remedy: 'Use the field of contents that fits the data type, or send raw_input_contents.',
  },
  notListening: {
    code: 'UNAVAILABLE',
    text: '{reason}',
    cause: 'The system does not let the server listen at this address and port.',
    remedy: 'End the program that listens there, or choose another address or port.',
  },
});

export const grpcErrors = grpcCatalogue.errors;
