import { describe, expect, test } from 'vitest';

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import type { EnsembleDraft } from './ensemble-draft.ts';
import { ensembleDraft } from './ensemble-draft.ts';

type Ports = Readonly<Record<string, readonly [type: string, ...dims: number[]]>>;

function config(maxBatchSize: number, inputs: Ports, outputs: Ports, optional = ''): ModelConfig {
  const tensors = (field: string, ports: Ports): string =>
    Object.entries(ports)
      .map(([name, [type, ...dims]]) => {
        const more = name === optional ? ' optional: true' : '';
        return `${field} { name: "${name}" data_type: TYPE_${type} dims: [${dims.join()}]${more} }\n`;
      })
      .join('');
  const text = `max_batch_size: ${maxBatchSize}\n${tensors('input', inputs)}${tensors('output', outputs)}`;
  return parseModelConfig(text).config;
}

function draft(...steps: readonly (readonly [string, ModelConfig])[]): EnsembleDraft & {
  readonly config: ModelConfig;
} {
  const made = ensembleDraft(
    'all',
    steps.map(([name, of]) => ({ name, config: of })),
  );
  const parsed = parseModelConfig(made.text);
  expect(parsed.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  return { ...made, config: parsed.config };
}

const maps = ({ config: of }: { readonly config: ModelConfig }): unknown =>
  of.ensembleScheduling?.step.map(({ modelName, inputMap, outputMap }) => [modelName, inputMap, outputMap]);

const decode = config(8, { BYTES_IN: ['STRING', 1] }, { PIXELS: ['FP32', 3, 224, 224] });
const classify = config(4, { data: ['FP32', 3, -1, -1] }, { prob: ['FP32', 1000] });
const label = config(16, { SCORES: ['FP32', 1000] }, { LABEL: ['STRING', 1] });

describe('a draft of an ensemble', () => {
  test('connects steps by type and shape, and batches as the smallest of them', () => {
    const made = draft(['decode', decode], ['classify', classify], ['label', label]);
    expect(maps(made)).toEqual([
      ['decode', { BYTES_IN: 'BYTES_IN' }, { PIXELS: 'PIXELS' }],
      ['classify', { data: 'PIXELS' }, { prob: 'prob' }],
      ['label', { SCORES: 'prob' }, { LABEL: 'LABEL' }],
    ]);
    expect(made).toMatchObject({ connectionCount: 2, inputs: ['BYTES_IN'], outputs: ['LABEL'] });
    expect(made.config).toMatchObject({ name: 'all', platform: 'ensemble', maxBatchSize: 4 });
    expect(made.config.input[0]).toMatchObject({ dataType: 'TYPE_STRING', dims: [1] });
  });

  test('takes the output of the same name first, also one that is read already', () => {
    const two = config(0, { A: ['FP32', 4] }, { X: ['FP32', 4], Y: ['FP32', 4] });
    const reads = config(0, { X: ['FP32', 4], OTHER: ['FP32', 4] }, { Z: ['FP32', 4] });
    const again = config(0, { X: ['FP32', 4] }, { W: ['FP32', 4] });
    const made = draft(['two', two], ['reads', reads], ['again', again]);
    expect(maps(made)).toEqual([
      ['two', { A: 'A' }, { X: 'X', Y: 'Y' }],
      ['reads', { X: 'X', OTHER: 'Y' }, { Z: 'Z' }],
      ['again', { X: 'X' }, { W: 'W' }],
    ]);
    expect(made.outputs).toEqual(['Z', 'W']);
  });

  test('makes inputs of what finds no output, one for all that ask for the same, and names no tensor twice', () => {
    const one = config(0, { INPUT: ['INT32', 2] }, { OUTPUT: ['FP32', 2] });
    const other = config(0, { INPUT: ['INT32', 2] }, { OUTPUT: ['FP32', 2] });
    const third = config(0, { INPUT: ['STRING', 2] }, { OUTPUT: ['INT8', 2] });
    const made = draft(['one', one], ['other', other], ['third', third]);
    expect(maps(made)).toEqual([
      ['one', { INPUT: 'INPUT' }, { OUTPUT: 'OUTPUT' }],
      ['other', { INPUT: 'INPUT' }, { OUTPUT: 'other_OUTPUT' }],
      ['third', { INPUT: 'third_INPUT' }, { OUTPUT: 'third_OUTPUT' }],
    ]);
    expect(made).toMatchObject({ connectionCount: 0, inputs: ['INPUT', 'third_INPUT'] });
  });

  test('the same model twice is two steps', () => {
    const same = config(0, { X: ['FP32', 4] }, { Y: ['FP32', 4] });
    expect(maps(draft(['same', same], ['same', same]))).toEqual([
      ['same', { X: 'X' }, { Y: 'Y' }],
      ['same', { X: 'Y' }, { Y: 'same_Y' }],
    ]);
  });

  test('shows the batch dimension of a step where not all steps batch', () => {
    const whole = config(0, { all: ['FP32', -1, 1000] }, { best: ['INT64', -1] });
    const made = draft(['classify', classify], ['whole', whole]);
    expect(made.config).toMatchObject({ maxBatchSize: 0 });
    expect(made.config.input[0]).toMatchObject({ name: 'data', dims: [-1, 3, -1, -1] });
    expect(maps(made)).toEqual([
      ['classify', { data: 'data' }, { prob: 'prob' }],
      ['whole', { all: 'prob' }, { best: 'best' }],
    ]);
  });

  test('leaves optional inputs alone, and writes names as they are', () => {
    const asks = config(0, { 'a b': ['FP32', 1], seed: ['INT64', 1] }, { 'say-x': ['FP32', 1] }, 'seed');
    const made = draft(['asks', asks]);
    expect(maps(made)).toEqual([['asks', { 'a b': 'a b' }, { 'say-x': 'say-x' }]]);
  });
});
