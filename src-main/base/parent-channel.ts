// Messages to and from the process that started this one: Node's IPC channel, or the port of an Electron utility process.

/** The way to the process that started this one. */
export interface ParentChannel {
  /** A structured clone, or JSON on the channel of Node. Goes nowhere when the process above is gone. */
  send(message: unknown): void;
  /** Every listener gets every message, in the order in which they were sent. */
  onMessage(listener: (message: unknown) => void): void;
  /** Sends the one answer of a process that has nothing else to do, and ends the channel where it can be ended. */
  answer(message: unknown): void;
  /** The process above is gone. */
  onClose(listener: () => void): void;
}

interface UtilityPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

/** undefined when nobody above listens. */
export function parentChannel(): ParentChannel | undefined {
  const { parentPort } = process as { readonly parentPort?: UtilityPort };
  if (parentPort !== undefined) {
    return {
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data)),
      // Its port stays open: whoever asked ends the process.
      answer: (message) => parentPort.postMessage(message),
      // A utility process is ended with its parent.
      onClose: () => undefined,
    };
  }
  if (process.send === undefined) return undefined;
  return {
    send: (message) => {
      if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
    },
    onMessage: (listener) => void process.on('message', listener),
    answer: (message) => process.send?.(message, () => process.disconnect()),
    onClose: (listener) => void process.once('disconnect', listener),
  };
}
