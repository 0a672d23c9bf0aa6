// What is wrong with the text of a warm-up sample.

import { defineErrors } from '../error-catalogue.ts';

export const sampleCatalogue = defineErrors('sample', {
  unreadable: {
    code: 'INVALID_ARG',
    text: 'the sample cannot be read: {reason}',
    cause: 'The text is not in the form of config.pbtxt.',
    remedy: 'Mend the place that the message names.',
  },
  none: {
    code: 'INVALID_ARG',
    text: 'the text holds no model_warmup entry',
    cause: 'The text is in the form of config.pbtxt, but of something else.',
    remedy: 'Write one entry, model_warmup [ { ... } ].',
  },
});

export const sampleErrors = sampleCatalogue.errors;
