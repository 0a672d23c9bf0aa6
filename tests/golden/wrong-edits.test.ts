// Six configurations as they stand in Triton's quick start, made here, edited in fifty wrong ways: each gives one precise message at the right line, and
// where a repair is offered, applying it settles that message.

import { describe, expect, test } from 'vitest';
import { checkConfigText, type CheckFacts } from '../../src-shared/config/check-config.ts';
import { firstError } from '../../src-shared/config/config-issue.ts';
import { applyTextEdits } from '../../src-shared/config/text-format/ast.ts';
import { configText, describeModelFile } from './golden-cases.ts';
import { fixture } from '../../src-main/testing/fixtures.ts';

const MODELS = [
  'image_classifier',
  'simple',
  'simple_int8',
  'simple_string',
  'simple_sequence',
  'simple_dyna_sequence',
];

async function factsOf(model: string): Promise<CheckFacts> {
  return {
    directoryName: model,
    entries: [{ name: 'model.onnx', isDirectory: false }],
    availableVersions: [1],
    description: await describeModelFile(fixture(`models/${model}`)),
  };
}

/** Model, text to find, what to put in its place, code, message. */
type Row = readonly [string, string, string, string, string];

const ROWS: readonly Row[] = [
  // Text that cannot be read
  ['simple', 'max_batch_size: 8', 'max_batch_size = 8', 'D01', 'Expected ":", found "=".'],
  ['simple', 'max_batch_size: 8', 'max_batch_size 8', 'D01', 'Expected ":", found "8".'],
  ['simple', 'max_batch_size: 8', 'max_batch_size:', 'D01', 'Expected integer, got: input'],
  ['simple', 'name: "simple"', 'name: "simple', 'D01', 'String literals cannot cross line boundaries.'],
  ['simple', 'name: "simple"', 'name: simple', 'D03', 'Expected string, got: simple'],
  ['image_classifier', '[ 3, 32, 32 ]', '[ 3 32, 32 ]', 'D01', 'Expected ",", found "32".'],
  ['image_classifier', '[ 3, 32, 32 ]', '[ 3, 32, 32, ]', 'D01', 'Expected integer, got: ]'],
  ['image_classifier', '[ 3, 32, 32 ]', '[ 3, 32, 32', 'D01', 'Expected ",", found "reshape".'],
  ['image_classifier', '{ shape: [ 1, 3, 32, 32 ] }', '{ shape: [ 1, 3, 32, 32 ] >', 'D01', 'Expected "}", found ">".'],
  ['simple_sequence', 'kind: KIND_CPU', 'kind: KIND_CPU }', 'D01', 'Expected ",", found "}".'],
  // Fields and values that do not exist
  ['simple', 'max_batch_size', 'max_batch_sise', 'D02', 'Message type "inference.ModelConfig" has no field named "max_batch_sise".'],
  ['simple', 'platform', 'plattform', 'D02', 'Message type "inference.ModelConfig" has no field named "plattform".'],
  ['image_classifier', 'label_filename', 'labels', 'D02', 'Message type "inference.ModelOutput" has no field named "labels".'],
  ['simple_dyna_sequence', 'max_queue_delay_microseconds', 'max_queue_delay', 'D02', 'Message type "inference.ModelSequenceBatching.StrategyOldest" has no field named "max_queue_delay".'],
  ['simple_dyna_sequence', 'instance_group [', 'parameters { key: "delay" value { value: "3" } } instance_group [', 'D02', 'Message type "inference.ModelParameter" has no field named "value".'],
  ['simple_sequence', 'control_input', 'controls', 'D02', 'Message type "inference.ModelSequenceBatching" has no field named "controls".'],
  ['simple', 'TYPE_INT32', 'INT32', 'D03', 'Unknown enumeration value of "INT32" for field "data_type".'],
  ['image_classifier', 'TYPE_FP32', 'TYPE_FLOAT32', 'D03', 'Unknown enumeration value of "TYPE_FLOAT32" for field "data_type".'],
  ['image_classifier', 'FORMAT_NCHW', 'NCHW', 'D03', 'Unknown enumeration value of "NCHW" for field "format".'],
  ['simple_sequence', 'KIND_CPU', '"KIND_CPU"', 'D03', 'Expected integer or identifier, got: "KIND_CPU"'],
  ['simple_dyna_sequence', 'count: 2', 'count: "2"', 'D03', 'Expected integer, got: "2"'],
  ['simple_dyna_sequence', 'count: 2', 'count: 9999999999', 'D03', 'Integer out of range (9999999999)'],
  ['simple_dyna_sequence', 'max_queue_delay_microseconds: 10000', 'max_queue_delay_microseconds: -1', 'D03', 'Expected integer, got: -'],
  ['simple', 'max_batch_size: 8', 'max_batch_size: [ 8 ]', 'D01', 'Expected integer, got: ['],
  ['simple', 'max_batch_size: 8', 'max_batch_size: 8 max_batch_size: 4', 'D04', 'Non-repeated field "max_batch_size" is specified multiple times.'],
  ['simple_sequence', 'max_batch_size: 8', 'max_batch_size: 8 dynamic_batching { }', 'D30', 'Field "sequence_batching" is specified along with field "dynamic_batching", another member of oneof "scheduling_choice".'],
  // Settings that do not fit together
  ['simple', 'name: "simple"', 'name: "sample"', 'D05', "unexpected directory name 'simple' for model 'sample', directory name must equal model name"],
  ['simple', '"onnxruntime_onnx"', '"onnxruntim"', 'D06', "unexpected platform type 'onnxruntim' for simple"],
  ['simple', '"onnxruntime_onnx"', '"onnxruntime_onnx" backend: "tensorrt"', 'D06', "unexpected 'platform' and 'backend' pair, got:onnxruntime_onnx, tensorrt"],
  ['simple', '"onnxruntime_onnx"', '"ensemble"', 'D50', 'ensemble scheduling must be set for ensemble simple whose platform is ensemble'],
  ['simple', 'max_batch_size: 8', 'max_batch_size: -1', 'D07', "'max_batch_size' must be non-negative value for simple"],
  ['simple', 'max_batch_size: 8', 'max_batch_size: 8 dynamic_batching { preferred_batch_size: [ 16 ] }', 'D30', 'dynamic batching preferred size must be <= max batch size for simple'],
  ['simple', 'max_batch_size: 8', 'max_batch_size: 8 version_policy { specific { versions: [ 7 ] } }', 'D45', "at least one version must be available under the version policy of model 'simple'"],
  ['simple', 'max_batch_size: 8', 'max_batch_size: 8 instance_group { kind: KIND_CPU gpus: 0 }', 'D40', 'instance group simple_0 of model simple has kind KIND_CPU but specifies one or more GPUs'],
  ['simple_sequence', 'max_batch_size: 8', 'max_batch_size: 8 response_cache { enable: true }', 'D65', 'Response Cache does not currently support model simple_sequence with sequence batching scheduler. Please disable the response cache.'],
  ['simple_sequence', 'int32_false_true: [ 0, 1 ]', 'int32_false_true: [ 0 ]', 'D35', "sequence batching control 'int32_false_true' must have exactly 2 entries for CONTROL_SEQUENCE_START for simple_sequence"],
  ['simple_sequence', 'int32_false_true: [ 0, 1 ]', '', 'D35', "sequence batching must specify either 'int32_false_true', 'fp32_false_true' or 'bool_false_true' for CONTROL_SEQUENCE_START for simple_sequence"],
  ['simple_sequence', 'CONTROL_SEQUENCE_READY', 'CONTROL_SEQUENCE_START', 'D35', 'sequence batching specifies multiple CONTROL_SEQUENCE_START tensors for simple_sequence'],
  ['simple_sequence', '"READY"', '"START"', 'D35', "sequence batching control tensor 'START' is specified for multiple control kinds for simple_sequence"],
  ['simple_dyna_sequence', 'data_type: TYPE_UINT64', 'data_type: TYPE_FP32', 'D35', 'unexpected data type for control CONTROL_SEQUENCE_CORRID for simple_dyna_sequence. Allowed data types are TYPE_UINT64, TYPE_INT64, TYPE_UINT32, TYPE_INT32 and TYPE_STRING'],
  ['image_classifier', 'dims: [ 3, 32, 32 ]', 'dims: [ 3, 0, 32 ]', 'D25', "model input 'pixels' dimension must be integer >= 1, or -1 to indicate a variable-size dimension for image_classifier"],
  ['image_classifier', 'shape: [ 1, 3, 32, 32 ]', 'shape: [ 1, 3, 32 ]', 'D24', "model input 'pixels' has different size for dims and reshape for image_classifier"],
  ['image_classifier', 'dims: [ 3, 32, 32 ]', 'dims: [ 1, 3, 32, 32 ]', 'D25', 'model input NHWC/NCHW require 3 dims for image_classifier'],
  // Settings that do not fit the model file
  ['simple', '"INPUT0"', '"INPUT2"', 'D10', "unexpected inference input 'INPUT2', allowed inputs are: INPUT0, INPUT1"],
  ['simple', '"OUTPUT1"', '"OUTPUT_1"', 'D10', "unexpected inference output 'OUTPUT_1', allowed outputs are: OUTPUT0, OUTPUT1"],
  ['simple_int8', 'TYPE_INT8', 'TYPE_INT32', 'D11', "unable to load model 'simple_int8', configuration expects datatype TYPE_INT32 for input 'INPUT0', model provides TYPE_INT8"],
  ['simple_string', 'TYPE_STRING', 'TYPE_FP32', 'D11', "unable to load model 'simple_string', configuration expects datatype TYPE_FP32 for input 'INPUT0', model provides TYPE_BYTES"],
  ['simple', '[ 16 ]', '[ 32 ]', 'D23', "model 'simple', tensor 'INPUT0': the model expects 2 dimensions (shape [-1,16]) but the model configuration specifies 2 dimensions (an initial batch dimension because max_batch_size > 0 followed by the explicit tensor shape, making complete shape [-1,32])"],
  ['simple', '[ 16 ]', '[ -1, 16 ]', 'D21', "model 'simple', tensor 'INPUT0': the model expects 2 dimensions (shape [-1,16]) but the model configuration specifies 3 dimensions (an initial batch dimension because max_batch_size > 0 followed by the explicit tensor shape, making complete shape [-1,-1,16])"],
  ['simple', 'max_batch_size: 8', 'max_batch_size: 0', 'D23', "model 'simple', tensor 'INPUT0': the model expects 2 dimensions (shape [-1,16]) but the model configuration specifies 1 dimensions (shape [16])"],
  ['image_classifier', 'max_batch_size: 0', 'max_batch_size: 8', 'D20', "model 'image_classifier', tensor 'pixels': for the model to support batching the shape should have at least 1 dimension and the first dimension must be -1; but shape expected by the model is [1,3,32,32]"],
  ['simple_dyna_sequence', 'name: "CORRID"', 'name: "CORR_ID"', 'D35', "configuration specified sequence control 'CORR_ID', but model does not provide that input"],
];

