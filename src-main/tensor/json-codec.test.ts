import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DataType } from '../../src-shared/datatypes.ts';
import { decodeJsonTensor } from './json-codec.ts';
import { JsonArray, JsonObject, parseJson } from './json-document.ts';
import { JsonDouble } from './json-values.ts';
import { jsonDouble, jsonElements, jsonString, typedValues } from './json-writer.ts';

const parse = (text: string) => parseJson(Buffer.from(text));

function decode(text: string, datatype: DataType, elementCount: number): Uint8Array {
  const array = parse(text);
  if (!(array instanceof JsonArray)) throw new Error(`not an array: ${text}`);
  return decodeJsonTensor(array, datatype, elementCount);
}

const numbers = (text: string, datatype: Exclude<DataType, 'BYTES'>, count: number) =>
  [...typedValues(decode(text, datatype, count), datatype)] as (number | bigint)[];

/** What the platform's own parser makes of the text, in the shape our tree compares to. */
function plain(value: unknown): unknown {
  if (value instanceof JsonDouble) return value.value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof JsonArray) return value.elements().map(plain);
  if (value instanceof JsonObject) {
    return Object.fromEntries(value.keys.map((key, i) => [key, plain(value.values[i])]));
  }
  return value;
}

describe('parseJson', () => {
  test('agrees with JSON.parse on any JSON value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const expected: unknown = JSON.parse(text);
        const seen = plain(parse(text));
        expect(JSON.stringify(seen)).toBe(JSON.stringify(expected));
      }),
      { numRuns: 2000 },
    );
  });

  test('refuses what JSON.parse refuses, except NaN and Inf tokens', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', ']', '0', 'x', '\\', ':'),
        (text, at, add) => {
          const cut = at % (text.length + 1);
          const broken = text.slice(0, cut) + add + text.slice(cut + 1);
          fc.pre(!/[eE]\+?\d{3}/.test(broken));
          let isValid = true;
          try {
            JSON.parse(broken);
          } catch {
            isValid = false;
          }
          if (isValid) expect(() => parse(broken)).not.toThrow();
          else expect(() => parse(broken)).toThrow(/failed to parse the request JSON buffer: .* at \d+$/);
        },
      ),
      { numRuns: 4000 },
    );
  });

  test.each([
    ['', 'The document is empty.'],
    ['{', 'Missing a name for object member.'],
    ['{"a"', 'Missing a colon after a name of object member.'],
    ['{"a":1', "Missing a comma or '}' after an object member."],
    ['{"a":[1 2]}', "Missing a comma or ']' after an array element."],
    ['{"a":"x', 'Missing a closing quotation mark in string.'],
    ['{"a":"\\q"}', 'Invalid escape character in string.'],
    ['{"a":"x\ny"}', 'Invalid escape character in string.'],
    ['{"a":"\u001f"}', 'Invalid escape character in string.'],
    ['{"a":"x\0y"}', 'Missing a closing quotation mark in string.'],
    ['{"a":"\\ud800"}', 'The surrogate pair in string is invalid.'],
    ['{"a":1e999}', 'Number too big to be stored in double.'],
    ['{} {}', 'The document root must not be followed by other values.'],
    ['nul', 'Invalid value.'],
    ['[1,]', 'Invalid value.'],
    ['[01]', "Missing a comma or ']' after an array element."],
  ])('names the fault of %s', (text, reason) => {
    expect(() => parse(text)).toThrow(`failed to parse the request JSON buffer: ${reason} at `);
  });

  test.each([
    ['[1.]', 'Miss fraction part in number. at 3'],
    ['[1e+]', 'Miss exponent in number. at 4'],
    ['[tru]', 'Invalid value. at 4'],
    ['[INPUT', 'Invalid value. at 2'],
    ['[Infinit]', 'Invalid value. at 8'],
    ['[Nan]', 'Invalid value. at 3'],
    ['[x]', 'Invalid value. at 1'],
  ])('says where %s leaves the grammar', (text, reason) => {
    expect(() => parse(text)).toThrow(new RegExp(`: ${reason}$`));
  });

  test('keeps the kind of number tokens and their 64 bits', () => {
    const root = parse(
      '{"a":1,"b":1.0,"c":18446744073709551615,"d":-9223372036854775808,"e":18446744073709551616}',
    );
    const object = root as JsonObject;
    expect(object.get('a')).toBe(1);
    expect(object.get('b')).toEqual(new JsonDouble(1));
    expect(object.get('c')).toBe(18446744073709551615n);
    expect(object.get('d')).toBe(-9223372036854775808n);
    expect(object.get('e')).toEqual(new JsonDouble(2 ** 64));
  });

  test('uses the first of duplicate members', () => {
    expect((parse('{"a":1,"a":2}') as JsonObject).get('a')).toBe(1);
  });

  test('survives a million nested brackets', () => {
    const depth = 1_000_000;
    const array = parse('['.repeat(depth) + ']'.repeat(depth)) as JsonArray;
    expect(array.depth).toBe(depth);
    const objects = 100_000;
    expect(() => parse('{"a":['.repeat(objects) + ']}'.repeat(objects))).not.toThrow();
  });

  test('finds objects inside arrays, whatever stands around them', () => {
    const root = parse('{"inputs":[1,{"a":[[{"x":1}],{"y":[2]}]},[[{"z":1}]],{"b":2}]}') as JsonObject;
    const elements = (root.get('inputs') as JsonArray).elements();
    expect(elements).toHaveLength(4);
    expect((elements[1] as JsonObject).keys).toEqual(['a']);
    expect((elements[3] as JsonObject).get('b')).toBe(2);
  });
});

