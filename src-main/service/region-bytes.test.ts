// Texts in shared memory are judged by their lengths alone, with the same words as texts that came with the request.

import { expect, test } from 'vitest';

import { InferInput } from '../inference/inference-request.ts';
import { createNormalizer } from '../inference/request-normalizer.ts';
import { bytesOf } from '../inference/tensor-bytes.ts';
import type { TensorBytes } from '../inference/tensor-bytes.ts';
import { AnswerBook, encodeTexts, inputConfig, modelConfig } from '../testing/tensors.ts';
import { RegionBytes } from './region-bytes.ts';

const normalize = createNormalizer(
  modelConfig({ maxBatchSize: 0, input: [inputConfig({ name: 'T', dataType: 'TYPE_STRING', dims: [-1] })] }),
);

/** The fault of a request with this input, or what was accepted. */
function verdict(count: number, bytes: TensorBytes): string {
  const request = new AnswerBook().request({ inputs: [new InferInput('T', 'BYTES', [count], bytes)] });
  try {
    normalize(request);
    return `accepted ${request.inputs[0]?.bytes.byteSize}`;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

test('whole, cut, dangling and superfluous texts', () => {
  const texts = Array.from({ length: 40 }, (_, i) => 'x'.repeat(i % 7 === 0 ? 30_000 : i));
  const whole = encodeTexts(texts);
  const lengths = [whole.length, whole.length - 1, 4, 3, 1, 0, 30_010, 65_536, 65_538, 70_000];
  const seen = new Set<string>();
  for (const byteSize of lengths) {
    const bytes = whole.slice(0, byteSize);
    for (const count of [0, 1, 3, 39, 40, 41]) {
      let readBytes = 0;
      const elsewhere = new RegionBytes(bytes.length, (offset, size) => {
        readBytes += size;
        return bytes.slice(offset, offset + size);
      });
      const expected = verdict(count, bytesOf(bytes));
      expect([byteSize, count, verdict(count, elsewhere)]).toEqual([byteSize, count, expected]);
      if (!expected.startsWith('accepted')) expect(readBytes).toBeLessThanOrEqual(6 * 65_536);
      seen.add(expected.replaceAll(/\d+/g, '#'));
    }
  }
  expect(seen.size).toBe(5);
});
