// Every diagnostic of the editor about the text of one model, its name and its tensors with its repairs: one row per
// condition and repair. How a model is served is in serving-quick-fixes.test.ts, ensembles are in
// ensemble-quick-fixes.test.ts.

import { describe, expect, test } from 'vitest';
import type { ModelDescription } from '../../../src-shared/config/model-description.ts';
import { describeTensor } from '../../../src-shared/config/model-description.ts';
import type { RepairRow } from '../../testing/quick-fix-check.ts';
import { batched, checkRepair, MLP, repairCount, tensors } from '../../testing/quick-fix-check.ts';
import { described } from '../../testing/quick-fix-check.ts';

const FIXED: ModelDescription = {
  inputs: [describeTensor('IN', 'FP32', [1, 16])],
  outputs: [describeTensor('OUT', 'FP32', [1, 4])],
};
const PAIR: ModelDescription = {
  inputs: [describeTensor('IN', 'FP32', [-1, 16]), describeTensor('MASK', 'BOOL', [-1, 16])],
  outputs: [describeTensor('OUT', 'FP32', [-1, 4]), describeTensor('SCORE', 'FP32', [-1, 1])],
};

const ROWS: readonly RepairRow[] = [
  {
    code: 'D01',
    text: 'max_batch_size = 8',
    says: 'Expected ":", found "="',
    fix: 'Replace "=" by ":"',
    leaves: 'max_batch_size : 8',
  },
  {
    code: 'D01',
    text: `name: "mlp\n${batched()}`,
    says: 'String literals cannot cross line',
    fix: 'Insert "',
    leaves: 'name: "mlp"\n',
  },
  {
    code: 'D01',
    text: `name: "mlp`,
    says: 'Unexpected end of string',
    fix: 'Insert "',
    leaves: 'name: "mlp"',
  },
  {
    code: 'D01',
    text: 'input { name: "IN" data_type: TYPE_FP32 dims: [ -1 16 ] }',
    says: 'Expected ",", found "16"',
    fix: 'Insert ","',
    leaves: '[ -1, 16 ]',
  },
  { code: 'D01', text: 'dynamic_batching {', says: 'Expected identifier', fix: 'Add "}"', leaves: '}' },
  {
    code: 'D02',
    text: batched('dynamic_batching { max_queue_delay_microsecond: 5 }'),
    says: 'has no field named "max_queue_delay_microsecond"',
    fix: 'Change to "max_queue_delay_microseconds"',
    leaves: 'max_queue_delay_microseconds: 5',
  },
  {
    code: 'D05',
    text: `name: "other" ${batched()}`,
    says: "unexpected directory name 'mlp' for model 'other'",
    fix: 'Set name to mlp',
    leaves: 'name: "mlp"',
  },
  {
    code: 'D05',
    text: `name: "other" ${batched()}`,
    says: 'directory name must equal model name',
    fix: 'Rename the folder to other',
    action: 'rename-folder',
    leaves: 'other',
  },
  {
    code: 'D05',
    text: `name: "other"\n${batched()}`,
    says: 'directory name must equal model name',
    fix: 'Remove name',
    leaves: 'max_batch_size: 8',
  },
  {
    code: 'D06',
    text: batched(),
    facts: { inspectedEntries: [] },
    says: "Could not determine backend for model 'mlp'",
    fix: 'Set backend to onnxruntime',
    leaves: 'backend: "onnxruntime"',
  },
  {
    code: 'D06',
    text: batched('platform: "onnxruntime_onnx" backend: "pytorch"'),
    says: "unexpected 'platform' and 'backend' pair",
    fix: 'Set backend to onnxruntime',
    leaves: 'backend: "onnxruntime"',
  },
  {
    code: 'D06',
    text: batched('platform: "onnxruntime_onnx" backend: "pytorch"'),
    says: "unexpected 'platform' and 'backend' pair",
    fix: 'Remove platform',
    leaves: 'backend: "pytorch"',
  },
  {
    code: 'D10',
    text: batched().replace('"IN"', '"IM"'),
    says: "unexpected inference input 'IM', allowed inputs are: IN",
    fix: 'Rename to IN',
    leaves: 'name: "IN"',
  },
  {
    code: 'D10',
    text: batched().replace('"OUT"', '"result"'),
    says: "unexpected inference output 'result', allowed outputs are: OUT",
    fix: 'Rename to OUT',
    leaves: 'name: "OUT"',
  },
  {
    code: 'D10',
    text: batched(),
    facts: described(PAIR),
    says: 'configuration expects 1 inputs, model provides 2',
    fix: 'Add input MASK',
    leaves: 'data_type: TYPE_BOOL',
  },
  {
    code: 'D10',
    text: batched(),
    facts: described({ ...PAIR, inputs: MLP.inputs }),
    says: "leaves out: 'SCORE'",
    fix: 'Add output SCORE',
    leaves: 'name: "SCORE"',
  },
  {
    code: 'D11',
    text: batched().replace('TYPE_FP32', 'TYPE_INT64'),
    says: "configuration expects datatype TYPE_INT64 for input 'IN', model provides TYPE_FP32",
    fix: 'Set data_type to TYPE_FP32',
    leaves: 'TYPE_FP32',
  },
  {
    code: 'D20',
    text: batched(),
    facts: described(FIXED),
    says: 'the first dimension must be -1; but shape expected by the model is [1,16]',
    fix: 'Set max_batch_size to 0 and complete dims',
    leaves: 'dims: [ 1, 16 ]',
  },
  {
    code: 'D20',
    text: 'max_batch_size: 8',
    facts: described(FIXED),
    says: 'model does not support batching while non-zero max_batch_size',
    fix: 'Set max_batch_size to 0',
    leaves: 'max_batch_size: 0',
  },
  {
    code: 'D20',
    text: batched(),
    facts: described(FIXED),
    says: 'the first dimension must be -1',
    fix: 'Run batch probe',
    action: 'batch-probe',
  },
  {
    code: 'D21',
    text: `max_batch_size: 8 ${tensors('-1, 16')}`,
    says: 'the model expects 2 dimensions (shape [-1,16]) but the model configuration specifies 3',
    fix: 'Set dims to [ 16 ]',
    leaves: 'dims: [ 16 ]',
  },
  {
    code: 'D22',
    text: `max_batch_size: 0 ${tensors('-1, 16', '-1, 4')}`,
    says: 'every tensor of the model has a dynamic first dimension',
    fix: 'Set max_batch_size to 4 and shorten dims',
    leaves: 'max_batch_size: 4',
  },
  {
    code: 'D23',
    text: `max_batch_size: 8 ${tensors('17')}`,
    says: 'the model expects 2 dimensions (shape [-1,16])',
    fix: 'Set dims to [ 16 ]',
    leaves: 'dims: [ 16 ]',
  },
  {
    code: 'D24',
    text: batched().replace('dims: [ 16 ]', 'dims: [ 4, 4 ] reshape { shape: [ 15 ] }'),
    says: "model input 'IN' has different size for dims and reshape",
    fix: 'Set shape to [ 16 ]',
    leaves: 'shape: [ 16 ]',
  },
  {
    code: 'D24',
    text: batched().replace('dims: [ 16 ]', 'dims: [ -1, 4 ] reshape { shape: [ 16 ] }'),
    says: 'different size',
    fix: 'Set dims to [ 16 ]',
    leaves: 'dims: [ 16 ]',
  },
  {
    code: 'D24',
    text: batched().replace('dims: [ 16 ]', 'dims: [ 4, 4 ] reshape { shape: [ 15 ] }'),
    says: 'different size',
    fix: 'Remove the reshape',
    leaves: 'dims: [ 4, 4 ]',
  },
];

describe('each finding has its repair', () => {
  test.each(ROWS)('$code $says: $fix', checkRepair);
});

/** The codes of the editor's table with at least this many different repairs. */
test.each(
  Object.entries({ D01: 4, D02: 1, D05: 3, D06: 2, D10: 3, D11: 1, D20: 3, D21: 1, D22: 1, D23: 1, D24: 3 }),
)('%s has %i repairs above', (code, count) => {
  expect(repairCount(ROWS, code)).toBeGreaterThanOrEqual(count);
});
