// How this window reaches its engine: the port that the preload script hands over in the desktop app, else a WebSocket
// to the server that sent this page. Chooses once, at start.

import type { ShellBridge } from '../../src-shared/contract/shell-calls.ts';
import { ENGINE_PORT_MESSAGE } from '../../src-shared/contract/shell-channels.ts';
import type { Channel } from '../../src-shared/rpc/channel.ts';
import type { PortLike } from '../../src-shared/rpc/port-channel.ts';
import { portChannel } from '../../src-shared/rpc/port-channel.ts';
import { socketChannel } from '../../src-shared/rpc/socket-channel.ts';
import type { ConnectionLimits, OpenChannel } from './engine-connection.ts';
import { TokenRefusedError } from './engine-connection.ts';
import { nativeShell } from './native-shell.ts';
import { bearerOf, pageToken } from './page-token.ts';
import { socketUrl, takeEarlySocket } from './socket-url.ts';

/**
 * Opens one channel per call. To be asked for once per window: in the desktop app it listens for ports from
 * then on.
 */
export function engineOpener(): OpenChannel {
  const shell = nativeShell();
  return shell === undefined ? openSocketChannel : portOpener(window, shell);
}

const QUIET_MS = 8000;
/** Calls that run end with their channel, so a network that comes back within a minute is waited for. */
const GIVE_UP_MS = 60_000;
const OPEN_MS = 15_000;

/** A socket may be dead without a word, and another one may reach the server; a port lives as long as the engine. */
export function connectionLimits(): ConnectionLimits {
  return nativeShell() === undefined
    ? { quietMs: QUIET_MS, giveUpMs: GIVE_UP_MS, openMs: OPEN_MS }
    : { quietMs: QUIET_MS };
}

/** The first port is asked for; each restart of the engine brings another, and one that came early waits here. */
function portOpener(target: Window, shell: Pick<ShellBridge, 'requestEnginePort'>): OpenChannel {
  let newest: MessagePort | undefined;
  let wake: (() => void) | undefined;
  target.addEventListener('message', (event: MessageEvent<unknown>) => {
    const [port] = event.ports;
    if (event.source !== target || port === undefined || !isPortMessage(event.data)) return;
    newest = port;
    wake?.();
  });
  shell.requestEnginePort();
  return async (signal) => {
    while (newest === undefined) {
      await new Promise<void>((resolve, reject) => {
        wake = resolve;
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    }
    const port = newest as PortLike;
    newest = undefined;
    return portChannel(port);
  };
}

function isPortMessage(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === ENGINE_PORT_MESSAGE;
}

/** The token is read for every attempt: it may have been replaced meanwhile. */
const openSocketChannel: OpenChannel = async (signal) => {
  const token = pageToken();
  try {
    return await channelOf(takeEarlySocket() ?? new WebSocket(socketUrl(token)), signal);
  } catch (thrown) {
    if (await isRefused(token, signal)) throw new TokenRefusedError();
    throw thrown;
  }
};

/** Resolves when the socket is open, at once when it is already. */
function channelOf(socket: WebSocket, signal: AbortSignal): Promise<Channel> {
  return new Promise<Channel>((resolve, reject) => {
    const channel = socketChannel(socket);
    const fail = (): void => reject(new Error('no answer from the server process'));
    channel.onClose(fail);
    if (socket.readyState === WebSocket.OPEN) resolve(channel);
    else if (socket.readyState === WebSocket.CONNECTING)
      socket.addEventListener('open', () => resolve(channel), { once: true });
    else fail();
    signal.addEventListener('abort', () => socket.close(), { once: true });
  });
}

/** A refused WebSocket does not tell its page why, so the server is asked. False while nobody answers. */
async function isRefused(token: string | undefined, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch('/session', { headers: bearerOf(token), signal });
    return answer.status === 401;
  } catch {
    return false;
  }
}
