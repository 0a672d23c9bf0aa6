// What goes wrong in an ensemble itself; what goes wrong in a step is the error of that step.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const ensembleCatalogue = defineErrors('ensemble', {
  deadlock: {
    code: 'INVALID_ARG',
    text: '{prefix}unexpected deadlock, at least one output is not set while no more ensemble steps can be made',
    cause: 'A step left out an output that a later step or the answer needs.',
    remedy: 'Have the model return that output, or make the input of the later step optional.',
  },
  sequenceIdType: {
    code: 'INVALID_ARG',
    text: "expected parameter 'sequence_id' to be TRITONSERVER_PARAMETER_INT or TRITONSERVER_PARAMETER_STRING",
    cause: 'A step answers with a sequence_id that is neither a number nor a text.',
    remedy: 'Correct the response parameter in the model of that step.',
  },
  sequenceFlagType: {
    code: 'INVALID_ARG',
    text: "expect parameter '{name}' to be TRITONSERVER_PARAMETER_BOOL",
    cause: 'A step answers with a sequence flag that is neither true nor false.',
    remedy: 'Correct the response parameter in the model of that step.',
  },
  withoutModels: {
    code: 'UNSUPPORTED',
    text: "ensemble '{model}' needs a server with its models",
    cause: 'An ensemble was opened where there are no other models to ask.',
    remedy: 'Serve it from a repository together with the models of its steps.',
  },
});

export const ensembleErrors = ensembleCatalogue.errors;
