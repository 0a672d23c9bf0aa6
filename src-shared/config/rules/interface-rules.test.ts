// A configuration against a model file, and an ensemble against its composing models: one row per condition.

import { describe, expect, test } from 'vitest';
import { completeAtPoll } from '../complete-model-config.ts';
import type { ComposingModel } from '../composing-model.ts';
import { firstError } from '../config-issue.ts';
import type { ModelConfig } from '../model-config.ts';
import { describeTensor, type ModelDescription } from '../model-description.ts';
import { parseModelConfig } from '../parse-model-config.ts';
import {
  checkEnsembleDependencies,
  checkEnsembleInterfaces,
  findEnsembleCycle,
} from './ensemble-interface-rules.ts';
import { isEnsembleDecoupled } from './ensemble-decoupled-rules.ts';
import { checkInterface } from './interface-rules.ts';

const parse = (text: string): ModelConfig => {
  const parsed = parseModelConfig(text);
  expect(parsed.issues).toEqual([]);
  return parsed.config;
};

const A = describeTensor('A', 'FP32', [-1, 3]);
const B = describeTensor('B', 'FP32', [-1, 3]);
const FILE: ModelDescription = { inputs: [A], outputs: [B] };
const IN = 'input { name: "A" data_type: TYPE_FP32 dims: 3 }';
const OUT = 'output { name: "B" data_type: TYPE_FP32 dims: 3 }';
const BATCH = `name: "m" max_batch_size: 8 ${IN} ${OUT}`;

const control = (name: string, body = 'int32_false_true: [ 0, 1 ]'): string =>
  `sequence_batching { control_input { name: "${name}" control { ${body} } } }`;
const withInputs = (...inputs: ModelDescription['inputs']): ModelDescription => ({ inputs, outputs: [B] });

