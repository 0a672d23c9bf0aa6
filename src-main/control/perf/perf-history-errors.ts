// What is not in the history of measurements.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const perfHistoryCatalogue = defineErrors('perfHistory', {
  noSweep: {
    code: 'NOT_FOUND',
    text: "there is no sweep '{sweep}'",
    cause: 'All runs of the sweep were deleted.',
    remedy: 'Choose another one from the history.',
  },
  noRequests: {
    code: 'NOT_FOUND',
    text: "run '{run}' kept no requests, or did not end",
    cause: 'The list of single requests is written when a run ends that was told to keep it.',
    remedy: 'Measure again with the requests kept.',
  },
});

export const perfHistoryErrors = perfHistoryCatalogue.errors;
