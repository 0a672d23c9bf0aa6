// TorchScript models that are refused when they are loaded.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needsPython, testPython } from '../../src-main/testing/test-python.ts';
import { FrameworkWorld, tensor } from './framework-world.ts';
import { config, FP32, pair, vectors } from './torch-config.ts';

describe.skipIf(testPython('torch') === undefined)(needsPython('pytorch', 'torch'), () => {
  let world: FrameworkWorld;
  beforeAll(async () => {
    world = await FrameworkWorld.create('torch_models.py', 'torch', 'pytorch');
  }, 120_000);
  afterAll(() => world[Symbol.asyncDispose]());

  it.each([
    ['row 11', 'AddSub', pair(['A', 'B', 'C'], ['O']), 'configuration expects 3 inputs, model provides 2'],
    ['row 12', 'AddSub', pair([], ['O']), 'configuration expects 0 inputs, model provides 2'],
    [
      'row 13',
      'AddSub',
      pair(['A', 'B'], []),
      'model configuration must contain at least one output, none were specified',
    ],
    [
      'row 14 in',
      'AddSub',
      config({
        inputs: [tensor('INPUT0', 'TYPE_UINT32', '2'), tensor('INPUT1', FP32, '2')],
        outputs: vectors('O'),
      }),
      "unsupported datatype TYPE_UINT32 for input 'INPUT0' for model 'refused'",
    ],
    [
      'row 14 out',
      'AddSub',
      config({ inputs: vectors('INPUT0', 'INPUT1'), outputs: [tensor('O', 'TYPE_UINT64', '2')] }),
      "unsupported datatype TYPE_UINT64 for output 'O' for model 'refused'",
    ],
    [
      'row 15',
      'AddSub',
      pair(
        ['INPUT__0'],
        ['O'],
        'sequence_batching { control_input [ { name: "CORRID__1" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT32 } ] } ] }',
      ),
      "input 'CORRID__1' type 'TYPE_UINT32' is not supported by PyTorch.",
    ],
    [
      'row 16',
      'AddSub',
      pair(
        ['INPUT__0'],
        ['O'],
        'sequence_batching { control_input [ { name: "START" control [ { kind: CONTROL_SEQUENCE_START fp32_false_true: [ 0, 1 ] } ] } ] }',
      ),
      "input 'START' does not follow <name>__<index> naming convention.",
    ],
    ['row 17', 'Number', pair(['A', 'B'], ['O']), "An input of type 'int' was detected in the model."],
    ['row 18', 'LateDict', pair(['A', 'B'], ['O']), 'Multiple inputs of kind DictType were detected.'],
    [
      'row 26',
      'Echo',
      config({ inputs: [tensor('T', 'TYPE_STRING', '1')], outputs: [tensor('O', 'TYPE_STRING', '1')] }),
      "Triton only supports 1 dimensional List of String as input for 'T' for model 'refused'",
    ],
    [
      'row 28 broken',
      'Broken',
      pair(['A'], ['O']),
      "failed to load model 'refused': PytorchStreamReader failed",
    ],
    [
      'row 28 eager',
      'Eager',
      pair(['A'], ['O']),
      "failed to load model 'refused': PytorchStreamReader failed",
    ],
    [
      'row 30',
      'AddSub',
      pair(
        ['A', 'B'],
        ['O'],
        'parameters { key: "DISABLE_OPTIMIZED_EXECUTION" value { string_value: "maybe" } }',
      ),
      "failed to convert 'maybe' to boolean",
    ],
    [
      'row 35 name',
      'Accumulate',
      pair(
        ['INPUT__0'],
        ['OUTPUT__0'],
        'sequence_batching { state [ { input_name: "state" output_name: "OUTPUT__1" data_type: TYPE_FP32 dims: [ 2 ] } ] }',
      ),
      "PyTorch model 'refused' is using sequence batching with state but state 'state' does not follow the <name>__<index> naming convention. ",
    ],
  ])('%s', async (_row, made, text, refusal) => {
    expect(await world.load('refused', { made: `${made}/model.pt`, config: text })).toContain(refusal);
  });

  it('row 1: optional inputs', async () => {
    const text = config({
      inputs: [tensor('A', FP32, '2', 'optional: true'), tensor('B', FP32, '2')],
      outputs: vectors('O'),
    });
    expect(await world.load('optional', { made: 'AddSub/model.pt', config: text })).toContain(
      "'optional' is set to true for input 'A' while the backend model doesn't support optional input",
    );
  });

  it('a missing file is named', async () => {
    expect(await world.load('nothing', { config: pair(['A'], ['O']) })).toMatch(
      /unable to find '.*\/nothing\/1\/model\.pt' for model instance 'nothing'/,
    );
  });
});
