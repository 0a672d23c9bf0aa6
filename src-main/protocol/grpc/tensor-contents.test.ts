import protobuf from 'protobufjs';
import { describe, expect, test } from 'vitest';

import { contiguous } from '../../inference/tensor-bytes.ts';
import { encodeTexts } from '../../testing/tensors.ts';
import type { DataType } from '../../../src-shared/datatypes.ts';
import { messageCodec } from '../../grpc-wire/messages.ts';
import { contentsToBytes } from './tensor-contents.ts';

const codec = messageCodec('inference.InferTensorContents');

function convert(contents: Record<string, unknown>, datatype: DataType): number[] {
  return [...contiguous(contentsToBytes([codec.encode(contents)], datatype, 'x', 'm'))];
}

const bytes = (values: ArrayBufferView): number[] => [...new Uint8Array(values.buffer)];

describe('typed contents', () => {
  test.each<[DataType, Record<string, unknown>, number[]]>([
    ['BOOL', { bool_contents: [true, false] }, [1, 0]],
    ['INT8', { int_contents: [-1, 300] }, [255, 44]],
    ['INT16', { int_contents: [-2] }, bytes(Int16Array.of(-2))],
    ['INT32', { int_contents: [-3, 7] }, bytes(Int32Array.of(-3, 7))],
    ['INT64', { int64_contents: ['-9223372036854775808'] }, bytes(BigInt64Array.of(-(2n ** 63n)))],
    ['UINT8', { uint_contents: [255] }, [255]],
    ['UINT32', { uint_contents: [4294967295] }, [255, 255, 255, 255]],
    ['UINT64', { uint64_contents: ['18446744073709551615'] }, Array<number>(8).fill(255)],
    ['FP32', { fp32_contents: [1.5, -2] }, bytes(Float32Array.of(1.5, -2))],
    ['FP64', { fp64_contents: [1e300] }, bytes(Float64Array.of(1e300))],
    ['BYTES', { bytes_contents: [Buffer.from('ab'), Buffer.alloc(0)] }, [...encodeTexts(['ab', ''])]],
  ])('%s', (datatype, contents, expected) => {
    expect(convert(contents, datatype)).toEqual(expected);
  });

  test('a present but empty message is an empty tensor', () => {
    expect(convert({}, 'FP32')).toEqual([]);
  });

  test('no field fits an unknown data type', () => {
    const message = codec.encode({ fp32_contents: [1] });
    expect(() => contentsToBytes([message], undefined, 'x', 'm')).toThrow(
      "unexpected explicit tensor data for input tensor 'x' for model 'm' of type 'FP32', expected datatype '<invalid>'",
    );
    expect(contentsToBytes([codec.encode({})], undefined, 'x', 'm').byteSize).toBe(0);
  });

  test('a packed run of floats is used where it lies', () => {
    const message = codec.encode({ fp32_contents: [1, 2, 3] });
    const result = contentsToBytes([message], 'FP32', 'x', 'm');
    expect(result.chunks[0]?.buffer).toBe(message.buffer);
  });

  test('unpacked elements are taken as well', () => {
    const writer = protobuf.Writer.create();
    for (const value of [1, -1]) writer.uint32((2 << 3) | 0).int32(value);
    const result = contentsToBytes([writer.finish()], 'INT32', 'x', 'm');
    expect([...contiguous(result)]).toEqual(bytes(Int32Array.of(1, -1)));
  });

  test('many elements of any length, in several pieces, keep their order', () => {
    const texts = Array.from({ length: 300 }, (_, i) => 'x'.repeat(i) + String(i));
    const pieces = [texts.slice(0, 100), texts.slice(100)].map((part) =>
      codec.encode({ bytes_contents: part.map((text) => Buffer.from(text)) }),
    );
    const result = contentsToBytes(pieces, 'BYTES', 'x', 'm');
    expect(Buffer.from(contiguous(result)).equals(Buffer.from(encodeTexts(texts)))).toBe(true);
    const floats = Float32Array.from({ length: 200 }, (_, i) => i / 3);
    const writer = protobuf.Writer.create();
    for (const value of floats) writer.uint32((6 << 3) | 5).float(value);
    const unpacked = contentsToBytes([writer.finish()], 'FP32', 'x', 'm');
    expect([...contiguous(unpacked)]).toEqual(bytes(floats));
  });

  test('bytes that end inside an element are malformed', () => {
    for (const piece of [[0x42], [0x42, 5, 1], [0x42, 0x80], [0x12, 200, 1, 0]]) {
      expect(() => contentsToBytes([Uint8Array.from(piece)], 'BYTES', 'x', 'm')).toThrow(
        "contents of input tensor 'x' for model 'm' are malformed",
      );
    }
  });

  test('elements of another wire type than that of their field are none of it', () => {
    const writer = protobuf.Writer.create();
    writer.uint32((6 << 3) | 0).int32(1);
    writer.uint32((8 << 3) | 0).int32(1);
    writer.uint32((2 << 3) | 5).fixed32(1);
    expect(contentsToBytes([writer.finish()], 'FP32', 'x', 'm').byteSize).toBe(0);
  });

  test.each<[DataType, number, number]>([
    ['FP32', 6, 3],
    ['FP64', 7, 12],
  ])('packed %s that end inside an element are malformed', (datatype, field, byteSize) => {
    const message = protobuf.Writer.create()
      .uint32((field << 3) | 2)
      .bytes(new Uint8Array(byteSize))
      .finish();
    expect(() => contentsToBytes([message], datatype, 'x', 'm')).toThrow(
      "contents of input tensor 'x' for model 'm' are malformed",
    );
  });

  test('a field that does not fit the datatype is refused by name', () => {
    expect(() => convert({ int_contents: [1] }, 'FP32')).toThrow(
      "unexpected explicit tensor data for input tensor 'x' for model 'm' of type 'INT32', expected datatype 'FP32'",
    );
  });

  test('two fields are refused', () => {
    expect(() => convert({ fp32_contents: [1], int_contents: [1] }, 'INT32')).toThrow(
      'binary data was already supplied',
    );
  });
});
