// What the window asks of the counters of a model that has none.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const observeCatalogue = defineErrors('observe', {
  noCounters: {
    code: 'NOT_FOUND',
    text: "model '{model}' is not loaded, so it has no counters",
    cause: 'Requests are counted while a model is loaded.',
    remedy: 'Load the model.',
  },
});

export const observeErrors = observeCatalogue.errors;
