import { expect, test } from 'vitest';

import { filledFields, tensorFacts } from './overview-selectors.ts';
import { readServedConfig } from './served-config.ts';

test('what was completed is named once, with its value where that is one word, and not what can be nothing else', () => {
  const lines = [
    ['name: "m"', 'file'],
    ['backend: "onnxruntime"', 'auto-complete'],
    ['platform: "onnxruntime_onnx"', 'auto-complete'],
    ['model_transaction_policy {', 'auto-complete'],
    ['max_batch_size: 4', 'auto-complete'],
    ['input {', 'auto-complete'],
    ['  name: "x"', 'auto-complete'],
    ['}', 'auto-complete'],
    ['input {', 'auto-complete'],
    ['dynamic_batching {', 'auto-complete'],
    ['instance_group [', 'default'],
  ] as const;
  const effective = {
    text: lines.map(([text]) => text).join('\n'),
    origins: lines.map(([, kind]) => ({ kind, reason: '' })),
    json: '{}',
    error: undefined,
  };
  expect(filledFields(effective)).toEqual(['max_batch_size 4', 'input', 'dynamic_batching']);
});

test('a fragment of a text that cannot be read is no tensor, one that lacks a name only is', () => {
  const tensor = { name: '', dataType: '', dims: [16], reshape: undefined };
  const client = { name: '', datatype: '', shape: [-1, 16] };
  expect(tensorFacts({ config: [tensor], client: [client] }, { isBatched: true })).toEqual([]);
  const typed = { ...tensor, dataType: 'TYPE_FP32' };
  expect(tensorFacts({ config: [typed] }, { isBatched: true })).toMatchObject([
    { name: '', datatype: 'FP32' },
  ]);
  expect(tensorFacts({ config: [{ ...tensor, name: 'x' }] }, { isBatched: true })).toMatchObject([
    { name: 'x', datatype: '' },
  ]);
});

test('tensors that the server fills in or keeps are told from those that clients send', () => {
  const config = readServedConfig(
    JSON.stringify({
      input: [{ name: 'INPUT', data_type: 'TYPE_FP32', dims: [1] }],
      output: [
        { name: 'OUTPUT', data_type: 'TYPE_FP32', dims: [1] },
        { name: 'SEEN_OUT', data_type: 'TYPE_FP32', dims: [1] },
      ],
      sequence_batching: {
        control_input: [{ name: 'START', control: [{ kind: 'CONTROL_SEQUENCE_START' }] }],
        state: [
          { input_name: 'SUM_IN', output_name: 'SUM_OUT' },
          { input_name: 'SEEN_IN', output_name: 'SEEN_OUT' },
        ],
      },
      batch_input: [{ kind: 'BATCH_ELEMENT_COUNT', target_name: ['COUNTS'] }],
    }),
  );
  const rolesOf = (own: 'inputs' | 'outputs', names: readonly string[]) =>
    tensorFacts(
      {
        config: config?.[own],
        graph: names.map((name) => ({
          name,
          datatype: 'FP32',
          shape: [-1, 1],
          sourceType: 'float',
          kind: 'tensor' as const,
          symbols: [],
          isOptional: false,
        })),
      },
      { isBatched: true, serverRoles: config?.serverRoles },
    ).map(({ name, serverRole }) => [name, serverRole]);
  expect(rolesOf('inputs', ['INPUT', 'START', 'SUM_IN', 'COUNTS', 'STRANGE'])).toEqual([
    ['INPUT', undefined],
    ['START', 'control'],
    ['SUM_IN', 'state-in'],
    ['COUNTS', 'batch'],
    ['STRANGE', undefined],
  ]);
  expect(rolesOf('outputs', ['OUTPUT', 'SEEN_OUT', 'SUM_OUT'])).toEqual([
    ['OUTPUT', undefined],
    // Asked for as an output too, so clients get it.
    ['SEEN_OUT', undefined],
    ['SUM_OUT', 'state-out'],
  ]);
});
