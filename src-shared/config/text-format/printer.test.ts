import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseModelConfig } from '../parse-model-config.ts';
import { parseText } from './parser.ts';
import { printTree } from './printer.ts';

const print = (text: string): string | undefined => printTree(parseText(text));

describe('printTree', () => {
  test('lays a document out in one way and keeps comments and single blank lines', () => {
    const text = `# head
name:'m';   max_batch_size:8 # eight


input[{name:"A",data_type:TYPE_FP32 dims:[3 ,-1]}, # first
 # second
 <name:"B" dims: 1>]
optimization{ # why
}
dynamic_batching{}
output { # out
  dims: [ 1, # one
    2 ]
  # last
}
# end`;
    expect(print(text)).toBe(`# head
name: "m"
max_batch_size: 8 # eight

input [
  {
    name: "A"
    data_type: TYPE_FP32
    dims: [ 3, -1 ]
  }, # first
  # second
  {
    name: "B"
    dims: 1
  }
]
optimization {
  # why
}
dynamic_batching { }
output {
  # out
  dims: [
    1, # one
    2
  ]
  # last
}
# end
`);
  });

  test('leaves a document with mistakes alone', () => {
    expect(print('name: ')).toBeUndefined();
    expect(print('input {')).toBeUndefined();
    expect(print('max_batch_size = 8')).toBeUndefined();
  });

  test('prints nothing for nothing', () => {
    expect(print('')).toBe('');
    expect(print('\n\n')).toBe('');
  });

  const pieces = fc.constantFrom(
    '# note\n',
    '\n',
    '\n\n\n',
    ' ',
    'name: "m"',
    'input { name: "A" dims: [ 1, 2 ] }',
    'input [ { dims: 1 } # c\n ]',
    'input {\n # x\n}',
    'dims: [ 1, # one\n 2 ]',
    'optimization { # a\n eager_batching: true } # b\n',
    ';\n',
    'parameters { key: "a" # k\n value { string_value: "b" "c" } }',
    'output <>\n',
  );

  test('changes no value, loses no comment and is stable', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        const tree = parseText(parts.join(' '));
        const printed = printTree(tree);
        if (printed === undefined) return;
        const again = parseText(printed);
        expect(again.problems).toEqual([]);
        expect(again.comments.map((comment) => comment.text)).toEqual(
          tree.comments.map((comment) => comment.text),
        );
        expect(parseModelConfig(printed).config).toEqual(parseModelConfig(tree.text).config);
        expect(printTree(again)).toBe(printed);
      }),
      { numRuns: 400 },
    );
  });
});
