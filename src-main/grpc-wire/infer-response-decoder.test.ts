// Responses as clients read them: as many as come, one after the other.

import { expect, test } from 'vitest';

import { decodeInferResponse } from './infer-response-decoder.ts';

/** Three fields: `parameters { key: "a" value { int64_param: 7 } }`. */
const PARAMETER = [0x22, 7, 0x0a, 1, 0x61, 0x12, 2, 0x10, 7];

test('the limit for fields of a request does not add up over the parameters of responses', () => {
  const response = Uint8Array.from(Array<number[]>(100_000).fill(PARAMETER).flat());
  for (let turn = 0; turn < 5; turn += 1)
    expect(decodeInferResponse(response).parameters).toEqual(new Map([['a', 7n]]));
});
