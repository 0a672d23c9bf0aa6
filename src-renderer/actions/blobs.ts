// Files to the engine and results back, in pieces of at most 48 KiB with progress. Aborting releases what was sent.

import type { EngineClient } from '../engine/engine-client.ts';

/** Of one message. */
export const PIECE_BYTES = 49_152;
/** A large tensor is thousands of pieces: one after the other it would be their way there and back that takes the time. */
export const READS_AT_ONCE = 6;

/** How a transfer is followed and ended. */
export interface TransferOptions {
  readonly signal?: AbortSignal | undefined;
  /** 0..1 */
  readonly onProgress?: (share: number) => void;
}

/** Id of the blob that now holds the bytes. */
export async function uploadBlob(
  client: EngineClient,
  bytes: Uint8Array,
  { signal, onProgress }: TransferOptions = {},
): Promise<string> {
  const { blob } = await client.call('blob/create', {}, { signal });
  try {
    for (let offset = 0; offset < bytes.byteLength; offset += PIECE_BYTES) {
      const piece = bytes.subarray(offset, offset + PIECE_BYTES);
      await client.call('blob/append', { blob, base64: toBase64(piece) }, { signal });
      onProgress?.(Math.min(1, (offset + PIECE_BYTES) / bytes.byteLength));
    }
    return blob;
  } catch (thrown) {
    releaseBlob(client, blob);
    throw thrown;
  }
}

/** Bytes [offset, offset + byteSize) of a blob, or as many as there are. */
export async function readBlob(
  client: EngineClient,
  blob: string,
  range: { readonly offset: number; readonly byteSize: number },
  { signal, onProgress }: TransferOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(range.byteSize);
  let [asked, done, end] = [0, 0, range.byteSize];
  const readOn = async (): Promise<void> => {
    while (asked < end) {
      const start = asked;
      asked = Math.min(asked + PIECE_BYTES, end);
      const stop = asked;
      for (let at = start; at < stop;) {
        const args = { blob, offset: range.offset + at, byteSize: stop - at };
        const piece = fromBase64((await client.call('blob/read', args, { signal })).base64);
        if (piece.byteLength === 0) {
          end = Math.min(end, at);
          break;
        }
        bytes.set(piece, at);
        at += piece.byteLength;
        done += piece.byteLength;
        onProgress?.(done / range.byteSize);
      }
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, readOn));
  signal?.throwIfAborted();
  return bytes.subarray(0, end);
}

/** Nobody waits for it: a blob that stays is dropped by the engine when it needs the room. */
export function releaseBlob(client: EngineClient, blob: string): void {
  void client.call('blob/release', { blob }).catch(() => undefined);
}

/** `btoa` takes a string of bytes. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The bytes that the engine sent as a text. */
export function fromBase64(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
