// Puts the tensors of a message into one buffer and reads them back. Offsets are multiples of eight, so that every
// typed array can be a view of the buffer.

import type { DataType } from '../../../src-shared/datatypes.ts';
import type { PackedTensor } from './worker-messages.ts';

/** A tensor that is to be put into a message. */
export interface TensorSource {
  readonly name: string;
  readonly datatype: DataType;
  readonly shape: readonly number[];
  readonly byteSize: number;
  /** Writes exactly `byteSize` bytes to the start of `target`. */
  readonly write: (target: Uint8Array) => void;
}

/** Gathers the tensors of one message; `finish` copies each to its place in one buffer. */
export class TensorPacker {
  readonly #sources: TensorSource[] = [];
  #byteSize = 0;

  /** Where the tensor will lie. */
  add(source: TensorSource): PackedTensor {
    const { name, datatype, shape, byteSize } = source;
    const offset = this.#byteSize;
    this.#sources.push(source);
    this.#byteSize += Math.ceil(byteSize / 8) * 8;
    return { name, datatype, shape, offset, byteSize };
  }

  /** The filled buffer, to be transferred. */
  pack(): ArrayBuffer {
    const buffer = new ArrayBuffer(this.#byteSize);
    let offset = 0;
    for (const { byteSize, write } of this.#sources) {
      write(new Uint8Array(buffer, offset, byteSize));
      offset += Math.ceil(byteSize / 8) * 8;
    }
    return buffer;
  }
}

/** The bytes of one tensor as a view of the packed buffer; nothing is copied. */
export function packedBytes(data: ArrayBuffer, tensor: PackedTensor): Uint8Array {
  return new Uint8Array(data, tensor.offset, tensor.byteSize);
}
