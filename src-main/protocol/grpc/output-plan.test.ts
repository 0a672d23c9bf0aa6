import { expect, test } from 'vitest';

import type { GrpcParameter } from '../../grpc-wire/infer-message.ts';
import { readRegion } from './output-plan.ts';

const place = (offset: bigint, byteSize: bigint): ReturnType<typeof readRegion> =>
  readRegion(
    'INPUT',
    new Map<string, GrpcParameter>([
      ['shared_memory_region', { choice: 'string_param', value: 'r' }],
      ['shared_memory_offset', { choice: 'int64_param', value: offset }],
      ['shared_memory_byte_size', { choice: 'int64_param', value: byteSize }],
    ]),
  );

test.each([
  [8n, 4n, 8, 4],
  [-1n, 4n, 2 ** 64, 4],
  [0n, -8n, 0, 2 ** 64],
])('offset %s and size %s of a region are read as sizes', (offset, byteSize, readOffset, readSize) => {
  expect(place(offset, byteSize)).toEqual({ region: 'r', offset: readOffset, byteSize: readSize });
});
