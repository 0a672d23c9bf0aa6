// What single frames must be.

import { ConnectionFault, FAULT, StreamFault } from './codes.ts';

/** PRIORITY says nothing that is used here, but has to be right. */
export function checkPriority(stream: number, payload: Buffer): void {
  if (stream === 0) throw new ConnectionFault(FAULT.protocol, 'PRIORITY without a stream');
  if ((payload.readUInt32BE(0) & 0x7fff_ffff) === stream) {
    throw new StreamFault(stream, FAULT.protocol, 'a stream that depends on itself');
  }
}

/** Payload of a padded DATA frame without length and padding. */
export function unpadded(payload: Buffer): Buffer {
  const padding = payload[0] ?? payload.length;
  if (padding >= payload.length) throw new ConnectionFault(FAULT.protocol, 'wrong padding');
  return payload.subarray(1, payload.length - padding);
}
