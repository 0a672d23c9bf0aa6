// What is wrong with the inputs and requested outputs of a request, compared with the model's configuration.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

const ASK_METADATA = 'Ask for the metadata of the model, which names its inputs and outputs.';
const SEND_SHAPE = 'Send the shape that the data have; -1 stands in configurations only.';
const LENGTH_FIRST = 'Write each text as its length in 4 bytes, little-endian, and then its bytes.';

export const inputCatalogue = defineErrors('input', {
  repeated: {
    code: 'INVALID_ARG',
    text: "{prefix}input '{name}' already exists in request",
    cause: 'The request has two inputs of one name.',
    remedy: 'Send each input once.',
  },
  unknown: {
    code: 'INVALID_ARG',
    text: "unexpected inference input '{name}' for model '{model}'",
    cause: 'The model has no input of that name.',
    remedy: ASK_METADATA,
  },
  count: {
    code: 'INVALID_ARG',
    text: "{prefix}{expected} but got {given} inputs for model '{model}'. Got input(s) [{got}], but missing required input(s) {missing}. Please provide all required input(s).",
    cause: 'Inputs are missing that the configuration does not call optional, or there are too many.',
    remedy: 'Send the inputs that are named as missing, or make them optional in the configuration.',
  },
  correlationLength: {
    code: 'UNSUPPORTED',
    text: 'string correlation ID cannot be longer than {limit} characters',
    cause: 'sequence_id is a text that is longer than any that is kept.',
    remedy: 'Send a shorter one, or a number.',
  },
  repeatedOutput: {
    code: 'INVALID_ARG',
    text: "output '{name}' already exists in request",
    cause: 'The request asks for one output twice.',
    remedy: 'Ask for each output once.',
  },
  unknownOutput: {
    code: 'INVALID_ARG',
    text: "unexpected inference output '{name}' for model '{model}'",
    cause: 'The model has no output of that name.',
    remedy: ASK_METADATA,
  },
  withoutShape: {
    code: 'INVALID_ARG',
    text: "{prefix}input '{name}' has no shape but model requires batch dimension for '{model}'",
    cause: 'The input is a scalar, but max_batch_size is above 0, so its first dimension is the batch.',
    remedy: 'Put the batch size in front of the shape: [1] for one scalar.',
  },
  batchSizesDiffer: {
    code: 'INVALID_ARG',
    text: "{prefix}input '{name}' batch size does not match other inputs for '{model}'",
    cause: 'The first dimension of the inputs is the batch, and it is not the same for all of them.',
    remedy: 'Send as many rows in each input.',
  },
  batchTooLarge: {
    code: 'INVALID_ARG',
    text: "{prefix}inference request batch-size must be <= {limit} for '{model}'",
    cause: 'The request has more rows than max_batch_size allows.',
    remedy: 'Split the request, or raise max_batch_size in the configuration.',
  },
  batchTooSmall: {
    code: 'INVALID_ARG',
    text: "{prefix}inference request batch-size must be >= 1 for '{model}', got {seen}",
    cause: 'The first dimension of the inputs, which is the batch, is below 1.',
    remedy: 'Send at least one row.',
  },
  datatype: {
    code: 'INVALID_ARG',
    text: "{prefix}inference input '{name}' data-type is '{seen}', but model '{model}' expects '{expected}'",
    cause: 'The data type of the input is not that of the configuration.',
    remedy: 'Convert the data before they are sent.',
  },
  openDimension: {
    code: 'INVALID_ARG',
    text: "{prefix}All input dimensions should be specified for input '{name}' for model '{model}', got {shape}",
    cause: 'The shape of the request has a dimension of -1.',
    remedy: SEND_SHAPE,
  },
  invalidDimension: {
    code: 'INVALID_ARG',
    text: "tensor '{name}' contains an invalid dimension{where} {shape}",
    cause: 'The shape of the request has a negative dimension.',
    remedy: SEND_SHAPE,
  },
  shape: {
    code: 'INVALID_ARG',
    text: "{prefix}unexpected shape for input '{name}' for model '{model}'. Expected {expected}, got {shape}. {note}",
    cause: 'The shape of the input is not that of the configuration, in which -1 stands for any size.',
    remedy: 'Send the shape that is expected; with max_batch_size above 0 its first dimension is the batch.',
  },
  sequenceIdType: {
    code: 'INVALID_ARG',
    text: "{prefix}sequence batching control '{name}' data-type is '{seen}', but model '{model}' expects '{expected}'",
    cause: 'The sequence is named by a number where the model takes a text, or the other way round.',
    remedy: 'Send sequence_id as the control of the configuration has it.',
  },
  byteSize: {
    code: 'INVALID_ARG',
    text: "{prefix}input byte size mismatch for input '{name}' for model '{model}'. Expected {expected}, got {seen}",
    cause: 'The data of the input are not as long as its shape and data type say.',
    remedy: 'Send shape and data of the same tensor; binary data have no padding.',
  },
  tooLarge: {
    code: 'INVALID_ARG',
    text: "{what} for tensor '{name}' exceeds maximum size of {limit}",
    cause: 'The dimensions multiplied are more than 64 bits can say.',
    remedy: 'Correct the shape.',
  },
  lengthCut: {
    code: 'INVALID_ARG',
    text: "{prefix}incomplete string length indicator for inference input '{name}' for model '{model}', expecting 4 bytes but only {seen} bytes available. Please make sure the string length indicator is in one buffer.",
    cause: 'The data of a BYTES input end within the length of a text.',
    remedy: LENGTH_FIRST,
  },
  tooManyTexts: {
    code: 'INVALID_ARG',
    text: "{prefix}unexpected number of string elements {seen} for inference input '{name}' for model '{model}', expecting {expected}",
    cause: 'The data of a BYTES input hold more texts than its shape says.',
    remedy: LENGTH_FIRST,
  },
  tooFewTexts: {
    code: 'INVALID_ARG',
    text: "{prefix}expected {expected} string elements for inference input '{name}' for model '{model}', got {seen}",
    cause: 'The data of a BYTES input hold fewer texts than its shape says.',
    remedy: LENGTH_FIRST,
  },
  textCut: {
    code: 'INVALID_ARG',
    text: "incomplete string data for inference input '{name}', expecting string of length {expected} but only {seen} bytes available",
    cause: 'A text of a BYTES input is longer than the data that follow its length.',
    remedy: LENGTH_FIRST,
  },
  rawInputCount: {
    code: 'INVALID_ARG',
    text: "{prefix}Raw request must only have 1 input (found 1) to be deduced but got {count} inputs in '{model}' model configuration",
    cause: 'A request without a description was sent to a model with several inputs.',
    remedy: 'Send a request that names its inputs.',
  },
  rawTextShape: {
    code: 'INVALID_ARG',
    text: "{prefix}For BYTE datatype raw input '{name}', the model must have input shape [1]",
    cause: 'A request without a description is one text, but the model takes several.',
    remedy: 'Send a request that names its inputs and their shapes.',
  },
  rawShape: {
    code: 'INVALID_ARG',
    text: "{prefix}The shape of the raw input '{name}' can not be deduced because there are more than one variable-sized dimension",
    cause:
      'A request without a description has no shape, and the configuration leaves more than one size open.',
    remedy: 'Send a request that names its inputs and their shapes.',
  },
});

export const inputErrors = inputCatalogue.errors;
