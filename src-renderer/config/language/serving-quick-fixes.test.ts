// Every diagnostic of the editor about how one model is served (scheduling, instances, versions, warm-up) with its
// repairs: one row per condition and repair.

import { describe, expect, test } from 'vitest';
import type { ModelDescription } from '../../../src-shared/config/model-description.ts';
import { describeTensor } from '../../../src-shared/config/model-description.ts';
import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import type { RepairRow } from '../../testing/quick-fix-check.ts';
import { batched, checkRepair, languageFor, repairCount, tensors } from '../../testing/quick-fix-check.ts';
import { described } from '../../testing/quick-fix-check.ts';

const STATEFUL: ModelDescription = {
  inputs: [describeTensor('IN', 'FP32', [-1, 16]), describeTensor('START', 'FP32', [-1, 1])],
  outputs: [describeTensor('OUT', 'FP32', [-1, 4])],
};

const sequence = (controls: string): string => batched(`sequence_batching { ${controls} }`);
const control = (name: string, body: string): string =>
  `control_input { name: "${name}" control { kind: CONTROL_SEQUENCE_START ${body} } }`;

const warmup = (inputs: string): string =>
  batched(`model_warmup { name: "w" batch_size: 1 inputs { ${inputs} } }`);

const ROWS: readonly RepairRow[] = [
  {
    code: 'D30',
    text: `max_batch_size: 0 dynamic_batching { } ${tensors('-1, 16', '-1, 4')}`,
    says: 'no effect while max_batch_size is 0',
    fix: 'Set max_batch_size to 8',
    leaves: 'max_batch_size: 8',
  },
  {
    code: 'D30',
    text: batched('dynamic_batching { preferred_batch_size: [ 4, 16 ] }'),
    says: 'must be <= max batch size',
    fix: 'Set max_batch_size to 16',
    leaves: 'max_batch_size: 16',
  },
  {
    code: 'D30',
    text: batched('dynamic_batching { preferred_batch_size: [ 4, 16 ] }'),
    says: 'must be <= max batch size',
    fix: 'Remove dynamic_batching.preferred_batch_size[1]',
    leaves: '[ 4 ]',
  },
  {
    code: 'D30',
    text: batched('dynamic_batching { } sequence_batching { }'),
    says: 'another member of oneof "scheduling_choice"',
    fix: 'Remove this "sequence_batching"',
    leaves: 'dynamic_batching',
  },
  {
    code: 'D30',
    text: batched('dynamic_batching { } sequence_batching { }'),
    says: 'another member of oneof "scheduling_choice"',
    fix: 'Remove "dynamic_batching"',
    leaves: 'sequence_batching',
  },
  {
    code: 'D31',
    text: batched('dynamic_batching { preferred_batch_size: [ 2, 4 ] }'),
    says: 'usually better',
    fix: 'Remove dynamic_batching.preferred_batch_size',
    leaves: 'dynamic_batching',
  },
  {
    code: 'D35',
    text: sequence(control('STRAT', 'fp32_false_true: [ 0, 1 ]')),
    facts: described(STATEFUL),
    says: "sequence control 'STRAT', but model does not provide that input",
    fix: 'Rename to START',
    leaves: 'name: "START"',
  },
  {
    code: 'D35',
    text: sequence(control('START', 'int32_false_true: [ 0, 1 ]')),
    facts: described(STATEFUL),
    says: 'model configuration specifies data-type TYPE_INT32',
    fix: 'Use values of type FP32',
    leaves: 'fp32_false_true: [ 0, 1 ]',
  },
  {
    code: 'D35',
    text: sequence(control('START', '')),
    facts: described(STATEFUL),
    says: "must specify either 'int32_false_true'",
    fix: 'Set int32_false_true to [ 0, 1 ]',
    leaves: 'int32_false_true: [ 0, 1 ]',
  },
  {
    code: 'D35',
    text: sequence(
      `${control('START', 'fp32_false_true: [ 0, 1 ]')} control_input { name: "START" control { kind: CONTROL_SEQUENCE_END fp32_false_true: [ 0, 1 ] } }`,
    ),
    facts: described(STATEFUL),
    says: 'is specified for multiple control kinds',
    fix: 'Remove the second control',
    leaves: 'CONTROL_SEQUENCE_START',
  },
  {
    code: 'D35',
    text: sequence(control('START', 'fp32_false_true: [ 0, 1 ] int32_false_true: [ 0, 1 ]')),
    facts: described(STATEFUL),
    says: 'specifies more than one from',
    fix: 'Keep fp32_false_true alone',
    leaves: 'fp32_false_true: [ 0, 1 ]',
  },
  {
    code: 'D35',
    text: sequence(control('START', 'bool_false_true: [ true ]')),
    facts: described(STATEFUL),
    says: 'must have exactly 2 entries',
    fix: 'Set bool_false_true to [ false, true ]',
    leaves: 'bool_false_true: [ false, true ]',
  },
  {
    code: 'D40',
    text: batched('instance_group { kind: KIND_GPU }'),
    says: 'has kind KIND_GPU but no GPUs are available',
    fix: 'Set kind to KIND_CPU',
    leaves: 'KIND_CPU',
  },
  {
    code: 'D40',
    text: batched('instance_group { kind: KIND_GPU }'),
    says: 'no GPUs are available',
    fix: 'Use CPU here only (writes configs/cpu.pbtxt)',
    action: 'cpu-profile',
    leaves: 'cpu',
  },
  {
    code: 'D40',
    text: batched('instance_group { kind: KIND_GPU gpus: 3 }'),
    facts: { gpuIds: [0, 1] },
    says: 'invalid or unsupported gpu id 3',
    fix: 'Set gpus to [ 0, 1 ]',
    leaves: 'gpus: [ 0, 1 ]',
  },
  {
    code: 'D40',
    text: batched('instance_group { kind: KIND_CPU gpus: 0 }'),
    facts: { gpuIds: [0] },
    says: 'has kind KIND_CPU but specifies one or more GPUs',
    fix: 'Set kind to KIND_GPU',
    leaves: 'KIND_GPU',
  },
  {
    code: 'D41',
    text: batched(
      'instance_group { count: 4 kind: KIND_CPU } parameters { key: "intra_op_thread_count" value { string_value: "8" } }',
    ),
    says: '4 instances with 8 threads each want 32 threads on 8 cores',
    fix: 'Set threads to 2',
    leaves: 'string_value: "2"',
  },
  {
    code: 'D41',
    text: batched('instance_group { count: 2 kind: KIND_CPU }'),
    says: '2 instances with 8 threads each want 16 threads on 8 cores',
    fix: 'Set threads to 4',
    leaves: 'string_value: "4"',
  },
  {
    code: 'D41',
    text: batched('instance_group { count: 2 kind: KIND_CPU }'),
    says: 'want 16 threads',
    fix: 'Ignore',
    action: 'ignore',
  },
  {
    code: 'D45',
    text: batched('version_policy { specific { versions: [ 3 ] } }'),
    says: 'at least one version must be available',
    fix: 'Serve 1',
    leaves: 'versions: [ 1 ]',
  },
  {
    code: 'D45',
    text: batched('version_policy { specific { versions: [ 1, 3 ] } }'),
    says: "version 3 is specified for model 'mlp'",
    fix: 'Serve 1',
    leaves: 'versions: [ 1 ]',
  },
  {
    code: 'D45',
    text: batched(),
    facts: { versions: [] },
    says: 'at least one version must be available',
    fix: 'Create version folder',
    action: 'create-version-folder',
    leaves: '1',
  },
  {
    code: 'D60',
    text: batched('model_warmup { name: "w" batch_size: 1 }'),
    says: "sample 'w' has no data for input 'IN'",
    fix: 'Add zeros for IN',
    leaves: 'zero_data: true',
  },
  {
    code: 'D60',
    text: warmup('key: "IN" value { data_type: TYPE_FP32 dims: 16 input_data_file: "imag.raw" }'),
    says: "reads file 'imag.raw' for input 'IN', which is not in the folder warmup/",
    fix: 'Use image.raw',
    leaves: 'input_data_file: "image.raw"',
  },
  {
    code: 'D60',
    text: warmup('key: "IN" value { data_type: TYPE_FP32 dims: 16 input_data_file: "imag.raw" }'),
    says: "reads file 'imag.raw'",
    fix: 'Use zeros for IN',
    leaves: 'zero_data: true',
  },
  {
    code: 'D60',
    text: warmup('key: "IN" value { data_type: TYPE_FP32 dims: 16 }'),
    says: "expects input 'IN' to have input_data_type set",
    fix: 'Set zero_data to true',
    leaves: 'zero_data: true',
  },
  {
    code: 'D60',
    text: warmup('key: "IN" value { data_type: TYPE_FP32 dims: [ -1 ] zero_data: true }'),
    says: 'all variable-size dimensions are specified',
    fix: 'Set dims to [ 1 ]',
    leaves: 'dims: [ 1 ]',
  },
  {
    code: 'D60',
    text: warmup('key: "INN" value { data_type: TYPE_FP32 dims: 16 zero_data: true }'),
    says: "names 'INN', which is no input of the model",
    fix: 'Rename to IN',
    leaves: 'key: "IN"',
  },
];

