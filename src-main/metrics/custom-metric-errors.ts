// What is wrong with a metric that a model makes itself.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const metricCatalogue = defineErrors('metric', {
  withoutBuckets: {
    code: 'INVALID_ARG',
    text: 'Bucket boundaries not found in Metric args.',
    cause: 'A model makes a histogram without saying where its buckets end.',
    remedy: 'Give buckets when the metric is made.',
  },
  bucketOrder: {
    code: 'INVALID_ARG',
    text: 'Bucket Boundaries must be strictly sorted',
    cause: 'A bucket of the histogram ends where the one before does, or earlier.',
    remedy: 'Give the boundaries in order, each once.',
  },
  badName: {
    code: 'INVALID_ARG',
    text: 'Invalid metric name',
    cause: 'A model makes a family whose name Prometheus does not take.',
    remedy: 'Use letters, digits, underscores and colons, no digit first and no two underscores first.',
  },
  badLabel: {
    code: 'INVALID_ARG',
    text: 'Invalid label name',
    cause: 'A model gives a metric a label whose name Prometheus does not take.',
    remedy: 'Use letters, digits and underscores, no digit first and no two underscores first.',
  },
  negativeStep: {
    code: 'INVALID_ARG',
    text: 'TRITONSERVER_METRIC_KIND_COUNTER can only be incremented monotonically by non-negative values.',
    cause: 'A model takes something away from a counter.',
    remedy: 'Make the metric a gauge, or add only.',
  },
  wrongKind: {
    code: 'UNSUPPORTED',
    text: 'TRITONSERVER_METRIC_KIND_{kind} does not support {operation}',
    cause:
      'Counters are incremented, gauges incremented or set, histograms observe; the model does something else.',
    remedy: 'Make the metric of the kind that has the operation.',
  },
  otherKind: {
    code: 'INVALID_ARG',
    text: 'Family name already exists with different type',
    cause: 'Another family of this name is of another kind.',
    remedy: 'Choose another name for the family.',
  },
});

export const metricErrors = metricCatalogue.errors;
