import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completionsAt } from './editor-completion.ts';
import type { EditorFacts } from './editor-facts.ts';
import {
  ensembleTensorAt,
  formatEdits,
  hoverAt,
  outlineOf,
  renameTensorEdits,
  stepModelAt,
} from './editor-support.ts';
import { SOME_BACKENDS } from '../testing/some-backends.ts';
import { describeTensor } from './model-description.ts';
import { applyTextEdits } from './text-format/ast.ts';
import { parseText } from './text-format/parser.ts';

const FACTS: EditorFacts = {
  description: {
    inputs: [describeTensor('data_0', 'FP32', [1, 3])],
    outputs: [describeTensor('fc6_1', 'FP32', [1])],
  },
  models: [{ name: 'resnet', inputs: ['image'], outputs: ['scores'] }],
  backends: SOME_BACKENDS,
};

/** Labels offered at `|`. */
function labelsAt(marked: string): string[] {
  const offset = marked.indexOf('|');
  return completionsAt(parseText(marked.replace('|', '')), offset, FACTS).map((item) => item.label);
}

describe('completionsAt', () => {
  test.each<[string, string[], string[]]>([
    ['|', ['name', 'max_batch_size', 'dynamic batching'], ['preferred_batch_size']],
    ['name: "m"\n|', ['backend'], ['name']],
    ['max_b|', ['max_batch_size'], []],
    ['dynamic_batching { }\n|', ['input'], ['dynamic_batching', 'sequence_batching', 'dynamic batching']],
    ['dynamic_batching { | }', ['preferred_batch_size'], ['name', 'input']],
    ['input [ { name: "A" | } ]', ['data_type', 'dims'], ['name']],
    ['input { data_type: | }', ['TYPE_FP32', 'TYPE_STRING'], ['name']],
    ['input { data_type: TY|PE }', ['TYPE_FP32'], []],
    ['input { optional: | }', ['true', 'false'], []],
    ['input { name: "|" }', ['data_0'], ['fc6_1']],
    ['output { name: | }', ['fc6_1'], ['data_0']],
    ['instance_group [ { kind: | } ]', ['KIND_CPU'], []],
    ['backend: "|"', ['onnxruntime', 'python'], []],
    ['platform: "|"', ['onnxruntime_onnx', 'ensemble'], []],
    ['backend: "python" default_model_filename: "|"', ['model.py'], ['model.onnx']],
    ['backend: "python" parameters { key: "|" }', [], ['intra_op_thread_count']],
    ['platform: "onnxruntime_onnx" default_model_filename: "|"', ['model.onnx'], ['model.py']],
    ['parameters { key: "|" }', ['intra_op_thread_count'], []],
    ['parameters { key: "a" value { | } }', ['string_value'], ['key']],
    ['parameters { | }', ['key', 'value'], ['name']],
    ['ensemble_scheduling { step { model_name: "|" } }', ['resnet'], []],
    ['ensemble_scheduling { step { model_name: "resnet" input_map { key: "|" } } }', ['image'], ['scores']],
    [
      'ensemble_scheduling { step { model_name: "resnet" output_map { key: "scores" value: "|" } } }\noutput { name: "y" }',
      ['y'],
      [],
    ],
    ['batch_output { source_input: "|" }\ninput { name: "A" }', ['A'], []],
    ['batch_input { source_input: [ "|" ] }\ninput { name: "A" }', ['A'], []],
  ])('%s', (marked, offered, absent) => {
    const labels = labelsAt(marked);
    expect(labels).toEqual(expect.arrayContaining(offered));
    for (const label of absent) expect(labels).not.toContain(label);
  });

  test('offers nothing inside a comment, and replaces the word at the cursor', () => {
    expect(labelsAt('# na|')).toEqual([]);
    const tree = parseText('max_bat: 8');
    const item = completionsAt(tree, 4, FACTS).find((each) => each.label === 'max_batch_size');
    expect(item?.replace).toEqual({ startOffset: 0, endOffset: 7 });
  });

  test('is total: any offset of any text has an answer, and so has hovering', () => {
    const pieces = fc.constantFrom(
      'input',
      '{',
      '}',
      '[',
      ']',
      ':',
      ' ',
      '"',
      '\n',
      'name',
      'dims',
      'parameters { key: "a" value {',
      '1',
      ',',
      '#',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), fc.nat(), (parts, at) => {
        const text = parts.join('');
        const tree = parseText(text);
        const offset = text.length === 0 ? 0 : at % (text.length + 1);
        for (const { replace } of completionsAt(tree, offset, FACTS)) {
          expect(replace.startOffset).toBeLessThanOrEqual(offset);
          expect(replace.endOffset).toBeGreaterThanOrEqual(offset);
        }
        hoverAt(tree, offset);
        outlineOf(tree);
      }),
      { numRuns: 400 },
    );
  });
});