describe('decodeJsonTensor', () => {
  const nest = (values: string[], depth: number): string =>
    depth === 0 ? `[${values.join(' , ')}]` : `[ [], ${nest(values, depth - 1)}]`;

  test('decodes floats exactly as the platform does, flat or nested', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })),
        fc.nat(3),
        (values, depth) => {
          const text = nest(
            values.map((v) => JSON.stringify(v)),
            depth,
          );
          expect(numbers(text, 'FP64', values.length)).toEqual(
            values.map((v) => (Object.is(v, -0) ? expect.toSatisfy((n: number) => n === 0) : v)),
          );
        },
      ),
    );
  });

  test('rounds FP32 once, from the double', () => {
    fc.assert(
      fc.property(
        fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 20 }),
        (values) => {
          const seen = numbers(JSON.stringify([values]), 'FP32', values.length);
          expect(seen.map((n) => Number(n) + 0)).toEqual(values.map((v) => Math.fround(v) + 0));
        },
      ),
    );
  });

  test('keeps all bits of 64-bit integers', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), (values) => {
        expect(numbers(`[${values.join(',')}]`, 'INT64', values.length)).toEqual(values);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })), (values) => {
        expect(numbers(`[${values.join(',')}]`, 'UINT64', values.length)).toEqual(values);
      }),
    );
  });

  test('wraps integers to the width of the datatype', () => {
    expect(numbers('[300]', 'UINT8', 1)).toEqual([44]);
    expect(numbers('[200]', 'INT8', 1)).toEqual([-56]);
    expect(numbers('[18446744073709551615]', 'UINT32', 1)).toEqual([4294967295]);
    expect(numbers('[-9223372036854775808]', 'INT16', 1)).toEqual([0]);
  });

  test('reads NaN and infinities in every accepted spelling', () => {
    expect(numbers('[NaN, Inf, -Inf, Infinity, -Infinity, 1]', 'FP32', 6)).toEqual([
      NaN,
      Infinity,
      -Infinity,
      Infinity,
      -Infinity,
      1,
    ]);
  });

  test.each<[string, DataType, number, string]>([
    ['[1,2,3]', 'INT32', 2, "Unable to parse 'data': Shape does not match true shape of 'data' field"],
    ['[1,2]', 'INT32', 3, "Failed to parse 'data' field: shape does not match true shape"],
    [
      '[1.0]',
      'INT32',
      1,
      "Unable to parse 'data': attempt to access JSON non-signed-integer as signed-integer",
    ],
    [
      '[-1]',
      'UINT8',
      1,
      "Unable to parse 'data': attempt to access JSON non-unsigned-integer as unsigned-integer",
    ],
    ['[18446744073709551616]', 'UINT64', 1, 'non-unsigned-integer'],
    ['[9223372036854775808]', 'INT64', 1, 'non-signed-integer'],
    ['["1"]', 'FP32', 1, "Unable to parse 'data': attempt to access JSON non-number as double"],
    ['[{}]', 'FP64', 1, "Unable to parse 'data': attempt to access JSON non-number as double"],
    ['[0]', 'BOOL', 1, "Unable to parse 'data': attempt to access JSON non-boolean as boolean"],
    ['["a",1]', 'BYTES', 2, 'Unable to parse JSON bytes array: attempt to access JSON non-string as string'],
    [
      `${'['.repeat(100)}1${']'.repeat(100)}`,
      'INT64',
      1,
      "Unable to parse 'data': JSON nesting depth exceeds maximum allowed limit (100)",
    ],
  ])('refuses %s as %s', (text, datatype, count, message) => {
    expect(() => decode(text, datatype, count)).toThrow(message);
  });

  test('accepts nesting of 99 and refuses 100 for strings, without prefix', () => {
    expect(decode(`${'['.repeat(99)}"a"${']'.repeat(99)}`, 'BYTES', 1)).toHaveLength(5);
    expect(() => decode(`${'['.repeat(100)}"a"${']'.repeat(100)}`, 'BYTES', 1)).toThrow(
      /^JSON nesting depth/,
    );
  });

  test('decodes strings to their UTF-8 bytes and prints them back', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (values) => {
        const text = JSON.stringify(values);
        const bytes = decode(text, 'BYTES', values.length);
        const printed = Buffer.from(`[${jsonElements(bytes, 'BYTES', values.length)}]`, 'latin1').toString(
          'utf8',
        );
        expect(JSON.parse(printed)).toEqual(values);
      }),
    );
    expect([...decode('["\\u0041\\ud83d\\ude00\\n\\u0000"]', 'BYTES', 1)]).toEqual([
      7, 0, 0, 0, 0x41, 0xf0, 0x9f, 0x98, 0x80, 10, 0,
    ]);
  });

  test('copies bytes that are not UTF-8', () => {
    const text = Buffer.concat([Buffer.from('["'), Buffer.from([0xff, 0xfe]), Buffer.from('"]')]);
    expect([...decodeJsonTensor(parseJson(text) as JsonArray, 'BYTES', 1)]).toEqual([2, 0, 0, 0, 0xff, 0xfe]);
  });
});

