// Steps and names as edits of an ensemble's text: what is written, what stays, and what a new step is guessed to need.

import { expect, test } from 'vitest';

import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { ENSEMBLE_TEXT } from '../../testing/ensemble-text.ts';
import { ensembleDag } from './ensemble-dag.ts';
import { addStep, removeStep, renameTensor } from './ensemble-steps.ts';
import { guessStep, portsOf } from './new-step.ts';

const configOf = (text: string) => parseModelConfig(text).config;
const stepsOf = (text: string) => configOf(text).ensembleScheduling?.step ?? [];
const fresh = { model: 'third', version: 2, inputs: {}, outputs: {} };

test('a step is written behind the others, fed by what was chosen; comments and the rest stay', () => {
  const commented = ENSEMBLE_TEXT.replace('  step [', '  # the steps\n  step [');
  const text = addStep(commented, {
    ...fresh,
    inputs: {
      A: { kind: 'input', tensor: 'RAW' },
      B: { kind: 'step', step: 0, port: 'OUT' },
      // Nothing names this output yet: it becomes a tensor.
      C: { kind: 'step', step: 1, port: 'EXTRA' },
    },
    outputs: { OUT: 'third_OUT' },
  });
  expect(stepsOf(text)[2]).toMatchObject({
    modelName: 'third',
    modelVersion: 2,
    inputMap: { A: 'RAW', B: 'mid', C: 'second_EXTRA' },
    outputMap: { OUT: 'third_OUT' },
  });
  expect(stepsOf(text)[1]?.outputMap).toEqual({ OUT: 'CLASS', EXTRA: 'second_EXTRA' });
  expect(text).toContain('# the steps');
  expect(parseModelConfig(text).issues).toEqual([]);
});

test('an ensemble without steps gets its first', () => {
  const text = addStep('name: "pair"\nplatform: "ensemble"\n', fresh);
  expect(stepsOf(text)).toMatchObject([{ modelName: 'third', modelVersion: 2 }]);
  expect(text.startsWith('name: "pair"\nplatform: "ensemble"\n')).toBe(true);
});

test.each([
  [0, 'second'],
  [1, 'first'],
])('step %i goes alone, and adding it again is what taking it away undid', (step, left) => {
  const text = removeStep(ENSEMBLE_TEXT, step);
  expect(stepsOf(text).map(({ modelName }) => modelName)).toEqual([left]);
  expect(parseModelConfig(text).issues).toEqual([]);
  expect(stepsOf(removeStep(text, 0))).toEqual([]);
  expect(removeStep(ENSEMBLE_TEXT, 7)).toBe(ENSEMBLE_TEXT);
});

test('steps that are written as fields of their own go as well', () => {
  const text = `ensemble_scheduling {
  step { model_name: "a" model_version: 1 } # keep me
  step { model_name: "b" model_version: 1 }
}
`;
  expect(stepsOf(removeStep(text, 0)).map(({ modelName }) => modelName)).toEqual(['b']);
  expect(stepsOf(addStep(text, fresh)).map(({ modelName }) => modelName)).toEqual(['a', 'b', 'third']);
});

test('a tensor is renamed wherever it stands, and nothing else is', () => {
  const warm = `${ENSEMBLE_TEXT}model_warmup { name: "w" inputs { key: "RAW" value { dims: [ 4 ] } } }\n`;
  const text = renameTensor(warm, 'RAW', 'PIXELS "x"');
  const config = configOf(text);
  expect(config.input[0]?.name).toBe('PIXELS "x"');
  expect(stepsOf(text)[0]?.inputMap).toEqual({ IN: 'PIXELS "x"' });
  expect(Object.keys(config.modelWarmup[0]?.inputs ?? {})).toEqual(['PIXELS "x"']);
  expect(renameTensor(text, 'PIXELS "x"', 'RAW')).toBe(warm);
  const inner = renameTensor(ENSEMBLE_TEXT, 'mid', 'middle');
  expect(inner).toBe(ENSEMBLE_TEXT.replaceAll('"mid"', '"middle"'));
  expect(configOf(renameTensor(ENSEMBLE_TEXT, 'CLASS', 'LABEL')).output[0]?.name).toBe('LABEL');
  expect(renameTensor(ENSEMBLE_TEXT, 'none', 'some')).toBe(ENSEMBLE_TEXT);
});

const known: Readonly<Record<string, string>> = {
  first:
    'input { name: "IN" data_type: TYPE_FP32 dims: 4 } output { name: "OUT" data_type: TYPE_FP32 dims: 4 }',
  odd: `input [ { name: "X" data_type: TYPE_FP32 dims: 4 }, { name: "RAW" data_type: TYPE_FP32 dims: 4 } ]
    output [ { name: "CLASS" data_type: TYPE_FP32 dims: 4 }, { name: "N" data_type: TYPE_INT32 dims: 1 } ]`,
};
const modelOf = (name: string) => (name in known ? configOf(known[name] ?? '') : undefined);
const guess = (text: string, model: string) =>
  guessStep(ensembleDag(configOf(text), [], modelOf), configOf(text), model, portsOf(text, model, modelOf));

test('a new step is guessed by name first, then by type and shape of what nobody reads', () => {
  const alone = removeStep(ENSEMBLE_TEXT, 1);
  // `mid` is written by the step and read by nobody; CLASS waits for its writer.
  expect(guess(alone, 'first')).toEqual({ inputs: { IN: 'step:0:OUT' }, outputs: { OUT: 'CLASS' } });
  expect(guess(alone, 'odd')).toEqual({
    inputs: { X: 'step:0:OUT', RAW: 'in:RAW' },
    outputs: { CLASS: 'CLASS', N: 'odd_N' },
  });
});

test('what is not clear is left open, names that are taken are not guessed, and an unknown model has no ports', () => {
  const two = ENSEMBLE_TEXT.replace('input [', 'input [ { name: "LEFT" data_type: TYPE_FP32 dims: [ 4 ] },');
  expect(guess(removeStep(removeStep(two, 1), 0), 'first').inputs).toEqual({ IN: 'none' });
  const taken = ENSEMBLE_TEXT.replaceAll('"mid"', '"first_OUT"');
  expect(guess(taken, 'first').outputs).toEqual({ OUT: 'first_OUT_2' });
  expect(portsOf(ENSEMBLE_TEXT, 'nowhere', modelOf)).toEqual({ inputs: [], outputs: [] });
});
