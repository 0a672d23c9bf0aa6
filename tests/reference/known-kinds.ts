// Ragged batches, warm-up, queue policies and traces of every kind: what is allowed to differ from the running reference.

import type { KnownDifference } from './known-differences.ts';

export const KNOWN_KINDS: readonly KnownDifference[] = [
  {
    rows: /^ragged, mixed: all kinds.* > statistics of /,
    reason: 'the weights of an ONNX model are told as its memory',
    level: (answer) => answer.replaceAll(/"memory_usage":\[[^\]]*\]/g, '"memory_usage":[]'),
  },
  {
    rows: /^ragged, mixed: all kinds under an ensemble > /,
    reason: 'sequence parameters once: a name stands once in an object',
    level: (answer) =>
      answer.replaceAll(
        /(\\"sequence_id\\":0,\\"sequence_start\\":false,\\"sequence_end\\":false),\\"sequence_id\\":0,\\"sequence_start\\":false,\\"sequence_end\\":false/g,
        '$1',
      ),
  },
  {
    rows: /^warm-up of kinds: state > /,
    reason:
      'a sample of a model with implicit state runs, and its state is thrown away; the reference refuses the model',
  },
  {
    rows: /^warm-up of kinds: bare_state > load/,
    reason: 'an input that is missing is told by the binding of the runtime',
    level: (answer) => answer.replace(/onnx runtime error \d:.*?(; ;)/, 'onnx runtime error $1'),
  },
  {
    rows: /^policies: an action that is no number > /,
    reason: 'a number that is no value of an enum is refused by name',
  },
  {
    rows: /^policies: the largest timeout > /,
    reason:
      'a timeout whose nanoseconds 64 bits do not hold is never over; in the reference it is over at once',
  },
  {
    rows: /^trace files, (tensors alone|hits of the cache, with tensors) > /,
    reason:
      'outputs of a model with a response cache are told once; the reference tells those it puts there twice',
    level: (answer) => {
      const output = /(\{"activity":"TENSOR_BACKEND_OUTPUT","tensor":\{[^}]*\}\}),\1/g;
      return answer.replaceAll(output, '$1');
    },
  },
];
