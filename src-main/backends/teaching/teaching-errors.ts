// What the backends without a model file say of a request.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const teachingCatalogue = defineErrors('teaching', {
  inputMissing: {
    code: 'UNSUPPORTED',
    text: "failed to get input '{name}'",
    cause: 'The request leaves out an input that is not optional.',
    remedy: 'Send the input.',
  },
  cancelled: {
    code: 'CANCELLED',
    text: '{prefix}request was cancelled',
    cause: 'The client cancelled its request, or went away.',
    remedy: 'Nothing: the client no longer waits.',
  },
  shapesDiffer: {
    code: 'INVALID_ARG',
    text: 'expected IN and DELAY shape to match, got {values} and {delays}',
    cause: 'The model needs one delay for each value.',
    remedy: 'Send DELAY with the shape of IN.',
  },
  growableMemory: {
    code: 'UNSUPPORTED',
    text: 'growable memory should always provide memory in GPU',
    cause: 'The request asks for a test of memory on a GPU, which this model does not do.',
    remedy: 'Use another number in TEST_CASE.',
  },
  withoutState: {
    code: 'INVALID_ARG',
    text: "unable to add state '{state}'. State configuration is missing for model '{model}'.",
    cause: 'The model was asked to keep a state that its configuration does not have.',
    remedy: 'Add the state to sequence_batching.',
  },
  simulated: {
    code: 'INTERNAL',
    text: 'simulated failure',
    cause: 'The parameters of the model ask for this failure.',
    remedy: 'Take them out of the configuration.',
  },
  inputNeeded: {
    code: 'INVALID_ARG',
    text: "{prefix}model '{model}' needs input '{name}'",
    cause: 'The request leaves out an input that the model reads.',
    remedy: 'Send the input.',
  },
});

export const teachingErrors = teachingCatalogue.errors;
