import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeFaultlessText } from './config-decoder.ts';
import { firstError } from './config-issue.ts';
import { parseErrorLine, parseModelConfig } from './parse-model-config.ts';
import { parseText } from './text-format/parser.ts';

const LEGAL = `name: 'm' ; backend : "onnx" "runtime"   # concatenated
max_batch_size: 0x8, version_policy { specific: { versions: [ 1, 3 ] } }
input [ { name: "A" data_type: TYPE_FP32 dims: -1 dims: [ 3, -1 ] }, < name: "C", data_type: 11; dims: [1]; optional: t > ]
input { name: "D\\x21\\041" data_type: TYPE_STRING dims: [ 1 ] reshape: { shape: [ ] } }
parameters: { key: "k" value: { string_value: "v" } } parameters { key: "k" value { string_value: "wins" } } parameters { }
instance_group [ { kind: KIND_CPU count: 1 }, { kind: 3 } ]
dynamic_batching { }
`;

/** Message of the first error, as the reference's parser stops at it. */
const errorOf = (text: string): string | undefined => firstError(parseModelConfig(text).issues)?.message;

describe('parseModelConfig', () => {
  test('reads every legal form', () => {
    const { config, issues } = parseModelConfig(LEGAL);
    expect(issues.map((issue) => issue.severity)).toEqual(['warning']);
    expect(config.backend).toBe('onnxruntime');
    expect(config.maxBatchSize).toBe(8);
    expect(config.versionPolicy?.specific?.versions).toEqual([1, 3]);
    expect(config.input.map(({ name, dims }) => [name, dims])).toEqual([
      ['A', [-1, 3, -1]],
      ['C', [1]],
      ['D!!', [1]],
    ]);
    expect(config.input[1]).toMatchObject({ dataType: 'TYPE_FP32', optional: true, reshape: undefined });
    expect(config.input[2]?.reshape).toEqual({ shape: [] });
    expect(config.parameters).toEqual({ k: { stringValue: 'wins' }, '': { stringValue: '' } });
    expect(config.instanceGroup.map((group) => group.kind)).toEqual(['KIND_CPU', 'KIND_MODEL']);
    expect(config.dynamicBatching).toMatchObject({ preferredBatchSize: [], maxQueueDelayMicroseconds: 0n });
    expect(config.sequenceBatching).toBeUndefined();
  });

  test.each([
    ['x: 1', 'Message type "inference.ModelConfig" has no field named "x".'],
    [
      'instance_group { kinds: 1 }',
      'Message type "inference.ModelInstanceGroup" has no field named "kinds".',
    ],
    [
      'parameters { key: "a" values: 1 }',
      'Message type "inference.ModelConfig.ParametersEntry" has no field named "values".',
    ],
    ['name: "a" name: "b"', 'Non-repeated field "name" is specified multiple times.'],
    ['optimization {} optimization {}', 'Non-repeated field "optimization" is specified multiple times.'],
    [
      'dynamic_batching {} sequence_batching {}',
      'Field "sequence_batching" is specified along with field "dynamic_batching", another member of oneof "scheduling_choice".',
    ],
    [
      'version_policy { latest {} all {} }',
      'Field "all" is specified along with field "latest", another member of oneof "policy_choice".',
    ],
    ['input { data_type: TYPE_FLOAT }', 'Unknown enumeration value of "TYPE_FLOAT" for field "data_type".'],
    ['input { data_type: 99 }', 'Unknown enumeration value of "99" for field "data_type".'],
    ['batch_input { kind: 9 }', "unknown batch input kind ''"],
    ['input { optional: yes }', 'Invalid value for boolean field "optional". Value: "yes".'],
    ['input { optional: 2 }', 'Integer out of range (2)'],
    ['max_batch_size: "8"', 'Expected integer, got: "8"'],
    ['max_batch_size: 1.5', 'Expected integer, got: 1.5'],
    ['max_batch_size: 99999999999', 'Integer out of range (99999999999)'],
    ['dynamic_batching { priority_levels: -1 }', 'Expected integer, got: -'],
    ['name: foo', 'Expected string, got: foo'],
    ['name "foo"', 'Expected ":", found ""foo"".'],
    ['max_batch_size = 8', 'Expected ":", found "=".'],
    ['optimization: 5', 'Expected "{", found "5".'],
    ['input { dims [ 1 ] }', 'Expected ":", found "[".'],
    ['max_batch_size: [ 1 ]', 'Expected integer, got: ['],
    ['input { dims: [ 1 2 ] }', 'Expected ",", found "2".'],
    ['input { dims: [ 1, ] }', 'Expected integer, got: ]'],
    ['name: "a', 'Unexpected end of string.'],
    ['name: "a\0b"', 'Unexpected end of string.'],
    ['\ufeffname: "a"', 'Interpreting non ascii codepoint 65279.'],
    ['name: "a\n"', 'String literals cannot cross line boundaries.'],
    ['name: "\\q"', 'Invalid escape sequence in string literal.'],
    ['max_batch_size: 8name: "x"', 'Need space between number and identifier.'],
    ['optimization {', 'Expected identifier, got: '],
    ['}', 'Expected identifier, got: }'],
    ['optimization { >', 'Expected "}", found ">".'],
    ['[a.b.c]: 1', 'Message type "inference.ModelConfig" has no field named "[a.b.c]".'],
  ])('%s -> %s', (text, message) => {
    expect(errorOf(text)).toBe(message);
  });

  test('goes on after a mistake and names the place and the nearest name of each', () => {
    const { issues, config } = parseModelConfig(
      'max_batch_sise: 8\nplatform "x"\ninput { name: "A" dimms: [ 1 ] data_type: TYPE_FP23 }\nbackend: "b"\n',
    );
    expect(issues.map((issue) => [issue.span?.line, issue.span?.column, issue.code, issue.path])).toEqual([
      [1, 1, 'D02', 'max_batch_sise'],
      [2, 10, 'D01', 'platform'],
      [3, 19, 'D02', 'input[0].dimms'],
      [3, 43, 'D03', 'input[0].data_type'],
    ]);
    expect(issues.map((issue) => issue.fixes[0]?.edits[0]?.newText)).toEqual([
      'max_batch_size',
      ':',
      'dims',
      'TYPE_FP32',
    ]);
    expect(config.backend).toBe('b');
  });

  test('keeps 64-bit values whole', () => {
    const { config } = parseModelConfig('dynamic_batching { priority_levels: 18446744073709551615 }');
    expect(config.dynamicBatching?.priorityLevels).toBe(18446744073709551615n);
  });

  test('prints the line that a server logs', () => {
    expect(parseErrorLine(parseModelConfig('name: "a"\n  foo: 1'))).toBe(
      'Error parsing text-format inference.ModelConfig: 2:3: Message type "inference.ModelConfig" has no field named "foo".',
    );
    expect(parseErrorLine(parseModelConfig(''))).toBeUndefined();
  });

  test('says where a field of another block belongs', () => {
    expect(parseModelConfig('preferred_batch_size: [ 4 ]').issues[0]?.hint).toContain('dynamic_batching');
  });
});

