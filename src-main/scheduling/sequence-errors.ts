// What a request of a sequence is told that cannot be taken or executed.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const sequenceCatalogue = defineErrors('sequence', {
  batched: {
    code: 'INVALID_ARG',
    text: "inference request to model '{model}' must specify batch-size 1 due to requirements of sequence batcher",
    cause: 'A request of a sequence has more than one row.',
    remedy: 'Send each step of a sequence as a request of its own with a first dimension of 1.',
  },
  withoutId: {
    code: 'INVALID_ARG',
    text: "inference request to model '{model}' must specify a non-zero or non-empty correlation ID",
    cause: 'The model keeps sequences apart by their id, and the request has none.',
    remedy: 'Set sequence_id to a number above 0 or to a text, the same for all requests of the sequence.',
  },
  notStarted: {
    code: 'INVALID_ARG',
    text: "inference request for sequence {sequence} to model '{model}' must specify the START flag on the first request of the sequence",
    cause: 'The id belongs to no sequence: it was never started, has ended, or was idle for too long.',
    remedy: 'Set sequence_start on the first request, or raise max_sequence_idle_microseconds.',
  },
  backlogTimedOut: {
    code: 'UNAVAILABLE',
    text: 'timeout of the corresponding sequence has been expired',
    cause: 'No slot became free for the sequence before one of its requests timed out.',
    remedy:
      'Add instances or slots, end sequences that are done with sequence_end, or allow a longer timeout.',
  },
});

export const sequenceErrors = sequenceCatalogue.errors;
