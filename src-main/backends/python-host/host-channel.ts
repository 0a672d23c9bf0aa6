// The socket to one Python host. Frames leave in the order in which they were asked for and arrive in the order in which
// they were sent, also where a large tensor has to be written or read in the background first.

import type { Duplex } from 'node:stream';
import type { HostedTensor } from '../hosted/hosted-code.ts';
import type { BlockContent, BlocksHeader, Places } from './block-writer.ts';
import { BlockWriter } from './block-writer.ts';
import type { Block, ReceivedTensor, SentTensor, SharedPlace } from './blocks.ts';
import { SHARED_FROM_BYTES } from './blocks.ts';
import type { Frame } from './frames.ts';
import { FrameReader, offsetsFrame, TO_HOST } from './frames.ts';
import { OrderedWork } from './ordered-work.ts';
import { Outgoing } from './outgoing.ts';
import type { SharedFiles } from './shared-files.ts';
import { closeSharedFiles, InputFile, readShared } from './shared-files.ts';

/** The socket and the files that one instance shares with its process. */
export interface HostChannelOptions {
  readonly stream: Duplex;
  readonly files: SharedFiles;
  /** May return a promise; the next frame comes when it is settled. What it throws is a fault of the frame. */
  readonly onFrame: (frame: Frame) => void | Promise<void>;
  /** What came is no frame, or one that says nothing: whoever writes there is not our host. Told once. */
  readonly onFault: (thrown: unknown) => void;
}

const NO_PLACES: readonly Places[] = [];

/** A frame that makes no sense ends the channel through `onFault`: what comes behind it cannot be read either. */
export class HostChannel {
  readonly #stream: Duplex;
  readonly #files: SharedFiles;
  readonly #inputs: InputFile;
  readonly #sending = new OrderedWork();
  readonly #receiving = new OrderedWork();
  readonly #outgoing = new Outgoing();
  readonly #writer = new BlockWriter();
  #isFlushing = false;
  #isFaulty = false;
  #isEnded = false;

  constructor({ stream, files, onFrame, onFault }: HostChannelOptions) {
    this.#stream = stream;
    this.#files = files;
    this.#inputs = new InputFile(files.inputs);
    const fault = (thrown: unknown): void => {
      if (this.#isFaulty) return;
      this.#isFaulty = true;
      onFault(thrown);
    };
    const receive = (frame: Frame): void | Promise<void> => {
      if (this.#isFaulty) return undefined;
      try {
        return onFrame(frame)?.catch(fault);
      } catch (thrown) {
        fault(thrown);
      }
    };
    const reader = new FrameReader((frame) => this.#receiving.add(() => receive(frame)));
    stream.on('data', (chunk: Buffer) => {
      if (this.#isFaulty) return;
      try {
        reader.push(chunk);
      } catch (thrown) {
        fault(thrown);
      }
    });
    // The end of the process tells what happened; a broken pipe alone says nothing.
    stream.on('error', () => (this.#isEnded = true));
  }

  /** A frame without tensors; it is copied by the time it has to wait for the socket. Goes nowhere after `close`. */
  send(frame: Uint8Array): void {
    this.#sending.add(() => {
      const { buffer, offset } = this.#outgoing.room(frame.byteLength);
      buffer.set(frame, offset);
      this.#flushSoon();
    });
  }

  /** One frame of several blocks. `onFailed` is told when a tensor could not be put into the shared file. */
  sendBlocks(
    header: BlocksHeader,
    blocks: readonly BlockContent[],
    onFailed: (thrown: unknown) => void,
  ): void {
    this.#sending.add(() => {
      if (!blocks.some(({ tensors }) => tensors.some(isLarge))) {
        this.#writeBlocks(header, blocks, NO_PLACES);
        return undefined;
      }
      return Promise.all(blocks.map(({ tensors }) => this.#share(tensors)))
        .then((places) => this.#writeBlocks(header, blocks, places))
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
    await closeSharedFiles(this.#files);
  }

  async #share(tensors: readonly SentTensor[]): Promise<Places> {
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

  #writeBlocks(header: BlocksHeader, blocks: readonly BlockContent[], places: readonly Places[]): void {
    this.#writer.write(this.#outgoing, header, blocks, places);
    this.#flushSoon();
  }

  /**
   * Gathers what all sockets ask for in one turn of the loop into one write: a write that wakes Python costs more than
   * all other work on a request.
   */
  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      for (const bytes of this.#outgoing.take()) if (!this.#isEnded) this.#stream.write(bytes);
    });
  }
}

function isLarge({ bytes }: SentTensor): boolean {
  return bytes.byteSize >= SHARED_FROM_BYTES;
}

function asInside({ name, datatype, shape, inside }: ReceivedTensor): HostedTensor {
  return { name, datatype, shape, bytes: inside ?? new Uint8Array(0) };
}