describe('checkInterface', () => {
  test.each<[string, string, ModelDescription]>([
    ['a matching pair', BATCH, FILE],
    ['fewer outputs than the file has', BATCH, { ...FILE, outputs: [B, describeTensor('C', 'FP32', [1])] }],
    [
      'any size where the file is dynamic',
      'name: "m" input { name: "A" data_type: TYPE_FP32 dims: [ 5, 3 ] } output { name: "B" data_type: TYPE_FP32 dims: [ -1, 3 ] }',
      FILE,
    ],
    [
      'reshape in place of dims',
      `name: "m" max_batch_size: 8 input { name: "A" data_type: TYPE_FP32 dims: [ 1, 3 ] reshape { shape: 3 } } ${OUT}`,
      FILE,
    ],
    [
      'a scalar as one element',
      `name: "m" ${IN.replace('dims: 3', 'dims: 1')}`,
      { inputs: [describeTensor('A', 'FP32', [])], outputs: [] },
    ],
    [
      'an overridable initialiser as optional input',
      'name: "m" input { name: "W" data_type: TYPE_FP32 dims: 3 optional: true }',
      { inputs: [describeTensor('W', 'FP32', [3], { isOptional: true })], outputs: [] },
    ],
    [
      'a ragged input',
      `name: "m" max_batch_size: 8 ${IN.replace('}', 'allow_ragged_batch: true }')} ${OUT}`,
      withInputs(describeTensor('A', 'FP32', [-1])),
    ],
    ['a control', `${BATCH} ${control('S')}`, withInputs(A, describeTensor('S', 'INT32', [-1, 1]))],
    [
      'a state',
      `${BATCH} sequence_batching { state { input_name: "S" } }`,
      withInputs(A, describeTensor('S', 'FP32', [-1, 9])),
    ],
    [
      'a scattered output of another shape',
      `${BATCH.replace('dims: 3 }', 'dims: 3 }')} batch_output { target_name: "B" source_input: "A" }`,
      { inputs: [A], outputs: [describeTensor('B', 'FP32', [-1])] },
    ],
  ])('accepts %s', (_, text, description) => {
    expect(firstError(checkInterface(parse(text), description))).toBeUndefined();
  });

  test.each<[string, ModelDescription, string, string?]>([
    [
      `${BATCH} ${control('S')}`,
      FILE,
      "configuration specified sequence control 'S', but model does not provide that input",
      'INTERNAL',
    ],
    [
      `${BATCH} ${control('S')}`,
      withInputs(A, describeTensor('S', 'INT32', [-1, 2])),
      "unable to load model 'm', sequence control 'S' in model has dims [2] but dims [1] is expected",
    ],
    [
      `${BATCH} ${control('S')}`,
      withInputs(A, describeTensor('S', 'FP32', [-1, 1])),
      "unable to load model 'm', sequence control 'S', the model expects data-type FLOAT but the model configuration specifies data-type TYPE_INT32",
    ],
    [
      `${BATCH} sequence_batching { control_input [ { name: "S" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_STRING } ] } ] }`,
      withInputs(A, describeTensor('S', 'FP64', [-1, 1])),
      "unable to load model 'm', sequence control 'S', the model expects data-type DOUBLE but the model configuration specifies data-type TYPE_STRING",
    ],
    [
      BATCH,
      withInputs(A, describeTensor('Z', 'FP32', [-1])),
      "unable to load model 'm', configuration expects 1 inputs, model provides 2",
    ],
    [
      `${BATCH} input { name: "W" data_type: TYPE_FP32 dims: 3 optional: true }`,
      withInputs(A, describeTensor('W', 'FP32', [3], { isOptional: true })),
      "unable to load model 'm', optional input 'W' is not supported for models that support batching",
    ],
    [
      BATCH,
      withInputs(describeTensor('X', 'FP32', [-1, 3])),
      "unexpected inference input 'A', allowed inputs are: X",
    ],
    [
      BATCH,
      withInputs(describeTensor('A', 'INT64', [-1, 3])),
      "unable to load model 'm', configuration expects datatype TYPE_FP32 for input 'A', model provides TYPE_INT64",
    ],
    [
      BATCH,
      withInputs(describeTensor('A', undefined, [-1, 3])),
      "unable to load model 'm', configuration expects datatype TYPE_FP32 for input 'A', model provides TYPE_<invalid>",
    ],
    [
      `name: "m" ${IN.replace('}', 'allow_ragged_batch: true }')}`,
      withInputs(describeTensor('A', 'FP32', [-1, 3])),
      "unable to load model 'm', configuration expects model provides input with shape [-1]  for ragged input 'A', model provides [-1,3]",
    ],
    [
      `name: "m" ${IN.replace('}', 'allow_ragged_batch: true optional: true }')}`,
      withInputs(describeTensor('A', 'FP32', [-1], { isOptional: true })),
      "unable to load model 'm', configuration expects model provides input with shape [-1] for ragged input 'A', which is not supported for optional input",
    ],
    [
      BATCH,
      withInputs(describeTensor('A', 'FP32', [])),
      "model 'm', tensor 'A': for the model to support batching the shape should have at least 1 dimension and the first dimension must be -1; but shape expected by the model is []",
    ],
    [
      `name: "m" ${IN} ${OUT}`,
      withInputs(describeTensor('A', 'FP32', [4])),
      "model 'm', tensor 'A': the model expects 1 dimensions (shape [4]) but the model configuration specifies 1 dimensions (shape [3])",
    ],
    [
      `name: "m" ${IN.replace('dims: 3', 'dims: -1')} ${OUT}`,
      withInputs(describeTensor('A', 'FP32', [4])),
      "model 'm', tensor 'A': the model expects 1 dimensions (shape [4]) but the model configuration specifies 1 dimensions (shape [-1])",
    ],
    [
      `name: "m" ${IN}`,
      withInputs(describeTensor('A', 'FP32', [])),
      "unable to load model 'm', scalar tensor 'A', should only provide 1 in the model configuration when the model doesn't support batching. Model configuration provided: [3].",
    ],
    [
      BATCH.replace(OUT, OUT.replace('dims: 3', 'dims: 5')),
      { inputs: [A], outputs: [describeTensor('B', 'FP32', [-1, -1])] },
      "model 'm', tensor 'B': the model expects 2 dimensions (shape [-1,-1]) but the model configuration specifies 2 dimensions (an initial batch dimension because max_batch_size > 0 followed by the explicit tensor shape, making complete shape [-1,5])",
    ],
    [
      BATCH,
      { inputs: [A], outputs: [describeTensor('B', 'FP32', [], { kind: 'map' })] },
      "Unsupported ONNX Type 'ONNX_TYPE_MAP' for I/O 'B', expected 'ONNX_TYPE_TENSOR'.",
      'UNSUPPORTED',
    ],
  ])('refuses: case %#', (text, description, message, statusCode = 'INVALID_ARG') => {
    expect(firstError(checkInterface(parse(text), description))).toMatchObject({ message, statusCode });
  });

  test('an output that a file declares as dynamic may be written with its size', () => {
    const text = BATCH.replace(OUT, OUT.replace('dims: 3', 'dims: 5'));
    const described = { inputs: [A], outputs: [describeTensor('B', 'FP32', [-1, -1])], isDeclared: true };
    expect(firstError(checkInterface(parse(text), described))).toBeUndefined();
  });

  test('mentions a model that could batch', () => {
    const text =
      'name: "m" input { name: "A" data_type: TYPE_FP32 dims: [ -1, 3 ] } output { name: "B" data_type: TYPE_FP32 dims: [ -1, 3 ] }';
    expect(checkInterface(parse(text), FILE)).toMatchObject([{ code: 'D22', severity: 'info' }]);
  });
});

const MODEL =
  'max_batch_size: 4 input { name: "I" data_type: TYPE_FP32 dims: 3 } output { name: "O" data_type: TYPE_FP32 dims: 3 }';
const step = (model: string, from: string, to: string, more = ''): string =>
  `step { model_name: "${model}" model_version: -1 input_map { key: "I" value: "${from}" } output_map { key: "O" value: "${to}" } ${more} }`;
const ensemble = (steps: string, size = 2, dims = 3): ModelConfig =>
  completeAtPoll(
    parse(
      `platform: "ensemble" max_batch_size: ${size} input { name: "X" data_type: TYPE_FP32 dims: ${dims} } output { name: "Y" data_type: TYPE_FP32 dims: 3 } ensemble_scheduling { ${steps} }`,
    ),
    { directoryName: 'e' },
  ).config;

