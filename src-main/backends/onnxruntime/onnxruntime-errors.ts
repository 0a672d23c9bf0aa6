// Why an ONNX model cannot be loaded, or cannot be run on a batch.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const onnxruntimeCatalogue = defineErrors('onnxruntime', {
  withoutFile: {
    code: 'INTERNAL',
    text: 'failed to stat file {file}',
    cause: 'The version folder has no model file of the expected name.',
    remedy: 'Put model.onnx into the version folder, or name yours as default_model_filename.',
  },
  withoutFileInFolder: {
    code: 'UNAVAILABLE',
    text: "unable to find '{file}' for model instance '{model}'",
    cause: 'The model is a folder, and the file in it is missing.',
    remedy: 'Put the model into the folder as model.onnx.',
  },
  comparisonEnded: {
    code: 'INTERNAL',
    text: 'the model cannot be run for comparison: {reason}',
    cause: 'ONNX Runtime refuses the model, or the thread that ran it ended.',
    remedy: 'Load the model to see what is wrong with it, or try smaller inputs.',
  },
  inputMissing: {
    code: 'INVALID_ARG',
    text: "{prefix}input '{name}' is missing for model '{model}'",
    cause: 'The request leaves out an input that the model needs.',
    remedy: 'Send the input.',
  },
  batchByteSize: {
    code: 'INTERNAL',
    text: "input '{name}' of model '{model}': the batch has {got} bytes, shape [{shape}] needs {needed}",
    cause: 'The inputs of a batch together do not fill the shape that they make.',
    remedy: 'This is a fault of the server: report it with the log.',
  },
  batchInputSource: {
    code: 'INVALID_ARG',
    text: "{prefix}input '{name}', the source of a batch input, is missing",
    cause: 'The request leaves out the input that a batch_input is made of.',
    remedy: 'Send the input, or take the batch_input out of the configuration.',
  },
  fatalEmpty: {
    code: 'INVALID_ARG',
    text: "input '{name}' of shape [{shape}] has no elements, and operator {operator} of model '{model}' would end the whole server on it",
    cause: 'ONNX Runtime does not survive this operator on a tensor without elements; Triton ends here.',
    remedy: 'Send at least one element: a sequence of one step, a batch of one row.',
  },
  outputRows: {
    code: 'UNSUPPORTED',
    text: "{prefix}failed to split the output tensor '{output}' in responses: expected batch size of at least {wanted} in model output, got {got}",
    cause:
      'The first dimension of an output is smaller than the batch: the model does not treat it as the batch.',
    remedy: 'Set max_batch_size to 0, or mend the model.',
  },
  outputByteSize: {
    code: 'INTERNAL',
    text: "output '{output}' has {got} bytes, this batch needs at least {needed}",
    cause: 'An output has fewer bytes than the batch needs.',
    remedy: 'Set max_batch_size to 0, or mend the model.',
  },
  noInteger: {
    code: 'INVALID_ARG',
    text: "failed to convert '{text}' to integral number",
    cause: 'A parameter that is a number has another value.',
    remedy: 'Write a whole number.',
  },
  noBoolean: {
    code: 'INVALID_ARG',
    text: "failed to convert '{text}' to boolean",
    cause: 'A parameter that is a switch has another value.',
    remedy: 'Write true or false.',
  },
  noUnsigned: {
    code: 'INVALID_ARG',
    text: "failed to convert '{text}' to unsigned long long integral number",
    cause: 'A parameter that is a size has another value.',
    remedy: 'Write a whole number from 0 on.',
  },
  withoutOutput: {
    code: 'INTERNAL',
    text: "model '{model}' has no output '{output}'",
    cause: 'The configuration asks for an output that the model file does not have.',
    remedy: 'Correct its name in the configuration; `conch inspect` lists those of the file.',
  },
  unsupportedType: {
    code: 'INTERNAL',
    text: "unsupported datatype {datatype} for '{tensor}' for model '{model}'",
    cause: 'The data type of a tensor of the file is none that requests can have.',
    remedy: 'Export the model with another data type at its inputs and outputs.',
  },
  runtime: {
    code: 'INTERNAL',
    text: 'onnx runtime error {code}: {reason}',
    cause: 'ONNX Runtime refused the model or the inputs, in its own words.',
    remedy:
      'Mend what it says. A model that asks for too much memory needs smaller batches or fewer instances.',
  },
  notOnnx: {
    code: 'INTERNAL',
    text: 'onnx runtime error {code}: Load model from {file} failed:Protobuf parsing failed. It is not a valid ONNX file: {reason}',
    cause: 'The file is no ONNX model, or was cut off.',
    remedy: 'Copy or export the file again.',
  },
  tooLarge: {
    code: 'INTERNAL',
    text: 'onnx runtime error {code}: Load model from {file} failed:Protobuf parsing failed. It has {size} bytes, and an ONNX file ends at 2 GiB: keep larger weights in files beside it (external data)',
    cause: 'The file is larger than the format allows.',
    remedy: 'Export the model with its weights in files beside it (external data).',
  },
  unknownProvider: {
    code: 'INVALID_ARG',
    text: "backend option '{option}' names '{name}', expected {expected}",
    cause: '--backend-config names an execution provider that there is not.',
    remedy: 'Use the names that the message lists.',
  },
  noGpu: {
    code: 'INVALID_ARG',
    text: 'instance group {group} of model {model} has kind KIND_GPU but no GPUs are available{notices}',
    cause: 'The configuration asks for a GPU, and none can be used here.',
    remedy: 'Write KIND_CPU, leave kind out, or run `conch gpu status`, which says what is missing.',
  },
  unknownAccelerator: {
    code: 'INVALID_ARG',
    text: "unknown Execution Accelerator '{name}' is requested",
    cause: 'The configuration asks for an execution accelerator that there is not.',
    remedy: 'Correct its name: cuda, tensorrt and openvino are some.',
  },
  unknownTensorRtParameter: {
    code: 'INVALID_ARG',
    text: "unknown parameter '{key}' is provided for TensorRT Execution Accelerator",
    cause: 'The TensorRT accelerator has no such parameter.',
    remedy: 'Correct its name, or leave it out.',
  },
  precisionMode: {
    code: 'INVALID_ARG',
    text: "unsupported precision mode '{given}' is requested",
    cause: 'The TensorRT accelerator has no such precision.',
    remedy: 'Use FP32, FP16 or INT8.',
  },
  batchTooLarge: {
    code: 'INVALID_ARG',
    text: "batch size {rows} for '{instance}', max allowed is {limit}",
    cause: 'Requests were put together to more rows than max_batch_size.',
    remedy: 'This is a fault of the server: report it with the log.',
  },
  operatorLibraries: {
    code: 'UNSUPPORTED',
    text: "model '{model}' names custom operator libraries ({files}): onnxruntime-node cannot load them",
    cause: 'The configuration names libraries with operators of its own, which are native code.',
    remedy: 'Export the model without custom operators, or serve it with Triton.',
  },
  executionMode: {
    code: 'INVALID_ARG',
    text: 'Invalid configuration value provided. Expected values for  execution_mode are 0 or 1 but got {got} .',
    cause: 'execution_mode is neither of its two values.',
    remedy: 'Write 0 for sequential or 1 for parallel.',
  },
  texts: {
    code: 'INVALID_ARG',
    text: '{reason}',
    cause: 'The bytes of a BYTES tensor do not hold as many texts as its shape has elements.',
    remedy: 'Write each text as its length in 4 bytes, little-endian, and then its bytes.',
  },
  tooManyThreads: {
    code: 'INVALID_ARG',
    text: '{reason}',
    cause: 'A number of threads is far above what any machine has.',
    remedy: 'Write the number of its cores, or leave it out.',
  },
  comparisonFailed: {
    code: 'INTERNAL',
    text: '{reason}',
    cause: 'ONNX Runtime refused the model or the inputs when they were run for comparison.',
    remedy: 'Mend what it says.',
  },
  providersUnknown: {
    code: 'INTERNAL',
    text: '{reason}',
    cause: 'The process that asks the runtime for its execution providers did not answer.',
    remedy: 'Install the server again, or run `conch gpu status`.',
  },
});

export const onnxruntimeErrors = onnxruntimeCatalogue.errors;
