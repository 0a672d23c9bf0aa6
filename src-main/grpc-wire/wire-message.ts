// One protobuf message as it lies in memory: its parts, one behind the other. Large messages are never put together.

/** Bytes of one message or field, in the pieces in which they were received. The pieces are never written to. */
export type WireMessage = readonly Uint8Array[];

/** In front of each message on a stream: whether it is compressed (1 byte), and its length (4, big-endian). */
export const MESSAGE_PREFIX_BYTES = 5;

/** Longest message: protobuf counts in signed 32-bit numbers. */
export const MAX_MESSAGE_BYTES = 2_147_483_647;

/** Bytes of all parts together. */
export function byteSizeOf(message: WireMessage): number {
  let byteSize = 0;
  for (const part of message) byteSize += part.byteLength;
  return byteSize;
}

/** One view of the whole message; copies only when there is more than one part. */
export function joined(message: WireMessage): Uint8Array {
  const [first] = message;
  return message.length === 1 && first !== undefined ? first : Buffer.concat(message);
}

/** More than a socket ever hands over at once, so that memory of this size holds one message and nothing else. */
const OWN_BYTES = 256 * 1024;
const NONE: readonly ArrayBuffer[] = [];

/** Large memory that holds this message and nothing else. */
export function ownMemory(message: WireMessage): readonly ArrayBuffer[] {
  const [part] = message;
  if (message.length !== 1 || part === undefined || part.buffer.byteLength < OWN_BYTES) return NONE;
  return part.buffer instanceof ArrayBuffer ? [part.buffer] : NONE;
}
