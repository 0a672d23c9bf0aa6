// Why a model of a framework is not imported or made into an ONNX model.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const convertCatalogue = defineErrors('convert', {
  obstacle: {
    code: 'INVALID_ARG',
    text: '{reason}',
    cause: 'The model has something that ONNX has no form for.',
    remedy: 'Change the model, or let its own backend run it.',
  },
  frameworkFailed: {
    code: 'UNAVAILABLE',
    text: '{reason}',
    cause: 'torch.onnx or tf2onnx, or the Python that runs them, failed at the model.',
    remedy:
      'Read what it printed: it names an operator without a form in ONNX, a package that is missing, or a fault of the model.',
  },
  typeNotCompared: {
    code: 'INVALID_ARG',
    text: "'{name}' has the type {type}, which is not compared",
    cause: 'Answers of both forms are compared, and there is no measure for this type.',
    remedy: 'Convert the model without the comparison.',
  },
  noBackend: {
    code: 'INVALID_ARG',
    text: "no backend takes a file like '{file}'",
    cause: 'The ending of the file is that of no model format known here.',
    remedy: 'Choose a model file, or rename it as its backend expects.',
  },
  needsTrust: {
    code: 'INVALID_ARG',
    text: '{file} is code, which runs on this computer when the model loads',
    cause: 'A model of Python source was to be made, and nobody said that its code may run.',
    remedy: 'Look at the code, then trust it.',
  },
  noVersion: {
    code: 'INVALID_ARG',
    text: "model '{model}' has no version to convert",
    cause: 'The model has no version folder.',
    remedy: 'Put the model file into a folder named 1.',
  },
  noWeights: {
    code: 'INVALID_ARG',
    text: '{weights}, the weights of {file}, is not beside it',
    cause: 'An OpenVINO model is two files, and the second is missing.',
    remedy: 'Put both files into one folder, under one name.',
  },
});

export const convertErrors = convertCatalogue.errors;
