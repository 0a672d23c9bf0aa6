// What is wrong with the warm-up samples of a configuration.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const warmupCatalogue = defineErrors('warmup', {
  batchSize: {
    code: 'INVALID_ARG',
    text: "warmup sample '{sample}' has batch_size {size}, expected at most {limit}",
    cause: 'A sample asks for more requests than are made at once.',
    remedy: 'Lower batch_size of the sample.',
  },
  tooManyRows: {
    code: 'INVALID_ARG',
    text: "batch size {rows} for '{instance}', max allowed is {limit}",
    cause: 'A sample asks for more requests at once than max_batch_size allows.',
    remedy: 'Lower batch_size of the sample, or raise max_batch_size.',
  },
  failed: {
    code: 'INVALID_ARG',
    text: "failed to run warmup sample '{sample}': {reasons}",
    cause: 'The model did not answer a sample.',
    remedy: 'Mend what the message ends with: the model would fail on such a request too.',
  },
  withoutType: {
    code: 'INVALID_ARG',
    text: "warmup setting expects input '{input}' to have data_type set",
    cause: 'An input of a sample has no data type.',
    remedy: 'Write data_type for it.',
  },
  openDimensions: {
    code: 'INVALID_ARG',
    text: "warmup setting expects all variable-size dimensions are specified for input '{input}'",
    cause: 'An input of a sample has a dimension of -1.',
    remedy: 'Write the size that the sample is to have.',
  },
  tooLarge: {
    code: 'INVALID_ARG',
    text: "warmup setting makes input '{input}' {size} bytes large, expected at most {limit}",
    cause: 'An input of a sample is larger than any that is made.',
    remedy: 'Write smaller dims.',
  },
  withoutData: {
    code: 'INVALID_ARG',
    text: "{prefix}warmup setting expects input '{input}' to have input_data_type set",
    cause: 'An input of a sample does not say what its values are.',
    remedy: 'Write zero_data, random_data or input_data_file.',
  },
  fileTooSmall: {
    code: 'INVALID_ARG',
    text: '{prefix}warmup setting expects {needed} bytes, but the data provided from {file}only has {got} bytes',
    cause: 'The file with the values of a sample is too small for its shape.',
    remedy: 'Write the whole tensor to the file, or correct dims.',
  },
});

export const warmupErrors = warmupCatalogue.errors;
