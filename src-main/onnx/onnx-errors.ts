// What is wrong with an ONNX file, or with what is asked of it.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const onnxCatalogue = defineErrors('onnx', {
  invalid: {
    code: 'INVALID_ARG',
    text: "'{file}' is not a valid ONNX file: {reason}",
    cause: 'The file is empty, cut off, damaged, or something else under the name of a model.',
    remedy: 'Copy or fetch the file again; the message says what was found.',
  },
  unreadable: {
    code: 'INTERNAL',
    text: 'failed to stat file {file}',
    cause: 'The model file is not there, or the system does not let the server look at it.',
    remedy: 'Put the file there, or name it by default_model_filename.',
  },
  notMadeDynamic: {
    code: 'INVALID_ARG',
    text: "'{file}' cannot get a dynamic first dimension: {reason}",
    cause: 'The model is not one whose fixed first dimension can be opened without another export.',
    remedy: 'Export the model with a dynamic batch dimension.',
  },
  severalGraphs: {
    code: 'INVALID_ARG',
    text: "'{file}' holds {count} graphs where one is expected",
    cause: 'The file is not made as exporters make it, so it is not rewritten.',
    remedy: 'Export the model again.',
  },
  shrunk: {
    code: 'INVALID_ARG',
    text: 'the file became shorter while it was read',
    cause: 'Something writes to the model file at the same time.',
    remedy: 'Wait until it is whole, and try again.',
  },
  otherModel: {
    code: 'INVALID_ARG',
    text: "'{file}' did not become the same model with a dynamic first dimension",
    cause: 'The rewritten file was read again and is not what it should be, so it is thrown away.',
    remedy: 'Export the model with a dynamic batch dimension.',
  },
  graphTooLarge: {
    code: 'UNSUPPORTED',
    text: 'the graph has more than {limit} operators and cannot be shown here',
    cause: 'A drawing of so many operators would take all of the memory of the window.',
    remedy: 'Look at the file with a program for large graphs; serving it needs no drawing.',
  },
  noField: {
    code: 'INVALID_ARG',
    text: "'{place}' has no field {number} to edit",
    cause: 'The file is not made as exporters make it, so it is not rewritten there.',
    remedy: 'Export the model with a dynamic batch dimension.',
  },
  unknownConstant: {
    code: 'NOT_FOUND',
    text: "there is no constant '{name}' in '{file}'",
    cause: 'The file was changed since it was drawn.',
    remedy: 'Open the graph again.',
  },
  weightsOutside: {
    code: 'INVALID_ARG',
    text: "the weights of '{name}' lie outside of the model's folder",
    cause: 'The model names a file of weights by a path that leads out of its version folder.',
    remedy: 'Put the weights beside the model, and export it again.',
  },
  withoutValues: {
    code: 'INVALID_ARG',
    text: "the values of '{name}' are not in the file",
    cause: 'The model has a constant without the bytes that its type and shape need.',
    remedy: 'Export the model again.',
  },
  weightsUnreadable: {
    code: 'NOT_FOUND',
    text: "'{file}' cannot be read",
    cause: 'The file with the weights is not there, or the system does not let the server read it.',
    remedy: 'Put the file beside the model.',
  },
  notShown: {
    code: 'INVALID_ARG',
    text: '{count} values of type {type} cannot be shown',
    cause: 'The constant has a type without a form as text here.',
    remedy: 'Look at it with a program for ONNX files.',
  },
});

export const onnxErrors = onnxCatalogue.errors;
