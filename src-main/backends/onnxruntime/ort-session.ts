// One ONNX Runtime session inside an instance worker: reads jobs from shared memory without copying numeric inputs,
// runs them, and puts small outputs back into the slot; large outputs are handed over as the buffers the run returned.

import type { InferenceSession, Tensor } from 'onnxruntime-node';

import { internal, toServerError } from '../../../src-shared/errors.ts';
import type { LargeResult, ServedSession } from '../instance-host/session-server.ts';
import {
  FEED_WORDS,
  RESULT_OFFSET_WORD,
  RESULT_SIZE_WORD,
  RUN_END_WORD,
  RUN_START_WORD,
  alignOutput,
  resultHeaderWords,
} from './job-layout.ts';
import type { Segment } from './job-layout.ts';
import { usableProviders } from './available-providers.ts';
import { numericView } from './ort-datatypes.ts';
import { runtimeError } from './ort-errors.ts';
import { loadOrt } from './ort-library.ts';
import type {
  LargeOutput,
  ProviderChoice,
  SessionInfo,
  SessionInit,
  SessionTensorInfo,
} from './session-messages.ts';
import { copiedBytes, sharesInputs } from './shared-inputs.ts';
import { decodeStrings, encodeStrings, encodedByteSize } from './string-tensors.ts';

const SHARES_INPUTS = sharesInputs(process.versions.node);

/**
 * Opens the session with the first list of providers that works; the text 'providers' instead of a description asks
 * which providers this machine can load. Throws `onnx runtime error <code>: <text>`.
 */
export async function openOrtSession(
  rawInit: unknown,
): Promise<{ readonly session: ServedSession; readonly info: unknown }> {
  if (rawInit === 'providers')
    return { session: NO_SESSION, info: usableProviders(loadOrt().listSupportedBackends()) };
  const init = rawInit as SessionInit;
  const { InferenceSession } = loadOrt();
  const refusals: string[] = [];
  for (const [index, attempt] of init.providerAttempts.entries()) {
    try {
      const session = await InferenceSession.create(init.path, {
        ...init.settings,
        executionProviders: attempt.map(providerOption),
      });
      const info: SessionInfo = {
        inputs: session.inputMetadata.map(tensorInfo),
        outputs: session.outputMetadata.map(tensorInfo),
        provider: attempt[0]?.name ?? 'cpu',
        refusals,
      };
      return { session: new OrtSession(session, init), info };
    } catch (thrown) {
      if (index === init.providerAttempts.length - 1) throw runtimeError(thrown);
      refusals.push(`${attempt[0]?.name ?? ''}: ${toServerError(thrown).message.trim()}`);
    }
  }
  throw internal('no execution provider was given');
}

/** Stands in where a worker was asked a question only. */
const NO_SESSION: ServedSession = {
  run: () => Promise.reject(internal('this session runs nothing')),
  close: () => Promise.resolve(),
};

function providerOption(choice: ProviderChoice): { name: string; deviceId?: number } | string {
  return choice.deviceId === undefined ? choice.name : { name: choice.name, deviceId: choice.deviceId };
}

function tensorInfo(metadata: InferenceSession.ValueMetadata): SessionTensorInfo {
  if (!metadata.isTensor) return { name: metadata.name, isTensor: false, type: '', shape: [] };
  return { name: metadata.name, isTensor: true, type: metadata.type, shape: metadata.shape };
}

/** Feeds of the latest job of a slot, used again while its header stays the same. */
interface CachedFeeds {
  readonly buffer: SharedArrayBuffer;
  readonly header: Float64Array;
  readonly feeds: Record<string, Tensor>;
}

class OrtSession implements ServedSession {
  readonly #session: InferenceSession;
  readonly #init: SessionInit;
  readonly #cache: CachedFeeds[] = [];
  readonly #hasStrings: boolean;
  #lastEndNs = 0;

  constructor(session: InferenceSession, init: SessionInit) {
    this.#session = session;
    this.#init = init;
    this.#hasStrings = init.feeds.some((feed) => feed.type === 'string');
  }

