import { describe, expect, test } from 'vitest';
import type { SequenceControl, SequenceControlInput } from '../../src-shared/config/model-config.ts';
import type { ConfigDataType } from '../../src-shared/datatypes.ts';
import { contiguous } from '../inference/tensor-bytes.ts';
import { END, sequenceBatching, START } from '../testing/sequence-world.ts';
import { modelConfig } from '../testing/tensors.ts';
import { SequenceControls } from './sequence-controls.ts';

const NONE = { int32FalseTrue: [], fp32FalseTrue: [], boolFalseTrue: [], dataType: 'TYPE_INVALID' } as const;

function controls(controlInput: SequenceControlInput[], maxBatchSize = 4): SequenceControls {
  return new SequenceControls(
    modelConfig({ maxBatchSize, sequenceBatching: sequenceBatching({ controlInput }) }),
  );
}

const corrid = (dataType: ConfigDataType): SequenceControls =>
  controls([{ name: 'C', control: [{ kind: 'CONTROL_SEQUENCE_CORRID', ...NONE, dataType }] }]);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const row = (inputs: ReturnType<SequenceControls['forNull']>): string[] =>
  inputs.map(({ name, datatype, bytes }) => `${name} ${datatype} ${hex(contiguous(bytes))}`);

describe('boolean controls', () => {
  const all = controls([
    { name: 'S', control: [{ kind: 'CONTROL_SEQUENCE_START', ...NONE, int32FalseTrue: [7, -1] }] },
    { name: 'E', control: [{ kind: 'CONTROL_SEQUENCE_END', ...NONE, fp32FalseTrue: [0, 2] }] },
    { name: 'R', control: [{ kind: 'CONTROL_SEQUENCE_READY', ...NONE, boolFalseTrue: [false, true] }] },
  ]);
  test.each([
    ['first', START, ['S INT32 ffffffff', 'E FP32 00000000', 'R BOOL 01']],
    ['middle', 0, ['S INT32 07000000', 'E FP32 00000000', 'R BOOL 01']],
    ['last', END, ['S INT32 07000000', 'E FP32 00000040', 'R BOOL 01']],
  ])('on the %s request', (_name, flags, expected) => {
    expect(row(all.forRequest(flags, 1n))).toEqual(expected);
  });

  test.each([
    ['first', START, 'A INT32 00000000'],
    ['last', END, 'A INT32 05000000'],
  ])('that share a tensor leave it to the last kind, on the %s request', (_name, flags, expected) => {
    const kinds = ['CONTROL_SEQUENCE_END', 'CONTROL_SEQUENCE_START'] as const;
    const shared = controls([
      { name: 'A', control: kinds.map((kind) => ({ kind, ...NONE, int32FalseTrue: [0, 5] })) },
    ]);
    expect(row(shared.forRequest(flags, 1n))).toEqual([expected]);
    expect(row(shared.forNull())).toEqual(['A INT32 00000000']);
  });

  test('are all false on a null request', () => {
    expect(row(all.forNull())).toEqual(['S INT32 07000000', 'E FP32 00000000', 'R BOOL 00']);
  });

  test('have shape [1], with a batch dimension for batching models', () => {
    expect(all.forNull()[0]?.shapeWithBatch).toEqual([1, 1]);
    const single = controls(
      [{ name: 'S', control: [{ kind: 'CONTROL_SEQUENCE_START', ...NONE, int32FalseTrue: [0, 1] }] }],
      0,
    );
    expect(single.forNull()[0]?.shapeWithBatch).toEqual([1]);
  });
});

describe('correlation id', () => {
  test.each<[ConfigDataType, bigint | string, string]>([
    ['TYPE_UINT64', 0xffff_ffff_ffff_fffen, 'feffffffffffffff'],
    ['TYPE_INT64', 258n, '0201000000000000'],
    ['TYPE_UINT32', 0x1_0000_0005n, '05000000'],
    ['TYPE_INT32', 9n, '09000000'],
    ['TYPE_STRING', 'né', '030000006ec3a9'],
  ])('as %s', (dataType, id, expected) => {
    const [input] = corrid(dataType).forRequest(0, id);
    expect(input && hex(contiguous(input.bytes))).toBe(expected);
  });

  test.each<[ConfigDataType, string]>([
    ['TYPE_UINT32', '00000000'],
    ['TYPE_STRING', '00000000'],
  ])('is 0 or empty on a null request (%s)', (dataType, expected) => {
    const [input] = corrid(dataType).forNull();
    expect(input && hex(contiguous(input.bytes))).toBe(expected);
  });

  test.each([0, 1])('takes the place of a flag that has its tensor, in either order (%i)', (place) => {
    const flag: SequenceControl = { kind: 'CONTROL_SEQUENCE_START', ...NONE, int32FalseTrue: [0, 5] };
    const id: SequenceControl = { kind: 'CONTROL_SEQUENCE_CORRID', ...NONE, dataType: 'TYPE_UINT32' };
    const shared = controls([{ name: 'A', control: place === 0 ? [id, flag] : [flag, id] }]);
    expect(row(shared.forRequest(START, 7n))).toEqual(['A UINT32 07000000']);
    expect(row(shared.forNull())).toEqual(['A UINT32 00000000']);
  });
});
