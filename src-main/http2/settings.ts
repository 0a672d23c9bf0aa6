// The settings of both sides (RFC 9113, 6.5.2): ours as they are told, theirs checked. Settings that are not known are
// passed over.

import {
  ConnectionFault,
  DEFAULT_FRAME_BYTES,
  DEFAULT_WINDOW,
  FAULT,
  FRAME,
  MAX_WINDOW,
  SETTING,
} from './codes.ts';
import { numberFrame, settingsFrame } from './frame-writer.ts';
import { LIMITS } from './limits.ts';

const MAX_FRAME_BYTES = 2 ** 24 - 1;

/** With which a server begins: its settings, and the window of the connection. */
export const FIRST_FRAMES: Uint8Array = Buffer.concat([
  settingsFrame([
    [SETTING.maxConcurrentStreams, LIMITS.streams],
    [SETTING.initialWindowSize, LIMITS.streamWindow],
    [SETTING.maxFrameSize, LIMITS.frameBytes],
    [SETTING.maxHeaderListSize, LIMITS.headerListBytes],
  ]),
  numberFrame(FRAME.windowUpdate, 0, LIMITS.connectionWindow - DEFAULT_WINDOW),
]);

/** What the other side said in its SETTINGS; undefined = not said, so that the default counts. */
export interface PeerSettings {
  headerTableBytes: number | undefined;
  initialWindow: number | undefined;
  maxFrameBytes: number | undefined;
  maxStreams: number | undefined;
}

/** Throws ConnectionFault for values that are not allowed; the last of several counts. */
export function readPeerSettings(payload: Buffer): PeerSettings {
  const settings: PeerSettings = {
    headerTableBytes: undefined,
    initialWindow: undefined,
    maxFrameBytes: undefined,
    maxStreams: undefined,
  };
  for (let at = 0; at < payload.length; at += 6) {
    const value = payload.readUInt32BE(at + 2);
    switch (payload.readUInt16BE(at)) {
      case SETTING.headerTableSize:
        settings.headerTableBytes = Math.min(value, settings.headerTableBytes ?? value);
        break;
      case SETTING.enablePush:
        if (value > 1) throw new ConnectionFault(FAULT.protocol, 'wrong ENABLE_PUSH');
        break;
      case SETTING.maxConcurrentStreams:
        settings.maxStreams = value;
        break;
      case SETTING.initialWindowSize:
        if (value > MAX_WINDOW) throw new ConnectionFault(FAULT.flowControl, 'wrong INITIAL_WINDOW_SIZE');
        settings.initialWindow = value;
        break;
      case SETTING.maxFrameSize:
        if (value < DEFAULT_FRAME_BYTES || value > MAX_FRAME_BYTES) {
          throw new ConnectionFault(FAULT.protocol, 'wrong MAX_FRAME_SIZE');
        }
        settings.maxFrameBytes = value;
        break;
      default:
    }
  }
  return settings;
}
