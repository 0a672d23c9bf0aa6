import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editConfigValue } from './config-edit.ts';
import { parseModelConfig } from './parse-model-config.ts';
import { applyTextEdits } from './text-format/ast.ts';
import { parseText } from './text-format/parser.ts';

const edit = (text: string, path: string, value: unknown): string =>
  applyTextEdits(text, editConfigValue(parseText(text), path, value));

const SAMPLE = `# my model
name: "m"
max_batch_size: 8 # batches
input [
  {
    name: "A" # first
    dims: [ 3, 4 ]
  }
]
dynamic_batching { }
parameters { key: "k" value { string_value: "v" } }
`;

describe('editConfigValue', () => {
  test.each<[string, unknown, string, string]>([
    ['max_batch_size', 16, 'max_batch_size: 8 #', 'max_batch_size: 16 #'],
    ['name', undefined, '# my model\nname: "m"\n', '# my model\n'],
    ['input[0].dims', [1], 'dims: [ 3, 4 ]', 'dims: [ 1 ]'],
    ['input[0].dims[1]', -1, '[ 3, 4 ]', '[ 3, -1 ]'],
    ['input[0].dims[0]', undefined, '[ 3, 4 ]', '[ 4 ]'],
    ['input[0].dims[1]', undefined, '[ 3, 4 ]', '[ 3 ]'],
    ['input[0].dims[2]', 5, '[ 3, 4 ]', '[ 3, 4, 5 ]'],
    ['input[0].data_type', 'TYPE_FP32', '"A" # first\n', '"A" # first\n    data_type: TYPE_FP32\n'],
    ['dynamic_batching', undefined, 'dynamic_batching { }\n', ''],
    [
      'dynamic_batching.max_queue_delay_microseconds',
      100n,
      'dynamic_batching { }',
      'dynamic_batching { max_queue_delay_microseconds: 100 }',
    ],
    ['parameters["k"].string_value', 'w', '"v"', '"w"'],
    ['backend', 'onnxruntime', 'name: "m"\n', 'name: "m"\nbackend: "onnxruntime"\n'],
    [
      'instance_group[0].count',
      2,
      'dynamic_batching { }\n',
      'dynamic_batching { }\ninstance_group [\n  {\n    count: 2\n  }\n]\n',
    ],
    [
      'input[1].name',
      'B',
      '    dims: [ 3, 4 ]\n  }\n',
      '    dims: [ 3, 4 ]\n  },\n  {\n    name: "B"\n  }\n',
    ],
    ['version_policy.all', {}, 'name: "m"\n', 'name: "m"\nversion_policy {\n  all { }\n}\n'],
    [
      'parameters["x"].string_value',
      'y',
      'string_value: "v" } }\n',
      'string_value: "v" } }\nparameters {\n  key: "x"\n  value {\n    string_value: "y"\n  }\n}\n',
    ],
  ])('%s: case %#', (path, value, before, after) => {
    expect(SAMPLE).toContain(before);
    expect(edit(SAMPLE, path, value)).toBe(SAMPLE.replace(before, after));
  });

  test('an empty document takes its first field', () => {
    expect(edit('', 'max_batch_size', 4)).toBe('max_batch_size: 4\n');
    expect(edit('# only a comment\n', 'name', 'm')).toBe('# only a comment\nname: "m"\n');
  });

  test('a field in front of all others goes to the top', () => {
    expect(edit('max_batch_size: 8', 'name', 'm')).toBe('name: "m"\nmax_batch_size: 8');
  });

  test('repeated fields in long form are replaced together', () => {
    expect(edit('input {\n  dims: 1\n  dims: 2\n}\n', 'input[0].dims', [7])).toBe(
      'input {\n  dims: [ 7 ]\n}\n',
    );
  });

  test('does nothing for a path that names no field or is not there', () => {
    expect(editConfigValue(parseText(SAMPLE), 'no_such_field', 1)).toEqual([]);
    expect(editConfigValue(parseText(SAMPLE), 'runtime', undefined)).toEqual([]);
  });

  const target = fc.constantFrom<[string, unknown]>(
    ['max_batch_size', 32],
    ['name', 'other'],
    ['input[0].dims', [9, -1]],
    ['input[0].dims[0]', 9],
    ['input[0].reshape.shape', [2]],
    ['dynamic_batching.preserve_ordering', true],
    ['dynamic_batching.default_queue_policy.max_queue_size', 3],
    ['instance_group[0].kind', 'KIND_CPU'],
    ['parameters["k"].string_value', 'z'],
    ['parameters["new"].string_value', 'z'],
    ['optimization.graph.level', 1],
    ['version_policy.latest.num_versions', 2],
  );
  const pieces = fc.constantFrom(
    '# c\n',
    '\n',
    'name: "m"\n',
    'max_batch_size: 8 ',
    'input { name: "A" dims: [ 1, 2 ] }\n',
    'input [ { dims: 1 } ]\n',
    'dynamic_batching { }\n',
    'dynamic_batching {\n  # inside\n}\n',
    'instance_group [ ]\n',
    'instance_group { count: 1 }\n',
    'parameters [ { key: "k" value: { string_value: "v" } } ]\n',
    'optimization { graph { level: 2 } } ',
  );

  test('afterwards the path has the value, and every comment is still there', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(pieces, { maxLength: 8, selector: (piece) => piece.split(' ')[0] }),
        target,
        (parts, [path, value]) => {
          const text = parts.join('');
          const edited = edit(text, path, value);
          const parsed = parseModelConfig(edited);
          expect(parsed.issues, edited).toEqual([]);
          expect(readPath(parsed.config, path), edited).toEqual(value);
          expect(edited.split('#').length).toBe(text.split('#').length);
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** The value at a path of a config object, for paths as the tests above use them. */
function readPath(config: unknown, path: string): unknown {
  let value = config;
  for (const [, name, index, key] of path.matchAll(/\.?(\w+)(?:\[(\d+)\]|\["(\w+)"\])?/g)) {
    const property = (name ?? '').replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    value = (value as Record<string, unknown>)[property];
    if (index !== undefined) value = (value as unknown[])[Number(index)];
    if (key !== undefined) value = (value as Record<string, unknown>)[key];
  }
  return value;
}