/** Rows whose message belongs to a later or wider place than the edit: the line is not asserted. */
const ELSEWHERE = new Set(['D20', 'D50']);

describe('quick-start configurations', () => {
  test.each(MODELS)('%s is fine as it is', async (model) => {
    const facts = await factsOf(model);
    expect(facts.description).toBeDefined();
    const { issues } = checkConfigText(configText(fixture(`models/${model}`)), facts);
    expect(issues).toEqual([]);
  });

  test('there are at least fifty wrong edits', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(50);
  });

  test.each(ROWS)('%s: %s -> %s', async (model, find, replacement, code, message) => {
    const facts = await factsOf(model);
    const original = configText(fixture(`models/${model}`));
    expect(original).toContain(find);
    const text = original.replace(find, replacement);
    const { issues } = checkConfigText(text, facts);
    const error = firstError(issues);
    expect(error?.message).toBe(message);
    expect(error?.code).toBe(code);
    expect(error?.hint).not.toBe('');
    const editedLine = original.slice(0, original.indexOf(find)).split('\n').length;
    expect(error?.span).toBeDefined();
    if (!ELSEWHERE.has(code)) {
      expect(Math.abs((error?.span?.line ?? 0) - editedLine)).toBeLessThanOrEqual(message.includes('control') ? 12 : 5);
    }
    // A fix that acts on folders or runs the model leaves the text to say what it says.
    for (const fix of error?.fixes.filter(({ action }) => action === undefined) ?? []) {
      const repaired = checkConfigText(applyTextEdits(text, fix.edits), facts);
      expect(repaired.issues.map((issue) => issue.message), fix.title).not.toContain(message);
    }
  });
});
