// The socket to one Python host. Frames leave in the order in which they were asked for and arrive in the order in which
// they were sent, also where a large tensor has to be written or read in the background first.

import type { Duplex } from 'node:stream';
import type { HostedTensor } from '../hosted/hosted-code.ts';
import type { Block, BlockExtra, ReceivedTensor, SentTensor, SharedPlace } from './blocks.ts';
import { appendBlock, SHARED_FROM_BYTES } from './blocks.ts';
import type { Frame } from './frames.ts';
import { frameHeader, FrameReader, offsetsFrame, TO_HOST } from './frames.ts';
import { OrderedWork } from './ordered-work.ts';
import type { SharedFiles } from './shared-files.ts';
import { InputFile, readShared } from './shared-files.ts';

/** What one block carries. */
export interface BlockContent {
  readonly key: number;
  readonly tensors: readonly SentTensor[];
  readonly wanted: readonly string[];
  readonly extra: BlockExtra | undefined;
}

export interface HostChannelOptions {
  readonly stream: Duplex;
  readonly files: SharedFiles;
  /** May return a promise; the next frame comes when it is settled. Must not reject. */
  readonly onFrame: (frame: Frame) => void | Promise<void>;
}

export class HostChannel {
  readonly #stream: Duplex;
  readonly #files: SharedFiles;
  readonly #inputs: InputFile;
  readonly #sending = new OrderedWork();
  readonly #receiving = new OrderedWork();
  #parts: Uint8Array[] = [];
  #isEnded = false;

  constructor({ stream, files, onFrame }: HostChannelOptions) {
    this.#stream = stream;
    this.#files = files;
    this.#inputs = new InputFile(files.inputs);
    const reader = new FrameReader((frame) => this.#receiving.add(() => onFrame(frame)));
    stream.on('data', (chunk: Buffer) => reader.push(chunk));
    // The end of the process tells what happened; a broken pipe alone says nothing.
    stream.on('error', () => (this.#isEnded = true));
  }

  send(frame: Uint8Array): void {
    this.#sending.add(() => this.#write([frame]));
  }

  /** One frame of several blocks. `onFailed` is told when a tensor could not be put into the shared file. */
  sendBlocks(
    header: { readonly kind: number; readonly a: number; readonly b: number; readonly flags?: number },
    blocks: readonly BlockContent[],
    onFailed: (thrown: unknown) => void,
  ): void {
    const write = (places: readonly (ReadonlyMap<number, SharedPlace> | undefined)[]): void => {
      const parts: Uint8Array[] = [];
      let byteSize = 0;
      blocks.forEach((block, index) => {
        byteSize += appendBlock(parts, block.key, { ...block, places: places[index] });
      });
      this.#write([frameHeader(header.kind, byteSize, header.a, header.b, header.flags), ...parts]);
    };
    this.#sending.add(() => {
      if (!blocks.some(({ tensors }) => tensors.some(isLarge))) {
        write([]);
        return undefined;
      }
      return Promise.all(blocks.map(({ tensors }) => this.#share(tensors)))
        .then(write)
        .catch(onFailed);
    });
  }

  /** The tensors of a block; a promise when some of them have to be read from the shared file. */
  tensors(block: Block): readonly HostedTensor[] | Promise<readonly HostedTensor[]> {
    if (block.tensors.every(({ inside }) => inside !== undefined)) return block.tensors.map(asInside);
    return Promise.all(block.tensors.map((tensor) => this.#received(tensor)));
  }

  /** The host no longer sees inputs at these offsets. */
  freed(offsets: readonly number[]): void {
    for (const offset of offsets) this.#inputs.release(offset);
  }

  /** Closes the socket and the files. */
  async close(): Promise<void> {
    this.#isEnded = true;
    this.#stream.destroy();
    await Promise.all([this.#files.inputs.close(), this.#files.outputs.close()]);
  }

  async #share(tensors: readonly SentTensor[]): Promise<ReadonlyMap<number, SharedPlace> | undefined> {
    if (!tensors.some(isLarge)) return undefined;
    const places = new Map<number, SharedPlace>();
    await Promise.all(
      tensors.map(async (tensor, index) => {
        if (isLarge(tensor)) places.set(index, await this.#inputs.write(tensor.bytes));
      }),
    );
    return places;
  }

  async #received(tensor: ReceivedTensor): Promise<HostedTensor> {
    const { name, datatype, shape, byteSize, place } = tensor;
    if (place === undefined) return asInside(tensor);
    const bytes = await readShared(this.#files.outputs, place, byteSize);
    this.send(offsetsFrame(TO_HOST.free, [place.offset]));
    return { name, datatype, shape, bytes };
  }

  /** Gathers what is asked for in one turn of the loop into one write. */
  #write(parts: readonly Uint8Array[]): void {
    if (this.#isEnded) return;
    if (this.#parts.length === 0) queueMicrotask(() => this.#flush());
    this.#parts.push(...parts);
  }

  #flush(): void {
    const parts = this.#parts;
    this.#parts = [];
    if (!this.#isEnded) this.#stream.write(Buffer.concat(parts));
  }
}

function isLarge({ bytes }: SentTensor): boolean {
  return bytes.byteSize >= SHARED_FROM_BYTES;
}

function asInside({ name, datatype, shape, inside }: ReceivedTensor): HostedTensor {
  return { name, datatype, shape, bytes: inside ?? new Uint8Array(0) };
}
