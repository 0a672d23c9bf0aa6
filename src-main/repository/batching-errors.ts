// What is wrong with a batching library that a configuration names.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const batchingCatalogue = defineErrors('batching', {
  withSequences: {
    code: 'INVALID_ARG',
    text: '{parameter} cannot be specified with sequence batcher, using default batching strategy',
    cause: 'A model with sequences names a batching library.',
    remedy: 'Remove the parameter: sequences have batchers of their own.',
  },
  leadsOut: {
    code: 'INVALID_ARG',
    text: 'Batching library path escapes model repository.',
    cause: 'The path of the batching library leads out of the folder of the model.',
    remedy: 'Remove the parameter: the library would not be used here.',
  },
  missing: {
    code: 'NOT_FOUND',
    text: 'Batching library path not found: {path}',
    cause: 'The batching library is not there.',
    remedy: 'Remove the parameter: the library would not be used here.',
  },
  native: {
    code: 'UNSUPPORTED',
    text: "model '{model}' {what}. Triton would load it and let it decide which requests share a batch; this server cannot load native code. Remove {remedy} to use the built-in dynamic batching",
    cause: 'A library of native code is to decide which requests share a batch.',
    remedy: 'Do what the message ends with.',
  },
});

export const batchingErrors = batchingCatalogue.errors;
