// Names of the channels between preload and Electron's main process, and of the window message that carries an
// engine port to the page; spelled here and nowhere else. Kept apart from the calls so that the preload stays small.

/** Names of Electron's channels between a page and the main process. */
export const SHELL_CHANNELS = {
  /** Page to main, with a reply: a shell call. */
  call: 'conch:call',
  /** Page to main: it can take an engine port now. */
  wantEnginePort: 'conch:want-engine-port',
  /** Main to page, with one port. */
  enginePort: 'conch:engine-port',
  /** Main to page: what the desktop asks of it. */
  request: 'conch:request',
  /** Page to main: it listens to requests now. */
  wantRequests: 'conch:want-requests',
} as const;

/** `type` of the message that brings the page its port. */
export const ENGINE_PORT_MESSAGE = 'conch:engine-port';
