// What an input of a step can be connected to, as the list says it.

import { expect, test } from 'vitest';

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { ensembleDag } from './ensemble-dag.ts';
import type { Target } from './ensemble-edits.ts';
import { connect, disconnect, sourceOf } from './ensemble-edits.ts';
import { currentChoice, LOOSE_SOURCE, sourceChoices, sourceFromValue } from './ensemble-sources.ts';

const TEXT = `name: "chain"
platform: "ensemble"
input [ { name: "RAW" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [
  { name: "A" data_type: TYPE_FP32 dims: [ 4 ] },
  { name: "B" data_type: TYPE_FP32 dims: [ 4 ] }
]
ensemble_scheduling {
  step [
    { model_name: "one" model_version: -1
      input_map { key: "IN" value: "RAW" }
      output_map { key: "OUT" value: "A" } },
    { model_name: "two" model_version: -1
      input_map { key: "IN" value: "A" }
      output_map { key: "OUT:0" value: "B" } }
  ]
}
`;

const MODEL = parseModelConfig(`name: "m" backend: "onnxruntime"
  input [ { name: "IN" data_type: TYPE_FP32 dims: [ 4 ] } ]
  output [ { name: "OUT:0" data_type: TYPE_FP32 dims: [ 4 ] }, { name: "OUT" data_type: TYPE_FP32 dims: [ 4 ] } ]`).config;

const into = (step: number): Target => ({ kind: 'step', step, port: 'IN' });

function choicesOf(text: string, target: Target, loose?: string) {
  const config: ModelConfig = parseModelConfig(text).config;
  return sourceChoices(
    ensembleDag(config, [], () => MODEL),
    text,
    target,
    loose,
  );
}

test('offers nothing, the inputs of the ensemble and every output of every step, in words', () => {
  expect(choicesOf(TEXT, into(1)).map(({ label }) => label)).toEqual([
    '(not connected)',
    'RAW: input of the ensemble',
    'new tensor: OUT:0 of step 1 one',
    'A: OUT of step 1 one',
    'B: OUT:0 of step 2 two',
    'new tensor: OUT of step 2 two',
  ]);
});

test('what would make a circle is listed with the reason and cannot be chosen', () => {
  const refused = choicesOf(TEXT, into(0)).filter(({ disabledReason }) => disabledReason !== undefined);
  expect(refused.map(({ value }) => value)).toEqual([
    'step:0:OUT:0',
    'step:0:OUT',
    'step:1:OUT:0',
    'step:1:OUT',
  ]);
  expect(new Set(refused.map(({ disabledReason }) => disabledReason)).size).toBe(1);
  expect(refused[0]?.disabledReason).toContain('make a circle');
});

test('an output takes no input of the ensemble, and no tensor that is another output', () => {
  const choices = choicesOf(TEXT, { kind: 'output', tensor: 'B' });
  const reasonOf = (value: string) => choices.find((choice) => choice.value === value)?.disabledReason;
  expect(reasonOf('in:RAW')).toContain('a step must write it');
  expect(reasonOf('step:0:OUT')).toContain('already another output');
  expect(reasonOf('step:0:OUT:0')).toBeUndefined();
  expect(reasonOf('step:1:OUT:0')).toBeUndefined();
});

test('each choice means the source that it was made from, colons in names included', () => {
  for (const { value } of choicesOf(TEXT, into(1)).slice(1)) {
    const source = sourceFromValue(value);
    if (source === undefined) throw new Error(`'${value}' means nothing`);
    const result = connect(TEXT, source, into(1));
    if (!('text' in result)) {
      expect(result.refusal).toBe('cycle');
      continue;
    }
    const { config, issues } = parseModelConfig(result.text);
    expect(issues).toEqual([]);
    expect(currentChoice(config, into(1), undefined)).toBe(value);
  }
  expect(sourceFromValue('none')).toBeUndefined();
  expect(sourceFromValue(LOOSE_SOURCE)).toBeUndefined();
});

test('a tensor that nothing writes is a choice of its own, and the current one', () => {
  const text = TEXT.replace(
    'value: "A" }\n      output_map { key: "OUT:0"',
    'value: "lost" }\n      output_map { key: "OUT:0"',
  );
  const config = parseModelConfig(text).config;
  expect(currentChoice(config, into(1), 'lost')).toBe(LOOSE_SOURCE);
  expect(choicesOf(text, into(1), 'lost')[1]).toEqual({
    value: LOOSE_SOURCE,
    label: 'lost: nothing writes it',
  });
  expect(currentChoice(config, into(1), undefined)).toBe('none');
});

test('a text that cannot be read refuses every source', () => {
  const choices = choicesOf(`${TEXT}}`, into(1)).slice(1);
  expect(choices.every(({ disabledReason }) => disabledReason?.includes('has mistakes'))).toBe(true);
});

test('an output that is freed leaves its readers what they read, under a name of its own', () => {
  const text = disconnect(TEXT, { kind: 'output', tensor: 'A' });
  const { config } = parseModelConfig(text);
  expect(config.ensembleScheduling?.step[0]?.outputMap).toEqual({ OUT: 'one_OUT' });
  expect(sourceOf(config, into(1))).toEqual({ kind: 'step', step: 0, port: 'OUT' });
  expect(sourceOf(config, { kind: 'output', tensor: 'A' })).toBeUndefined();
  expect(disconnect(text, { kind: 'output', tensor: 'A' })).toBe(text);
  const unread = parseModelConfig(disconnect(TEXT, { kind: 'output', tensor: 'B' })).config;
  expect(unread.ensembleScheduling?.step[1]?.outputMap).toEqual({});
});

test('a new tensor takes a name that nothing has', () => {
  const taken = TEXT.replace('name: "RAW" data', 'name: "one_OUT:0" data').replace('"RAW"', '"one_OUT:0"');
  const result = connect(taken, { kind: 'step', step: 0, port: 'OUT:0' }, into(1));
  if (!('text' in result)) throw new Error(result.refusal);
  expect(parseModelConfig(result.text).config.ensembleScheduling?.step[1]?.inputMap).toEqual({
    IN: 'one_OUT:0_2',
  });
});
