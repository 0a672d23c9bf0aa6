// The one place that loads onnxruntime-node. Loaded inside instance workers only: its calls block their thread.
// Float16Array is removed first: where it exists the library expects it for FP16 tensors, and its native half then
// refuses them; without it FP16 travels as Uint16Array, which works everywhere.

import { createRequire } from 'node:module';
import type * as OrtModule from 'onnxruntime-node';

export type Ort = typeof OrtModule;

let loaded: Ort | undefined;

export function loadOrt(): Ort {
  if (loaded === undefined) {
    Reflect.deleteProperty(globalThis, 'Float16Array');
    loaded = createRequire(import.meta.url)('onnxruntime-node') as Ort;
    // Warnings about unused weights and the like would fill the server's standard error.
    loaded.env.logLevel = 'error';
  }
  return loaded;
}
