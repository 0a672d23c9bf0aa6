// What is not among the captured requests.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const captureCatalogue = defineErrors('capture', {
  gone: {
    code: 'NOT_FOUND',
    text: 'the captured request {id} is no longer kept: newer ones took its place',
    cause: 'The newest requests are kept, and this one is older.',
    remedy: 'Capture it again, or save requests that are to stay.',
  },
});

export const captureErrors = captureCatalogue.errors;
