// Names of the four channels between preload and Electron's main process; spelled here and nowhere else.

export const SHELL_CHANNELS = {
  /** Page to main, with a reply: a shell call. */
  call: 'conch:call',
  /** Page to main: it can take an engine port now. */
  wantEnginePort: 'conch:want-engine-port',
  /** Main to page, with one port. */
  enginePort: 'conch:engine-port',
  /** Main to page: a menu command. */
  command: 'conch:command',
} as const;
