// What goes wrong between a load test and the server it measures, beside the requests themselves.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const perfServerCatalogue = defineErrors('perfServer', {
  notFound: {
    code: 'NOT_FOUND',
    text: '{reason}',
    cause: 'The server does not know what the load test asks for; the words are its own.',
    remedy: 'Correct the name of the model or its version.',
  },
  refused: {
    code: 'INVALID_ARG',
    text: '{reason}',
    cause: 'The server refuses a call of the load test; the words are its own.',
    remedy: 'Do what the message says, at the server or in the plan.',
  },
  noObject: {
    code: 'INTERNAL',
    text: '{path} answered no JSON object',
    cause: 'What listens at the address does not speak the protocol of inference servers.',
    remedy: 'Correct the address; the HTTP port of a server is mostly 8000.',
  },
  noSharedMemory: {
    code: 'UNSUPPORTED',
    text: 'system shared memory is not available on {platform}',
    cause: 'Tensors can be put into shared memory on Linux only.',
    remedy: 'Measure without --shared-memory.',
  },
});

export const perfServerErrors = perfServerCatalogue.errors;
