// The desktop app around this page, when there is one. In a browser it is absent; every use has a path without it.

import type { ShellBridge } from '../../src-shared/contract/shell-calls.ts';

declare global {
  interface Window {
    readonly conchShell?: ShellBridge;
  }
}

export function nativeShell(): ShellBridge | undefined {
  return window.conchShell;
}