  async run(slot: SharedArrayBuffer, slotNumber: number): Promise<LargeResult | undefined> {
    const words = new Float64Array(slot, 0, Math.floor(slot.byteLength / 8));
    const feeds = this.#feeds(slot, slotNumber, words);
    const calledNs = nowNs();
    let outputs: InferenceSession.ReturnType;
    try {
      outputs = await this.#session.run(feeds, this.#init.outputs);
    } catch (thrown) {
      this.#lastEndNs = nowNs();
      throw runtimeError(thrown);
    }
    // Runs are taken one after the other: this one began when it was called, or when the one before it ended.
    const endNs = nowNs();
    words[RUN_START_WORD] = Math.max(calledNs, this.#lastEndNs);
    words[RUN_END_WORD] = endNs;
    this.#lastEndNs = endNs;
    return this.#deliver(outputs, slot, words);
  }

  async close(): Promise<void> {
    this.#cache.length = 0;
    await this.#session.release();
  }

  #feeds(slot: SharedArrayBuffer, slotNumber: number, words: Float64Array): Record<string, Tensor> {
    const cached = this.#cache[slotNumber];
    if (cached?.buffer === slot && isSameHeader(cached.header, words)) return cached.feeds;
    const { Tensor } = loadOrt();
    const feeds: Record<string, Tensor> = {};
    let at = FEED_WORDS;
    for (const { name, type } of this.#init.feeds) {
      const byteOffset = words[at++] ?? -1;
      if (byteOffset < 0) continue;
      const byteSize = words[at++] ?? 0;
      const rank = words[at++] ?? 0;
      const dims = Array.from(words.subarray(at, at + rank));
      at += rank;
      const segmentCount = words[at++] ?? 0;
      if (type === 'string') {
        const bytes = Buffer.from(slot, byteOffset, byteSize);
        feeds[name] = new Tensor(
          'string',
          decodeStrings(name, bytes, readSegments(words, at, segmentCount)),
          dims,
        );
      } else {
        const values = SHARES_INPUTS
          ? numericView(type, slot, byteOffset, byteSize)
          : numericView(type, copiedBytes(slot, byteOffset, byteSize), 0, byteSize);
        feeds[name] = new Tensor(type, values as Uint8Array, dims);
      }
      at += 2 * segmentCount;
    }
    if (SHARES_INPUTS && !this.#hasStrings) {
      this.#cache[slotNumber] = { buffer: slot, header: words.slice(FEED_WORDS, at), feeds };
    }
    return feeds;
  }

  #deliver(
    outputs: InferenceSession.ReturnType,
    slot: SharedArrayBuffer,
    words: Float64Array,
  ): LargeResult | undefined {
    const tensors = this.#init.outputs.map((name) => outputs[name] as Tensor);
    const base = words[RESULT_OFFSET_WORD] ?? 0;
    let at = resultHeaderWords(tensors.map((tensor) => tensor.dims.length)) * 8;
    const offsets: number[] = [];
    for (const tensor of tensors) {
      offsets.push(at);
      at = alignOutput(at + outputByteSize(tensor));
    }
    if (at > (words[RESULT_SIZE_WORD] ?? 0)) return handOver(tensors);
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
    return undefined;
  }
}

function handOver(tensors: readonly Tensor[]): LargeResult {
  const value: LargeOutput[] = tensors.map((tensor) => ({
    dims: [...tensor.dims],
    bytes: tensor.type === 'string' ? encodedTensor(tensor) : bytesOfTensor(tensor),
  }));
  return { value, transfer: [...new Set(value.map((output) => output.bytes.buffer as ArrayBuffer))] };
}

function encodedTensor(tensor: Tensor): Uint8Array {
  const strings = tensor.data as string[];
  const bytes = Buffer.from(new ArrayBuffer(encodedByteSize(strings)));
  encodeStrings(strings, bytes, 0);
  return bytes;
}

function outputByteSize(tensor: Tensor): number {
  return tensor.type === 'string'
    ? encodedByteSize(tensor.data as string[])
    : (tensor.data as Uint8Array).byteLength;
}

function bytesOfTensor(tensor: Tensor): Uint8Array {
  const data = tensor.data as Uint8Array;
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function readSegments(words: Float64Array, start: number, count: number): Segment[] {
  return Array.from({ length: count }, (_, index) => ({
    byteSize: words[start + 2 * index] ?? 0,
    elementCount: words[start + 2 * index + 1] ?? 0,
  }));
}

function isSameHeader(header: Float64Array, words: Float64Array): boolean {
  for (let index = 0; index < header.length; index++) {
    if (header[index] !== words[FEED_WORDS + index]) return false;
  }
  return true;
}

function nowNs(): number {
  return Number(process.hrtime.bigint());
}
