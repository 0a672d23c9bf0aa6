// Files to the engine and results back, in pieces of at most 48 KiB with progress. Aborting releases what was sent.

import type { EngineClient } from '../engine/engine-client.ts';

const PIECE_BYTES = 49_152;

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
  const pieces: Uint8Array[] = [];
  let done = 0;
  while (done < range.byteSize) {
    const byteSize = Math.min(PIECE_BYTES, range.byteSize - done);
    const { base64 } = await client.call(
      'blob/read',
      { blob, offset: range.offset + done, byteSize },
      { signal },
    );
    const piece = fromBase64(base64);
    if (piece.byteLength === 0) break;
    pieces.push(piece);
    done += piece.byteLength;
    onProgress?.(done / range.byteSize);
  }
  const bytes = new Uint8Array(done);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
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

function fromBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