describe('the parser is total', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '<',
    '>',
    ':',
    ',',
    ';',
    '-',
    '"',
    "'",
    '\\',
    '#',
    '\n',
    ' ',
    '0x',
    '08',
    '1.5',
    '1e',
    '=',
    'name',
    'input',
    'dims',
    'data_type',
    'TYPE_FP32',
    'parameters',
    'key',
    'value',
    '"k"',
    '1',
    'dynamic_batching',
    '\u0000',
    'é',
    '😀',
  );

  test('on sequences of tokens', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = parts.join(' ').replaceAll(' "', '"');
        const { issues, tree } = parseModelConfig(text);
        for (const { span } of issues) {
          expect(span?.startOffset).toBeGreaterThanOrEqual(0);
          expect(span?.endOffset).toBeLessThanOrEqual(text.length);
        }
        expect(tree.root.span.endOffset).toBe(text.length);
      }),
      { numRuns: 500 },
    );
  });

  test('and gives the same field by field, or nothing where there is a finding', () => {
    const fields = fc.constantFrom(
      'name: "a" ',
      'max_batch_size: 2 ',
      'input { name: "i" dims: [ 1, 2 ] } ',
      'parameters { key: "k" value { string_value: "v" } } ',
      'parameters { key: "l" value { } } ',
      'dynamic_batching { } ',
      'sequence_batching { } ',
      'optimization { priority: PRIORITY_MAX }; ',
      'nonsense: 1 ',
      '} ',
    );
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 6 }), (parts) => {
        const { config, issues, tree } = parseModelConfig(parts.join(''));
        const faultless = decodeFaultlessText(parts.join(''));
        if (issues.length > 0) expect(faultless).toBeUndefined();
        else {
          const written = new Set(tree.root.fields.map(({ name }) => name));
          expect(faultless).toEqual({ config, written });
        }
      }),
      { numRuns: 500 },
    );
  });

  test('on random text and bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(Array.isArray(parseModelConfig(text).issues)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test.each(['{', 'a{', 'input{', '[', 'a:[', '"', '\\', 'a:-', 'a ', '}', 'name:"a"\n', 'a:{b:['])(
    'on 100000 times %j, reporting at most a hundred or so problems',
    (piece) => {
      const { issues } = parseModelConfig(piece.repeat(100_000));
      expect(issues.length).toBeLessThanOrEqual(201);
      expect(issues.every((issue) => issue.message.length <= 1000)).toBe(true);
    },
  );

  test('refuses nesting beyond a hundred blocks by name', () => {
    const { problems } = parseText('optimization {'.repeat(150) + '}'.repeat(150));
    expect(problems[0]?.message).toContain('recursion limit of 100');
  });
});
