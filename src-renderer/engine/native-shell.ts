// The desktop app around this page, when there is one. In a browser it is absent; every use has a path without it.

import type {
  ShellBridge,
  ShellCallArgs,
  ShellCallName,
  ShellCallResult,
} from '../../src-shared/contract/shell-calls.ts';
import { errorFromWire } from '../../src-shared/errors.ts';

declare global {
  interface Window {
    readonly conchShell?: ShellBridge;
  }
}

/** What the desktop app around the page can do; there is none in a browser. */
export interface NativeShell extends Omit<ShellBridge, 'call'> {
  /** Rejects with ServerError, as calls of the engine do. */
  call<N extends ShellCallName>(name: N, args: ShellCallArgs<N>): Promise<ShellCallResult<N>>;
}

/** Undefined in a browser. */
export function nativeShell(): NativeShell | undefined {
  const bridge = window.conchShell;
  if (bridge === undefined) return undefined;
  return {
    ...bridge,
    call: async (name, args) => {
      const answer = await bridge.call(name, args);
      if ('error' in answer) throw errorFromWire(answer.error);
      return answer.value;
    },
  };
}