function repository(models: Readonly<Record<string, string | Partial<ComposingModel>>>) {
  return (name: string): ComposingModel | undefined => {
    const model = models[name];
    if (model === undefined) return undefined;
    if (typeof model !== 'string') return { config: undefined, readyVersions: [], ...model };
    return { config: parse(`name: "${name}" ${model}`), readyVersions: [1] };
  };
}

describe('ensembles against composing models', () => {
  test.each<[string, ModelConfig, Record<string, string | Partial<ComposingModel>>, string | undefined]>([
    ['accepts a chain', ensemble(step('a', 'X', 't') + step('a', 't', 'Y')), { a: MODEL }, undefined],
    [
      'names models that are not there',
      ensemble(step('b', 'X', 't') + step('a', 't', 'Y')),
      {},
      'ensemble e contains models that are not available or ambiguous: a, b',
    ],
    [
      'repeats why a model is not valid',
      ensemble(step('a', 'X', 'Y')),
      { a: { invalidReason: 'bad' } },
      "ensemble 'e' depends on 'a' which is not valid. Model 'a' failed with error: bad",
    ],
    [
      'repeats why a model did not load',
      ensemble(step('a', 'X', 'Y')),
      { a: { loadError: 'boom' } },
      "ensemble 'e' depends on 'a' which has no loaded version. Model 'a' loading failed with error: boom",
    ],
    [
      'asks for a loaded version',
      ensemble(step('a', 'X', 'Y')),
      { a: {} },
      "ensemble 'e' depends on 'a' which has no loaded version.",
    ],
    [
      'asks for the required version',
      ensemble(step('a', 'X', 'Y').replace('-1', '7')),
      { a: MODEL },
      "ensemble 'e' depends on 'a' whose required version 7 is not loaded.",
    ],
    [
      'compares batch sizes',
      ensemble(step('a', 'X', 'Y'), 8),
      { a: MODEL },
      'ensemble e allows maximum batch size 8, but it contains model a which only allows maximum batch size to be 4',
    ],
    [
      'names an unknown output',
      ensemble(step('a', 'X', 'Y').replace('"O"', '"P"')),
      { a: MODEL },
      'in ensemble e, ensemble tensor Y is mapped from non-existing output P in model a',
    ],
    [
      'compares shapes',
      ensemble(step('a', 'X', 'Y'), 2, 5),
      { a: MODEL },
      'in ensemble e, ensemble tensor X: inconsistent shape: [-1,5] is inferred from model e while [-1,3] is inferred from model a',
    ],
    [
      'lets an optional input be',
      ensemble(step('a', 'X', 'Y')),
      { a: `${MODEL} input { name: "J" optional: true }` },
      undefined,
    ],
  ])('%s', (_, config, models, message) => {
    const lookup = repository(models);
    const issues = [...checkEnsembleDependencies(config, lookup), ...checkEnsembleInterfaces(config, lookup)];
    expect(firstError(issues)?.message).toBe(message);
  });

  test('compares the batch size of a model once, however many steps run it', () => {
    const config = ensemble(step('a', 'X', 'm') + step('a', 'm', 'n') + step('b', 'n', 'Y'), 8);
    const messages = checkEnsembleInterfaces(config, repository({ a: MODEL, b: MODEL })).map(
      ({ message }) => message,
    );
    expect(messages.map((message) => /contains model (\w+)/.exec(message)?.[1])).toEqual(['a', 'b']);
  });

  test('finds a cycle over several ensembles', () => {
    const e = ensemble(step('f', 'X', 'Y'));
    const f = { ...ensemble(step('e', 'X', 'Y')), name: 'f' };
    const lookup = (name: string): ComposingModel | undefined =>
      name === 'f' ? { config: f, readyVersions: [] } : undefined;
    expect(findEnsembleCycle(e, lookup)).toBe('circular dependency between ensembles: e -> ... -> f -> e');
  });

  test('is decoupled exactly when a step is, and refuses outputs of different decoupled steps', () => {
    const decoupled = `${MODEL} model_transaction_policy { decoupled: true }`;
    const lookup = repository({ a: MODEL, d: decoupled });
    const configOf = (name: string): ModelConfig | undefined => lookup(name)?.config;
    const chain = ensemble(step('d', 'X', 't') + step('a', 't', 'Y'));
    expect(isEnsembleDecoupled(chain, configOf)).toBe(true);
    expect(isEnsembleDecoupled(ensemble(step('a', 'X', 'Y')), configOf)).toBe(false);
    expect(checkEnsembleInterfaces(chain, lookup)).toEqual([]);
    const second = { ...chain, output: [...chain.output, { ...chain.output[0]!, name: 'Z' }] };
    const steps = ensemble(step('d', 'X', 'Y') + step('d', 'X', 'Z')).ensembleScheduling;
    expect(checkEnsembleInterfaces({ ...second, ensembleScheduling: steps }, lookup)[0]?.message).toContain(
      'originated from different decoupled models',
    );
  });
});
