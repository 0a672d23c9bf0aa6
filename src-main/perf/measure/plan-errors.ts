// What a plan of a load test asks for that its model, its data or its server cannot do.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

const SMALLER_BATCH = 'Choose a smaller batch size, or raise max_batch_size if the model can take more.';

export const perfPlanCatalogue = defineErrors('perfPlan', {
  noBatching: {
    code: 'INVALID_ARG',
    text: "batch size {size} cannot be used: '{model}' does not support batching (max_batch_size 0)",
    cause: 'The model has no batch dimension, so a request holds one row.',
    remedy: SMALLER_BATCH,
  },
  batchTooLarge: {
    code: 'INVALID_ARG',
    text: "batch size {size} is larger than max_batch_size {limit} of '{model}'",
    cause: 'The model does not take so many rows at once.',
    remedy: SMALLER_BATCH,
  },
  batchOfSequence: {
    code: 'INVALID_ARG',
    text: "can not specify batch size > 1 when using a sequence model ('{model}')",
    cause: 'Each request of a sequence is one row.',
    remedy: 'Choose a batch size of 1 and more sequences at a time.',
  },
  decoupled: {
    code: 'INVALID_ARG',
    text: "'{model}' is decoupled: it may answer several times; use gRPC streaming (-i grpc --streaming)",
    cause: 'A call with one answer cannot carry what this model says.',
    remedy: 'Measure over gRPC with streaming.',
  },
  streamingOverHttp: {
    code: 'INVALID_ARG',
    text: 'streaming needs the gRPC protocol',
    cause: 'The plan streams, and sends over HTTP.',
    remedy: 'Choose gRPC, or leave streaming out.',
  },
  periodicUnary: {
    code: 'INVALID_ARG',
    text: 'periodic concurrency needs streaming',
    cause: 'Further requests start after a number of answers of one stream.',
    remedy: 'Choose gRPC with streaming, or another kind of load.',
  },
  withoutTimestamp: {
    code: 'INVALID_ARG',
    text: 'a fixed schedule needs input data with a "timestamp" (ms) in every entry; stream {stream}, step {step} has none',
    cause: 'The times of a schedule come from the data.',
    remedy: 'Give each entry its time, or choose another kind of load.',
  },
  address: {
    code: 'INVALID_ARG',
    text: "'{url}' is no address; expected host:port",
    cause: 'The address of the server cannot be read.',
    remedy: 'Write it like localhost:8000, with https:// in front for TLS.',
  },
  port: {
    code: 'INVALID_ARG',
    text: "'{url}' has no usable port",
    cause: 'The port is not between 1 and 65535.',
    remedy: 'Correct the port.',
  },
  modelNotReady: {
    code: 'UNAVAILABLE',
    text: "model '{model}' is not ready",
    cause: 'The server knows the model, but does not serve it now.',
    remedy: 'Load it, or look into the log of the server for the reason.',
  },
});

export const perfPlanErrors = perfPlanCatalogue.errors;