describe('json writer', () => {
  test('prints what the decoder reads, for every numeric datatype', () => {
    const types = [
      'UINT8',
      'UINT16',
      'UINT32',
      'UINT64',
      'INT8',
      'INT16',
      'INT32',
      'INT64',
      'FP32',
      'FP64',
    ] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...types),
        fc.uint8Array({ minLength: 0, maxLength: 400 }),
        (datatype, raw) => {
          const values = typedValues(raw, datatype);
          const bytes = new Uint8Array(values.buffer as ArrayBuffer, values.byteOffset, values.byteLength);
          const text = jsonElements(bytes, datatype, values.length);
          const back = typedValues(decode(`[${text}]`, datatype, values.length), datatype);
          expect([...back].map(String)).toEqual([...values].map(String));
        },
      ),
    );
  });

  test.each([
    [3, '3.0'],
    [Math.fround(1.1), '1.100000023841858'],
    [-0, '-0.0'],
    [1e20, '100000000000000000000.0'],
    [1e21, '1e21'],
    [-1e30, '-1e30'],
    [1e-7, '1e-7'],
    [NaN, 'NaN'],
    [-Infinity, '-Infinity'],
  ])('prints the double %s as %s', (value, text) => {
    expect(jsonDouble(value)).toBe(text);
  });

  test('prints text as a byte string and leaves slashes alone', () => {
    expect(Buffer.from(jsonString('a/"é😀'), 'latin1').toString('utf8')).toBe('"a/\\"é😀"');
  });

  test('escapes control characters of texts with capital digits', () => {
    const bytes = Buffer.concat([Buffer.from([9, 0, 0, 0]), Buffer.from('\u001f\\u00ff\n"')]);
    expect(jsonElements(bytes, 'BYTES', 1)).toBe('"\\u001F\\\\u00ff\\n\\""');
  });

  test('notices bytes that do not fit the element count', () => {
    expect(jsonElements(new Uint8Array(9), 'INT32', 2)).toBeUndefined();
    expect(jsonElements(Uint8Array.of(9, 0, 0, 0, 1), 'BYTES', 1)).toBeUndefined();
    expect(jsonElements(new Uint8Array(8), 'BYTES', 1)).toBeUndefined();
  });
});
