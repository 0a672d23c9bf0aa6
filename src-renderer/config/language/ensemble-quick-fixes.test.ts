// Every diagnostic of the editor about an ensemble with its repairs: one row per condition and repair.

import { describe, expect, test } from 'vitest';

import type { RepairRow } from '../../testing/quick-fix-check.ts';
import { checkRepair, languageFor, repairCount } from '../../testing/quick-fix-check.ts';
import type { LanguageContext } from './language-protocol.ts';

const STEP_MODEL =
  'max_batch_size: 8 input { name: "IN" data_type: TYPE_FP32 dims: 16 } output { name: "OUT" data_type: TYPE_FP32 dims: 16 }';
const model = (name: string, text = STEP_MODEL) => ({
  name,
  configText: `name: "${name}" backend: "onnxruntime" ${text}`,
});
const ENSEMBLE: Partial<LanguageContext> = {
  descriptions: [],
  inspectedEntries: [],
  models: [model('first'), model('second'), model('ints', STEP_MODEL.replaceAll('FP32', 'INT32'))],
};

const step = (name: string, from: string, to: string, inName = 'IN'): string =>
  `step { model_name: "${name}" model_version: -1 input_map { key: "${inName}" value: "${from}" } output_map { key: "OUT" value: "${to}" } }`;
const ensemble = (steps: string, extra = ''): string =>
  `platform: "ensemble" max_batch_size: 8 ${extra} input { name: "A" data_type: TYPE_FP32 dims: 16 } output { name: "Z" data_type: TYPE_FP32 dims: 16 } ensemble_scheduling { ${steps} }`;

const ROWS: readonly RepairRow[] = [
  {
    code: 'D50',
    text: ensemble(`${step('first', 'A', 'B')} ${step('second', 'BB', 'Z')}`),
    facts: ENSEMBLE,
    says: "ensemble tensor 'BB' is unused",
    fix: 'Connect to B',
    leaves: 'value: "B" } output_map { key: "OUT" value: "Z"',
  },
  {
    code: 'D50',
    text: ensemble(`${step('first', 'A', 'B')} ${step('second', 'Q', 'Z')}`),
    facts: ENSEMBLE,
    says: "ensemble tensor 'Q' is unused",
    fix: 'Add input Q to the ensemble',
    leaves: 'name: "Q"',
  },
  {
    code: 'D50',
    text: ensemble(`${step('first', 'A', 'Z')} ${step('second', 'A', 'R')}`),
    facts: ENSEMBLE,
    says: "ensemble tensor 'R' is unused",
    fix: 'Add output R to the ensemble',
    leaves: 'name: "R"',
  },
  {
    code: 'D50',
    text: ensemble(`${step('first', 'A', 'Z')} ${step('second', 'A', 'Z')}`),
    facts: ENSEMBLE,
    says: "'Z' can appear in an output map only once",
    fix: 'Rename to Z_2',
    leaves: 'value: "Z_2"',
  },
  {
    code: 'D50',
    text: ensemble(step('first', 'A', 'ZZ')),
    facts: ENSEMBLE,
    says: "ensemble output 'Z' for ensemble mlp' is not used",
    fix: 'Set name to ZZ',
    leaves: 'name: "ZZ"',
  },
  {
    code: 'D50',
    text: ensemble(step('first', 'A', 'Z')).replace('TYPE_FP32', 'TYPE_INT32'),
    facts: ENSEMBLE,
    says: 'inconsistent data type: TYPE_INT32 is inferred from model mlp',
    fix: 'Set data_type to TYPE_FP32',
    leaves: 'data_type: TYPE_FP32 dims: 16 } output',
  },
  {
    code: 'D50',
    text: ensemble(step('first', 'A', 'Z')).replace('dims: 16', 'dims: 17'),
    facts: ENSEMBLE,
    says: 'inconsistent shape: [-1,17] is inferred from model mlp',
    fix: 'Set dims to [ 16 ]',
    leaves: 'dims: [ 16 ]',
  },
  {
    code: 'D50',
    text: ensemble(`${step('first', 'A', 'B')} ${step('ints', 'B', 'Z')}`),
    facts: ENSEMBLE,
    says: 'inconsistent data type',
    fix: 'Open ints',
    action: 'open-model',
    leaves: 'ints',
  },
  {
    code: 'D50',
    text: ensemble(step('fist', 'A', 'Z')),
    facts: ENSEMBLE,
    says: 'contains models that are not available or ambiguous: fist',
    fix: 'Change to first',
    leaves: 'model_name: "first"',
  },
  {
    code: 'D50',
    text: ensemble(step('ocr_rec', 'A', 'Z')),
    facts: ENSEMBLE,
    says: 'not available or ambiguous: ocr_rec',
    fix: 'Import ocr_rec',
    action: 'import-model',
    leaves: 'ocr_rec',
  },
  {
    code: 'D50',
    text: ensemble(step('first', 'A', 'Z').replace('-1', '7')),
    facts: ENSEMBLE,
    says: 'whose required version 7 is not loaded',
    fix: 'Use the newest version',
    leaves: 'model_version: -1',
  },
  {
    code: 'D50',
    text: ensemble(step('first', 'A', 'Z', 'INN')),
    facts: ENSEMBLE,
    says: 'is mapping to non-existing input INN in model first',
    fix: 'Rename to IN',
    leaves: 'key: "IN"',
  },
  {
    code: 'D50',
    text: ensemble(
      `${step('first', 'A', 'B')} ${step('first', 'A', 'Z').replace(/input_map \{[^}]*\}/, 'input_map { }')}`,
    ),
    facts: ENSEMBLE,
    says: 'input IN in model first is not mapped',
    fix: 'Connect to A',
    leaves: 'value: "A"',
  },
  {
    code: 'D50',
    text: ensemble(`${step('first', 'A', 'Z')} ${step('mlp', 'A', 'C')}`),
    facts: { ...ENSEMBLE, models: [...(ENSEMBLE.models ?? []), model('mlp')] },
    says: 'circular dependency between ensembles',
    fix: 'Remove the step of mlp',
    leaves: 'model_name: "first"',
  },
  {
    code: 'D50',
    text: ensemble(`${step('first', 'Z', 'C')} ${step('second', 'C', 'Z')}`),
    facts: ENSEMBLE,
    says: "output 'Z' for ensemble 'mlp' is not written",
    fix: 'Connect to A',
    leaves: 'value: "A"',
  },
  {
    code: 'D45',
    text: ensemble(step('first', 'A', 'Z')),
    facts: { ...ENSEMBLE, versions: [] },
    says: 'at least one version must be available',
    fix: 'Create version folder',
    action: 'create-version-folder',
    leaves: '1',
  },
  {
    code: 'D55',
    text: ensemble(step('first', 'A', 'Z'), 'instance_group { count: 1 }'),
    facts: ENSEMBLE,
    says: 'instance group should not be specified for ensemble',
    fix: 'Remove instance_group',
    leaves: 'ensemble_scheduling',
  },
  {
    code: 'D55',
    text: ensemble(step('first', 'A', 'Z'), 'optimization { priority: PRIORITY_MAX }'),
    facts: ENSEMBLE,
    says: 'optimization should not be specified',
    fix: 'Remove optimization',
    leaves: 'ensemble_scheduling',
  },
  {
    code: 'D55',
    text: ensemble(step('first', 'A', 'Z'), 'model_warmup { name: "w" batch_size: 1 }'),
    facts: ENSEMBLE,
    says: 'model_warmup can not be specified',
    fix: 'Remove model_warmup',
    leaves: 'ensemble_scheduling',
  },
];