describe('hoverAt', () => {
  const tree = parseText(
    'dynamic_batching { max_queue_delay_microseconds: 100 } input { data_type: TYPE_FP32 nope: 1 }',
  );

  test('explains a field with unit, default and effect', () => {
    const hover = hoverAt(tree, tree.text.indexOf('delay'));
    expect(hover?.title).toBe('max_queue_delay_microseconds: uint64');
    expect(hover?.path).toBe('dynamic_batching.max_queue_delay_microseconds');
    expect(hover?.facts.map((fact) => fact.label)).toEqual(['Unit', 'Default', 'Effect', 'Example']);
  });

  test('explains a value of an enumeration, and nothing that it does not know', () => {
    expect(hoverAt(tree, tree.text.indexOf('FP32'))?.title).toBe('TYPE_FP32 = 11');
    expect(hoverAt(tree, tree.text.indexOf('nope'))).toBeUndefined();
    expect(hoverAt(tree, tree.text.indexOf('100'))).toBeUndefined();
  });
});

describe('layout, outline and names', () => {
  const ENSEMBLE = `input { name: "x" }
output { name: "y" }
ensemble_scheduling {
  step { model_name: "resnet" input_map { key: "image" value: "x" } output_map { key: "scores" value: "t" } }
  step { model_name: "top" input_map { key: "x" value: "t" } output_map { key: "o" value: "y" } }
}
`;

  test('one edit lays the document out; none when there is nothing to do', () => {
    const tree = parseText('name:"m"');
    expect(applyTextEdits(tree.text, formatEdits(tree))).toBe('name: "m"\n');
    expect(formatEdits(parseText('name: "m"\n'))).toEqual([]);
    expect(formatEdits(parseText('name: '))).toEqual([]);
  });

  test('the outline names blocks by what they describe', () => {
    const outline = outlineOf(parseText(ENSEMBLE));
    expect(outline.map(({ name, detail }) => [name, detail])).toEqual([
      ['input', 'x'],
      ['output', 'y'],
      ['ensemble_scheduling', ''],
    ]);
    expect(outline[2]?.children.map(({ detail }) => detail)).toEqual(['resnet', 'top']);
  });

  test('renames an ensemble tensor everywhere, and only there', () => {
    const tree = parseText(ENSEMBLE);
    const offset = ENSEMBLE.indexOf('"x"');
    expect(ensembleTensorAt(tree, offset)?.spans).toHaveLength(2);
    const renamed = applyTextEdits(ENSEMBLE, renameTensorEdits(tree, offset, 'z'));
    expect(renamed).toContain('name: "z"');
    expect(renamed).toContain('key: "image" value: "z"');
    expect(renamed).toContain('key: "x" value: "t"');
    expect(renameTensorEdits(tree, ENSEMBLE.indexOf('key: "x"') + 6, 'z')).toEqual([]);
  });

  test('finds the model that a step calls', () => {
    const tree = parseText(ENSEMBLE);
    expect(stepModelAt(tree, ENSEMBLE.indexOf('resnet'))).toBe('resnet');
    expect(stepModelAt(tree, 0)).toBeUndefined();
  });
});
