// What becomes of the outputs of a run: small ones are put into the slot, large ones handed over as the buffers the run
// returned.

import type { LargeResult } from '../instance-host/session-server.ts';
import { RESULT_OFFSET_WORD, RESULT_SIZE_WORD, alignOutput, resultHeaderWords } from './job-layout.ts';
import type { NativeTensor, NumericData } from './native-ort.ts';
import type { LargeOutput } from './session-messages.ts';
import { encodeStrings, encodedByteSize } from './string-tensors.ts';

/**
 * Writes the outputs and their description into the result area. Returns where each begins in the slot, or undefined,
 * having written nothing, when they are too large.
 */
export function writeOutputs(
  slot: SharedArrayBuffer,
  words: Float64Array,
  tensors: readonly NativeTensor[],
): readonly number[] | undefined {
  const base = words[RESULT_OFFSET_WORD] ?? 0;
  let at = resultHeaderWords(tensors.map((tensor) => tensor.dims.length)) * 8;
  const offsets: number[] = [];
  for (const tensor of tensors) {
    offsets.push(at);
    at = alignOutput(at + outputByteSize(tensor));
  }
  if (at > (words[RESULT_SIZE_WORD] ?? 0)) return undefined;
  let word = base / 8;
  const target = Buffer.from(slot);
  for (let index = 0; index < tensors.length; index++) {
    const tensor = tensors[index];
    if (tensor === undefined) continue;
    const offset = offsets[index] ?? 0;
    words[word++] = offset;
    words[word++] = outputByteSize(tensor);
    words[word++] = tensor.dims.length;
    for (const dim of tensor.dims) words[word++] = dim;
    if (tensor.type === 'string') encodeStrings(tensor.data as string[], target, base + offset);
    else target.set(bytesOfTensor(tensor), base + offset);
  }
  return offsets.map((offset) => base + offset);
}

/** The outputs as buffers that change their thread. */
export function handOver(tensors: readonly NativeTensor[]): LargeResult {
  const value: LargeOutput[] = tensors.map((tensor) => ({
    dims: [...tensor.dims],
    bytes: tensor.type === 'string' ? encodedTensor(tensor) : bytesOfTensor(tensor),
  }));
  return { value, transfer: [...new Set(value.map((output) => output.bytes.buffer as ArrayBuffer))] };
}

function encodedTensor(tensor: NativeTensor): Uint8Array {
  const strings = tensor.data as string[];
  const bytes = Buffer.from(new ArrayBuffer(encodedByteSize(strings)));
  encodeStrings(strings, bytes, 0);
  return bytes;
}

function outputByteSize(tensor: NativeTensor): number {
  return tensor.type === 'string'
    ? encodedByteSize(tensor.data as string[])
    : (tensor.data as NumericData).byteLength;
}

function bytesOfTensor(tensor: NativeTensor): Uint8Array {
  const data = tensor.data as NumericData;
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
