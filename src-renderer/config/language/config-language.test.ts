import { describe, expect, test } from 'vitest';

import { describeTensor } from '../../../src-shared/config/model-description.ts';
import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import { ConfigLanguage } from './config-language.ts';
import type { LanguageContext } from './language-protocol.ts';
import { SOME_BACKENDS } from '../../../src-shared/testing/some-backends.ts';

const CONTEXT: LanguageContext = {
  modelName: 'mlp',
  versions: ['1'],
  descriptions: [
    {
      version: '1',
      description: {
        inputs: [describeTensor('IN', 'FP32', [-1, 16])],
        outputs: [describeTensor('OUT', 'FP32', [-1, 4])],
      },
    },
  ],
  gpuIds: [],
  backends: SOME_BACKENDS,
  physicalCores: 8,
  isAutoCompleteEnabled: true,
  defaultMaxBatchSize: 4,
  models: [],
  files: ['1/model.onnx', 'config.pbtxt'],
  inspectedEntries: [{ name: 'model.onnx', isDirectory: false }],
  gpuPolicy: 'fallback',
  readiness: {},
};

function languageFor(context: Partial<LanguageContext> = {}): ConfigLanguage {
  const language = new ConfigLanguage();
  language.setContext('mlp', { ...CONTEXT, ...context });
  return language;
}

const codesOf = (language: ConfigLanguage, text: string): readonly string[] =>
  language.answers.check('mlp', text).map(({ code }) => code);

describe('check', () => {
  test('a missing bracket is one finding on its line, and goes with it', () => {
    const language = languageFor();
    const [issue, ...others] = language.answers.check('mlp', 'max_batch_size: 8\ndynamic_batching {\n');
    expect(others).toEqual([]);
    expect(issue).toMatchObject({ code: 'D01', severity: 'error' });
    expect(codesOf(language, 'max_batch_size: 8\ndynamic_batching {\n}\n')).not.toContain('D01');
  });

  test('dims with the batch dimension carry a repair that leaves a correct text', () => {
    const language = languageFor();
    const text =
      'max_batch_size: 8\ninput { name: "IN" data_type: TYPE_FP32 dims: [ -1, 16 ] }\noutput { name: "OUT" data_type: TYPE_FP32 dims: [ 4 ] }\n';
    const issue = language.answers.check('mlp', text).find(({ code }) => code === 'D21');
    const repaired = applyTextEdits(text, issue?.fixes[0]?.edits ?? []);
    expect(repaired).toContain('dims: [ 16 ]');
    expect(codesOf(language, repaired)).not.toContain('D21');
  });

  test('a model that is not loaded counts as available to an ensemble, a failed one does not', () => {
    const ensemble = [
      'max_batch_size: 4',
      'input { name: "x" data_type: TYPE_FP32 dims: [ 16 ] }',
      'output { name: "y" data_type: TYPE_FP32 dims: [ 4 ] }',
      'ensemble_scheduling { step { model_name: "step" model_version: -1 input_map { key: "IN" value: "x" } output_map { key: "OUT" value: "y" } } }',
    ].join('\n');
    const step =
      'name: "step" max_batch_size: 4 input { name: "IN" data_type: TYPE_FP32 dims: [ 16 ] } output { name: "OUT" data_type: TYPE_FP32 dims: [ 4 ] }';
    const models = [{ name: 'step', configText: step }];
    const readiness = { step: { readyVersions: [], loadError: 'file is broken' } };
    expect(codesOf(languageFor({ models }), ensemble)).not.toContain('D50');
    expect(codesOf(languageFor({ models, readiness }), ensemble)).toContain('D50');
  });

  test('knows only the folder before anything else was told', () => {
    expect(codesOf(new ConfigLanguage(), 'name: "other" backend: "onnxruntime"')).toContain('D05');
  });
});

test('the effective text tells where each line comes from', () => {
  const { lines } = languageFor().answers.effective('mlp', '');
  expect(lines.find(({ text }) => text === 'max_batch_size: 4')).toMatchObject({ origin: 'auto-complete' });
  expect(lines.some(({ text, origin }) => text === 'dynamic_batching {' && origin === 'file')).toBe(false);
});

test('completed fields can be written into the text, which then completes to the same configuration', () => {
  const language = languageFor();
  const text = '# kept\nname: "mlp"\n';
  const fields = language.answers.fillable('mlp', text);
  expect(fields.map(({ path }) => path)).toContain('max_batch_size');
  expect(fields.every(({ origin }) => origin !== 'file')).toBe(true);
  const filled = language.answers.fill(
    'mlp',
    text,
    fields.map(({ path }) => path),
  );
  expect(filled).toContain('# kept');
  const effective = (of: string) => language.answers.effective('mlp', of).lines.map((line) => line.text);
  expect(effective(filled)).toEqual(effective(text));
  expect(language.answers.fillable('mlp', filled)).toEqual([]);
});

test('only names of ensemble tensors can be renamed', () => {
  const language = languageFor();
  const text = 'input { name: "IN" }';
  expect(language.answers.tensor('mlp', text, text.indexOf('IN'))).toBeUndefined();
  expect(language.answers.rename('mlp', text, text.indexOf('IN'), 'b')).toEqual([]);
});
