// What the peer's SETTINGS and WINDOW_UPDATE change of what is sent to it.

import { ConnectionFault, FAULT, FLAG, FRAME, MAX_WINDOW, StreamFault } from './codes.ts';
import { frame } from './frame-writer.ts';
import { LIMITS } from './limits.ts';
import type { Output, Sender } from './output.ts';
import { readPeerSettings } from './settings.ts';

/** Takes the settings over, for `open` streams too, and says so. Throws ConnectionFault for what is not allowed. */
export function applyPeerSettings(output: Output, payload: Buffer, open: readonly Sender[]): void {
  const { initialWindow, maxFrameBytes, headerTableBytes } = readPeerSettings(payload);
  if (maxFrameBytes !== undefined) output.maxFrameBytes = Math.min(maxFrameBytes, LIMITS.sentFrameBytes);
  if (headerTableBytes !== undefined && headerTableBytes < 4096) output.tableBecameSmaller();
  output.pushControl(frame(FRAME.settings, FLAG.ack, 0, Buffer.alloc(0)));
  if (initialWindow === undefined) return;
  const by = initialWindow - output.initialWindow;
  output.initialWindow = initialWindow;
  for (const sender of open) {
    if (!output.openStream(sender, by)) throw new ConnectionFault(FAULT.flowControl, 'window is too large');
  }
}

/**
 * `by` more bytes on `stream`, or on the connection when `id` is 0. `isKnown`: a stream of this id was open once. Throws
 * StreamFault or ConnectionFault for what is not allowed.
 */
export function applyWindowUpdate(
  output: Output,
  { id, by, stream, isKnown }: { id: number; by: number; stream: Sender | undefined; isKnown: boolean },
): void {
  if (id === 0) {
    if (by === 0) throw new ConnectionFault(FAULT.protocol, 'window update of 0');
    output.openConnection(by);
    return;
  }
  if (stream === undefined) {
    if (isKnown) return;
    throw new ConnectionFault(FAULT.protocol, `stream ${id} is idle`);
  }
  if (by === 0) throw new StreamFault(id, FAULT.protocol, 'window update of 0');
  if (by > MAX_WINDOW || !output.openStream(stream, by)) {
    throw new StreamFault(id, FAULT.flowControl, 'window is too large');
  }
}