describe('each finding has its repair', () => {
  test.each(ROWS)('$code $says: $fix', checkRepair);
});

test('the CPU profile is the text with every GPU group on the CPU', () => {
  const text = batched('instance_group [ { kind: KIND_GPU gpus: 1 }, { kind: KIND_GPU } ]');
  const issue = languageFor()
    .answers.check('mlp', text)
    .find(({ code }) => code === 'D40');
  const fix = issue?.fixes.find(({ action }) => action === 'cpu-profile');
  const profile = applyTextEdits(text, fix?.edits ?? []);
  expect(profile.match(/KIND_CPU/g)).toHaveLength(2);
  expect(profile).not.toContain('gpus');
});

test('a setting that only production uses is said to be that, and nothing removes it', () => {
  const text = batched(
    'optimization { execution_accelerators { gpu_execution_accelerator { name: "tensorrt" } } }',
  );
  const issue = languageFor()
    .answers.check('mlp', text)
    .find(({ code }) => code === 'D70');
  expect(issue).toMatchObject({ severity: 'info', fixes: [] });
  expect(issue?.hint).toContain('Production only');
});

/** The codes of the editor's table with at least this many different repairs. */
test.each(Object.entries({ D30: 4, D31: 1, D35: 6, D40: 4, D41: 3, D45: 2, D60: 6 }))(
  '%s has %i repairs above',
  (code, count) => {
    expect(repairCount(ROWS, code)).toBeGreaterThanOrEqual(count);
  },
);
