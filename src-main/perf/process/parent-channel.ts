// Messages to and from the process that started this one: Node's IPC channel, or the port of an Electron utility process.

export interface ParentChannel {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** The process above is gone. */
  onClose(listener: () => void): void;
}

interface UtilityPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

/** undefined when nobody above listens. */
export function parentChannel(): ParentChannel | undefined {
  const { parentPort } = process as unknown as { readonly parentPort?: UtilityPort };
  if (parentPort !== undefined) {
    return {
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data)),
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
    onClose: (listener) => void process.once('disconnect', listener),
  };
}
