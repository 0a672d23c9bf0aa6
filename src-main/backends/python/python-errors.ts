// What is wrong with a model written in Python, or with the settings of its backend.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const pythonCatalogue = defineErrors('python', {
  settingNoNumber: {
    code: 'INVALID_ARG',
    text: "{key} must be a number, got '{given}'",
    cause: 'A setting of the Python backend that is a number has another value.',
    remedy: 'Write a whole number.',
  },
  regionSize: {
    code: 'INVALID_ARG',
    text: "shm-default-byte-size can't be smaller than 4 MiBs",
    cause: 'shm-default-byte-size is below what a model needs.',
    remedy: 'Write 4194304 or more, or leave it out.',
  },
  settingNotPositive: {
    code: 'INVALID_ARG',
    text: "{key} can't be smaller than or equal to zero.",
    cause: 'A setting of the Python backend that must be above zero is not.',
    remedy: 'Write 1 or more, or leave it out.',
  },
  threadPoolSize: {
    code: 'INVALID_ARG',
    text: "thread-pool-size can't be less than 1.",
    cause: 'thread-pool-size is not positive.',
    remedy: 'Write 1 or more, or leave it out.',
  },
  emptyPrefix: {
    code: 'INVALID_ARG',
    text: 'shm-region-prefix-name must at least contain one character.',
    cause: 'shm-region-prefix-name is empty.',
    remedy: 'Write a name, or leave it out.',
  },
  prefixCharacters: {
    code: 'INVALID_ARG',
    text: 'Invalid shared memory region name: contains invalid characters',
    cause: 'shm-region-prefix-name has a character that no file name may have.',
    remedy: 'Write letters, digits and dashes.',
  },
  instanceCharacters: {
    code: 'INVALID_ARG',
    text: 'Invalid stub name: contains invalid characters',
    cause:
      'The name of the model or of its instance group has a character that the name of a process may not have.',
    remedy: 'Rename the model or the instance group.',
  },
  forceCpuOnly: {
    code: 'UNSUPPORTED',
    text: "Incorrect value for FORCE_CPU_ONLY_INPUT_TENSORS: {given}'",
    cause: 'FORCE_CPU_ONLY_INPUT_TENSORS is neither yes nor no.',
    remedy: 'Write yes or no.',
  },
  completedWithout: {
    code: 'INTERNAL',
    text: "attempt to access non-existing object member '{member}'",
    cause: 'What auto_complete_config of the model returned is no configuration.',
    remedy: 'Change the configuration with the functions of the object that auto_complete_config gets.',
  },
  gpuOnly: {
    code: 'INVALID_ARG',
    text: "unable to load model '{model}', {backend} backend supports only GPU device",
    cause: 'An instance of the model would be on no NVIDIA GPU: none is usable here, or its kind is another.',
    remedy:
      'Serve the model on a machine with such a GPU, with KIND_GPU or without a kind, or export it to ONNX and serve that.',
  },
  fileName: {
    code: 'INTERNAL',
    text: `Model name must end with '.py'. Model name is "{name}".`,
    cause: 'The file that the configuration names as the model is no Python file.',
    remedy: 'Correct default_model_filename.',
  },
  fileMissing: {
    code: 'INTERNAL',
    text: "Stub process '{instance}' is not healthy.",
    cause: 'The version folder has no Python file of the expected name.',
    remedy: 'Put model.py into the version folder, or name yours as default_model_filename.',
  },
});

export const pythonErrors = pythonCatalogue.errors;
