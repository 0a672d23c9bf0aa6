// What an answer lists, in which order.

import { expect, test } from 'vitest';

import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { planInterface } from './interface-plan.ts';

test('outputs are listed by name, byte for byte, states among them', () => {
  const tensor = (name: string, more = '') => `{ name: "${name}" data_type: TYPE_FP32 dims: [ 1 ] ${more} }`;
  const names = ['scores', 'Boxes', 'ä', 'boxes', 'b'];
  const text = `max_batch_size: 4 output [ ${names.map((name) => tensor(name)).join(', ')} ]
    sequence_batching { state { input_name: "in" output_name: "next" data_type: TYPE_FP32 dims: [ 1 ] } }`;
  const described = (name: string) => ({
    name,
    datatype: 'FP32' as const,
    shape: [-1, 1],
    kind: 'tensor' as const,
  });
  const description = { inputs: [], outputs: [...names, 'next'].map(described) };
  const plan = planInterface(parseModelConfig(text).config, description as never);
  expect(plan.outputs.map(({ name }) => name)).toEqual(['Boxes', 'b', 'boxes', 'next', 'scores', 'ä']);
});
