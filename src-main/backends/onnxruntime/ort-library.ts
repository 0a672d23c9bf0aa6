// The one place that loads onnxruntime-node as a whole, for what is run once and away from requests; instances use its
// native half (native-ort.ts). Loaded inside workers only: its calls block their thread.

import { createRequire } from 'node:module';
import type * as OrtModule from 'onnxruntime-node';

export type Ort = typeof OrtModule;
/** What is set for all sessions of a thread. */
export type CommonModule = Pick<Ort, 'env'>;

let loaded: Ort | undefined;

export function loadOrt(): Ort {
  if (loaded === undefined) {
    prepareForOrt();
    loaded = createRequire(import.meta.url)('onnxruntime-node') as Ort;
    quieten(loaded);
  }
  return loaded;
}

/**
 * Removes Float16Array: where it exists the library expects it for FP16 tensors, and its native half then refuses them;
 * without it FP16 travels as Uint16Array, which works everywhere.
 */
export function prepareForOrt(): void {
  Reflect.deleteProperty(globalThis, 'Float16Array');
}

/** Warnings about unused weights and the like would fill the server's standard error. */
export function quieten({ env }: CommonModule): void {
  env.logLevel = 'error';
}
