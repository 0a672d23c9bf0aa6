// What a request is told that a scheduler does not take, or does not keep.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const queueCatalogue = defineErrors('queue', {
  stopping: {
    code: 'UNAVAILABLE',
    text: '{prefix}Server is stopping, scheduler for model has stopped accepting new inference requests',
    cause: 'The model is being unloaded or replaced, or the server ends.',
    remedy: 'Send the request again once the model is ready, or to another server.',
  },
  full: {
    code: 'UNAVAILABLE',
    text: '{prefix}Exceeds maximum queue size',
    cause: 'As many requests wait for this model as max_queue_size allows at their priority.',
    remedy: 'Send fewer requests at once, add instances, or raise max_queue_size of the queue policy.',
  },
  timedOut: {
    code: 'UNAVAILABLE',
    text: 'Request timeout expired',
    cause: 'The request waited longer than its timeout, or than the default timeout of the queue policy.',
    remedy: 'Allow a longer timeout, send fewer requests at once, or add instances.',
  },
});

export const queueErrors = queueCatalogue.errors;
