// Odd requests: what is allowed to differ from the running reference.

import type { KnownDifference } from './known-differences.ts';

const NEWER = 'newer servers do as we do';

export const KNOWN_REQUESTS: readonly KnownDifference[] = [
  {
    rows: /^paired HTTP faults /,
    reason: `text for missing elements: ${NEWER}`,
    level: (answer) =>
      answer.replace(
        "Unable to parse 'data': Shape does not match true shape of 'data' field",
        "Failed to parse 'data' field: shape does not match true shape",
      ),
  },
  {
    rows: /^HTTP script: a pair of ONNX tensors > .*"shape":\[1,16\],"data":\[\]/,
    reason: `missing elements are told as such: ${NEWER}`,
  },
  {
    rows: /^HTTP script: runs of ONNX models that fail > .*"shape":\[2,0\]|^gRPC ONNX a shape with 2\^32$/,
    reason: 'a batch of nothing is refused as such',
  },
  {
    rows: /^configuration of the file stateful: .*output_name: "X"|^a state that the model does not give/,
    reason: 'a state that the model file does not have fails the load; in the reference each request',
  },
  {
    rows: /^an overridable input that is sent, left out, and of a wrong shape > 6$/,
    reason: 'an input that is missing beside an optional one is told by the binding of the runtime',
  },
  {
    rows: /^runtime does not load (empty|text|cut) > 2$/,
    reason: 'what is wrong with a file that is no model is told',
  },
  {
    rows: /^faults of shapes, .* > \[(-1,4|-1,2|-1,2,3|-2,4)\]$/,
    reason:
      'a batch of less than one row is refused as such; the reference takes it for one of 32 bits without a sign',
  },
  {
    rows: /^faults of shapes, wide_rows > \[1,-2\]$/,
    reason: `a dimension below -1 is refused by name: ${NEWER}`,
  },
  {
    rows: /^reshaped: \[.*-1.*\] to .*, output, 4 > \d/,
    reason:
      'a dimension that an output lacks for its reshape is -1; the reference reads what lies behind the shape in memory',
    level: (answer) =>
      answer
        .replaceAll(/(OUTPUT0[^[]*shape[^[]*\[)[^\]]*/g, '$1')
        .replace("Failed to write 'data' field: ", ''),
  },
  {
    rows: /^control: index with null$/,
    reason: "a bad 'ready' is the client's fault: newer servers do as we do",
  },
  {
    rows: /^control: an ensemble with two outputs > POST .*\/infer/,
    reason: 'sequence parameters once: a name stands once in an object',
  },
  {
    rows: /^HTTP script: bodies of odd shapes > .*shorts.*"shape":\[0,1\]|^HTTP script: generate fields: (one element a row|rows) > .*"A":\[\]/,
    reason: 'a batch of nothing is refused as such',
  },
  { rows: /^HTTP script: ids and parameters > .*"id":"\\u0000"/, reason: 'an id goes on behind a zero' },
  {
    rows: /^HTTP script: sequences by text > |^gRPC .*text_sequences|^gRPC stream of requests: a sequence by text|^statistics of text_sequences|^sequences over gRPC: text > /,
    reason: 'a text as correlation id reaches a Python model; there its backend takes it for two',
  },
  {
    rows: /^sequences: overlapping, oldest( in order)? > /,
    reason:
      'requests are released one by one; how many of the next ones a batch without a delay takes is a race',
    level: (answer) => answer.replaceAll(/batch(\W+)\d/g, 'batch$1#'),
    isChance: true,
  },
  {
    rows: /^sequences over gRPC: s_\d+ > \[\{"string_param":"a"\}/,
    reason: `the type of the correlation id is checked: ${NEWER}`,
  },
  {
    rows: /^statistics of texts after/,
    reason: 'texts that run past their bytes are refused before they reach the model, and not counted',
    level: (answer) => answer.replace(/(\\"fail\\":\{\\"count\\":)\d+/, '$10'),
  },
  {
    rows: /^parameters: (values|names).* > .*\d{16}/,
    reason: 'the last digit of a printed float may differ',
    level: (answer) =>
      answer
        .replace('18446744073709553000.0', '18446744073709552000.0')
        .replace(/1\.234567890123456[68]e29/, '1.2e29'),
  },
  {
    rows: /^parameters: values.* > \{"a":"\\u0000"\}/,
    reason: 'a text goes on behind a zero',
  },
  {
    rows: /^parameters: (objects|values, through an ensemble) > \{"a":1,"a":2\}/,
    reason: 'a parameter that was sent twice is handed over once, with the same value',
  },
  {
    rows: /^parameters: levels and timeouts > \{"timeout":\d{16,}\}|^parameters (over gRPC: \w+|on a stream) > timeout (the least )?number/,
    reason: 'timeouts beyond 2^53 microseconds are rounded: nobody waits for centuries',
  },
];
