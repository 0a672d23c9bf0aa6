// Where the window's socket to its server is, and the one that was opened before the window's script was there.

declare global {
  interface Window {
    conchEarlySocket?: WebSocket | undefined;
  }
}

/** On the server that sent this page, which refuses whoever has no token. */
export function socketUrl(token: string | undefined): string {
  const { protocol, host } = window.location;
  const query = token === undefined ? '' : `?token=${encodeURIComponent(token)}`;
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/rpc${query}`;
}

/** The first caller gets the early socket, in whatever state it is; undefined when there was none. */
export function takeEarlySocket(): WebSocket | undefined {
  const socket = window.conchEarlySocket;
  window.conchEarlySocket = undefined;
  return socket;
}
