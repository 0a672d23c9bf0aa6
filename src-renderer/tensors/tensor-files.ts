// A tensor as a file that other programs read: NumPy's .npy, CSV, and sound as WAV. Pure.

import { isDataType } from '../../src-shared/datatypes.ts';
import { numpyKind } from '../../src-shared/tensor/numpy-types.ts';
import { decodeNumbers, decodeTexts, isFixedSize, squeezed } from './tensor-slices.ts';

/** Row-major and little-endian; BYTES elements with their length prefixes. */
export interface TensorBytes {
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** Header of format version 1.0: magic, length, a Python dict padded to a multiple of 64. */
export function npyFile({ datatype, shape, bytes }: TensorBytes): Uint8Array<ArrayBuffer> {
  // BF16 has none and is written as FP32.
  const kind = isDataType(datatype) ? numpyKind(datatype === 'BF16' ? 'FP32' : datatype) : undefined;
  if (kind === undefined) throw new Error(`${datatype} has no type in NumPy`);
  const type = `${kind.endsWith('1') ? '|' : '<'}${kind}`;
  const data =
    datatype === 'BF16' ? new Uint8Array(Float32Array.from(decodeNumbers(bytes, 'BF16')).buffer) : bytes;
  const dims = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const dict = `{'descr': '${type}', 'fortran_order': False, 'shape': (${dims}), }`;
  const padding = 63 - ((10 + dict.length) % 64);
  const header = `${dict}${' '.repeat(padding)}\n`;
  const file = new Uint8Array(10 + header.length + data.byteLength);
  file.set([0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, header.length & 255, header.length >> 8]);
  file.set(new TextEncoder().encode(header), 10);
  file.set(data, 10 + header.length);
  return file;
}

/** One line per row of the last dimension that is not 1; exact numbers. */
export function csvFile(texts: readonly string[], shape: readonly number[]): string {
  const dims = squeezed(shape);
  const columns = dims.length < 2 ? 1 : (dims.at(-1) ?? 1);
  const lines: string[] = [];
  for (let at = 0; at < texts.length; at += columns) {
    lines.push(
      texts
        .slice(at, at + columns)
        .map(quoted)
        .join(','),
    );
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Elements of a tensor as exact texts; BYTES have a length in front of each. */
export function elementTexts({ datatype, bytes }: TensorBytes): readonly string[] {
  if (isFixedSize(datatype)) return decodeTexts(bytes, datatype);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder();
  const texts: string[] = [];
  for (let at = 0; at + 4 <= bytes.byteLength;) {
    const size = view.getUint32(at, true);
    texts.push(decoder.decode(bytes.subarray(at + 4, at + 4 + size)));
    at += 4 + size;
  }
  return texts;
}

/** 16-bit mono; values beyond -1..1 are cut. */
export function wavFile(samples: Float64Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const dataSize = samples.length * 2;
  const file = new Uint8Array(44 + dataSize);
  const view = new DataView(file.buffer);
  const text = (at: number, word: string): void => file.set(new TextEncoder().encode(word), at);
  text(0, 'RIFF');
  view.setUint32(4, 36 + dataSize, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, dataSize, true);
  samples.forEach((sample, index) => {
    const cut = Math.max(-1, Math.min(1, Number.isFinite(sample) ? sample : 0));
    view.setInt16(44 + index * 2, Math.round(cut * 32_767), true);
  });
  return file;
}
