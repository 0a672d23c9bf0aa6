import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseInfer, parseStrictly } from './infer-parser.ts';

const options = { modelName: 'model', binaryByteSize: 0, maxInputByteSize: 20_000 };

/** Lists long enough to be passed over at first, and others. */
const element = fc.oneof(
  { weight: 12, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String) },
  { weight: 12, arbitrary: fc.integer().map(String) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '"text"',
      'true',
      'null',
      'NaN',
      '-Inf',
      '[1]',
      '{}',
      '01',
      '1e999',
      '18446744073709551615',
      '-0',
    ),
  },
);
const elements = fc.oneof(
  fc.array(fc.integer().map(String), { minLength: 60, maxLength: 300 }),
  fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }).map(String), {
    minLength: 60,
    maxLength: 300,
  }),
  fc.array(element, { maxLength: 300 }),
);
const datatypes = [
  'FP32',
  'FP64',
  'INT32',
  'INT8',
  'UINT16',
  'INT64',
  'UINT64',
  'BOOL',
  'BYTES',
  'FP16',
  'NONE',
];

const input = fc
  .record({
    name: fc.constantFrom('"A"', '"B"', '7', '"\\u00e9"'),
    datatype: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...datatypes) },
      { weight: 1, arbitrary: fc.constant('') },
    ),
    list: elements,
    more: fc.integer({ min: -1, max: 1 }),
    isExact: fc.integer({ min: 0, max: 9 }).map((value) => value > 0),
    order: fc.shuffledSubarray(['name', 'datatype', 'shape', 'data'], { minLength: 3 }),
    extra: fc.constantFrom('', '', '', ',"parameters":{"binary_data_size":4}', ',"other":[1]'),
  })
  .map(({ name, datatype, list, more, isExact, order, extra }) => {
    const members: Record<string, string> = {
      name,
      datatype: JSON.stringify(datatype),
      shape: `[${isExact ? list.length : list.length + more}]`,
      data: `[${list.join(more === 0 ? ',' : ', ')}]`,
    };
    return `{${order.map((key) => `"${key}":${members[key]}`).join(',')}${extra}}`;
  });
const ends = [
  '}',
  '}',
  '}',
  '',
  '}}',
  ',"outputs":[{"name":"X"}]}',
  `,"unread":[${'1,'.repeat(600)}2]}`,
  `,"unread":[${'1,'.repeat(600)}]}`,
];
const body = fc
  .tuple(fc.array(input, { minLength: 1, maxLength: 3 }), fc.constantFrom(...ends))
  .map(([inputs, end]) => `{"inputs":[${inputs.join(',')}]${end}`);

describe('an infer request as JSON', () => {
  it('reads in one pass as it does in two, faults included', () => {
    let faultCount = 0;
    fc.assert(
      fc.property(body, (text) => {
        const json = Buffer.from(text);
        const strict = parseStrictly(json, options);
        if (strict.fault !== undefined) faultCount += 1;
        expect(parseInfer(json, options)).toEqual(strict);
      }),
      { numRuns: 1500 },
    );
    // Both kinds were among them.
    expect(faultCount).toBeGreaterThan(100);
    expect(faultCount).toBeLessThan(1490);
  });

  it('reads as it does in two, when bytes of it are wrong', () => {
    const change = fc.tuple(fc.nat(), fc.constantFrom(...'[]{},:"-.e0 \\n'));
    fc.assert(
      fc.property(body, fc.array(change, { minLength: 1, maxLength: 3 }), (text, changes) => {
        const json = Buffer.from(text);
        for (const [at, char] of changes) json[at % json.length] = char.charCodeAt(0);
        expect(parseInfer(json, options)).toEqual(parseStrictly(json, options));
      }),
      { numRuns: 1500 },
    );
  });
});
