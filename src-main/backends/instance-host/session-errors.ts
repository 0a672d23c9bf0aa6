// Why the thread of an instance does not answer.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const sessionCatalogue = defineErrors('session', {
  noMemory: {
    code: 'INTERNAL',
    text: '{label} cannot run it: the tensors of the execution take {size} bytes, and there is no memory of that size in one piece',
    cause: 'The batch is larger than any free piece of memory.',
    remedy: 'Send smaller batches, or lower max_batch_size.',
  },
  closed: {
    code: 'UNAVAILABLE',
    text: '{label} is closed',
    cause: 'The instance was unloaded before the request came to it.',
    remedy: 'Send the request again: another instance takes it.',
  },
  lost: {
    code: 'INTERNAL',
    text: '{label} was lost while it ran this request: its worker ended ({reason}). It is started again for the next request.',
    cause: 'Native code ended the thread, or it ran out of memory.',
    remedy:
      'Send the request again. If it happens again, the model or its input makes the runtime fail: try it on another machine.',
  },
  notOpened: {
    code: 'UNAVAILABLE',
    text: '{label} could not be opened: its worker ended ({reason})',
    cause: 'The thread ended while the model was being loaded.',
    remedy: 'Look into the log; a model that ends its thread is mostly too large for the memory.',
  },
});

export const sessionErrors = sessionCatalogue.errors;
