import { describe, expect, test } from 'vitest';
import { completeModelConfig } from './complete-model-config.ts';
import { configValueText, diffModelConfigs, planInstanceUpdate, reloadNeed } from './config-diff.ts';
import type { ModelConfig } from './model-config.ts';
import { parseModelConfig } from './parse-model-config.ts';

const BASE = 'backend: "identity" max_batch_size: 8 input { name: "A" data_type: TYPE_FP32 dims: 1 }';

const config = (extra: string): ModelConfig =>
  completeModelConfig(parseModelConfig(`${BASE} ${extra}`).config, { directoryName: 'm' }).config;

describe('diffModelConfigs', () => {
  test('names each difference once, with both values', () => {
    const before = config('parameters { key: "a" value { string_value: "1" } } instance_group { count: 1 }');
    const after = config(
      'parameters { key: "b" value { string_value: "2" } } instance_group { count: 3 } dynamic_batching { }',
    );
    expect(diffModelConfigs(before, after).map(({ path, kind }) => [path, kind])).toEqual([
      ['dynamic_batching', 'added'],
      ['instance_group[0].count', 'changed'],
      ['parameters["a"]', 'removed'],
      ['parameters["b"]', 'added'],
    ]);
    expect(diffModelConfigs(before, before)).toEqual([]);
  });
});

describe('reloadNeed', () => {
  test.each([
    ['', '', 'none'],
    ['instance_group { count: 1 }', 'instance_group { count: 2 }', 'in-place'],
    ['', 'version_policy { all { } }', 'in-place'],
    ['', 'dynamic_batching { }', 'rebuild'],
    [
      'instance_group { count: 1 }',
      'instance_group { count: 2 } metric_tags { key: "a" value: "b" }',
      'rebuild',
    ],
  ])('%s -> %s: %s', (before, after, need) => {
    expect(reloadNeed(config(before), config(after))).toBe(need);
  });
});

test('a block that was added is told as it is written, without what nobody wrote', () => {
  const added = parseModelConfig(
    'instance_group { count: 2 kind: KIND_GPU gpus: [ 0, 1 ] } input { name: "A" dims: 3 reshape { shape: [ 1, 3 ] } }',
  ).config;
  expect([added.instanceGroup[0], added.input[0]].map(configValueText)).toEqual([
    '{ kind: KIND_GPU count: 2 gpus: [ 0, 1 ] }',
    '{ name: "A" dims: [ 3 ] reshape { shape: [ 1, 3 ] } }',
  ]);
});

describe('planInstanceUpdate', () => {
  test.each([
    ['instance_group { count: 1 }', 'instance_group { count: 3 }', { kept: 1, created: 2, removed: 0 }],
    [
      'instance_group { count: 3 }',
      'instance_group { count: 1 name: "x" }',
      { kept: 1, created: 0, removed: 2 },
    ],
    [
      'instance_group { count: 2 }',
      'instance_group { count: 2 passive: true }',
      { kept: 0, created: 2, removed: 2 },
    ],
    ['instance_group { count: 0 }', 'instance_group { count: 1 }', { kept: 1, created: 0, removed: 0 }],
  ])('%s -> %s', (before, after, plan) => {
    expect(planInstanceUpdate(config(before), config(after))).toEqual(plan);
  });
});
