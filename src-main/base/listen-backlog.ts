/**
 * Connections that the system holds for a listener until the event loop takes them. Beyond it, it drops them without a
 * word, and their clients try again after one second, three and seven. Linux cuts it to net.core.somaxconn, 4096 unless
 * it was changed; Node's default of 511 is less than clients can open in the moments that a loop may be busy.
 */
export const LISTEN_BACKLOG = 4096;