describe('each finding has its repair', () => {
  test.each(ROWS)('$code $says: $fix', checkRepair);
});

describe('an input that is not connected', () => {
  const unmapped = (name: string): string =>
    step(name, '', 'Z').replace(/input_map \{[^}]*\}/, 'input_map { key: "OLD" value: "A" }');
  const converts = model(
    'converts',
    STEP_MODEL.replace(/output .*/, 'output { name: "OUT" data_type: TYPE_INT32 dims: 16 }'),
  );
  const offers = (text: string, says: string): readonly string[] | undefined =>
    languageFor({ ...ENSEMBLE, models: [...(ENSEMBLE.models ?? []), converts] })
      .answers.check('mlp', text)
      .find(({ message }) => message.includes(says))
      ?.fixes.map(({ title }) => title);

  test('is offered the tensors whose type and shape it takes, and no other', () => {
    const text = ensemble(`${step('converts', 'A', 'NUMBERS')} ${unmapped('ints')}`);
    expect(offers(text, 'input IN in model ints is not mapped')).toEqual(['Connect to NUMBERS']);
    expect(offers(text.replaceAll('"ints"', '"first"'), 'input IN in model first is not mapped')).toEqual([
      'Connect to A',
    ]);
  });

  test('is offered the first ones where none fits', () => {
    const text = ensemble(`${step('first', 'A', 'B')} ${unmapped('ints')}`);
    expect(offers(text, 'input IN in model ints is not mapped')).toEqual(['Connect to A', 'Connect to B']);
  });

  test('of a tensor that nobody reads it is told by its name', () => {
    const text = ensemble(`${step('first', 'A', 'Z')} ${step('second', 'A', 'R')}`);
    const found = languageFor(ENSEMBLE).answers.check('mlp', text);
    expect(found.find(({ message }) => message.includes("'R' is unused"))?.hint).toContain('No step reads R');
  });
});

test.each(Object.entries({ D45: 1, D50: 14, D55: 3 }))('%s has %i repairs above', (code, count) => {
  expect(repairCount(ROWS, code)).toBeGreaterThanOrEqual(count);
});
