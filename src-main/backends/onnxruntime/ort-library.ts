// The one place that loads onnxruntime-node. Loaded inside instance workers only: its calls block their thread.
// Float16Array is removed first: where it exists the library expects it for FP16 tensors, and its native half then
// refuses them; without it FP16 travels as Uint16Array, which works everywhere.

import './no-telemetry.ts';
import { createRequire } from 'node:module';
import type * as OrtModule from 'onnxruntime-node';

import { libraryVersion } from './available-providers.ts';
import { fetchedFolder, preloadFor, useNativeHalf } from './gpu-libraries.ts';

export type Ort = typeof OrtModule;

let loaded: Ort | undefined;

export function loadOrt(): Ort {
  if (loaded === undefined) {
    Reflect.deleteProperty(globalThis, 'Float16Array');
    const require = createRequire(import.meta.url);
    const folder = fetchedFolder(libraryVersion());
    if (folder !== undefined) useNativeHalf(require.resolve('onnxruntime-node'), folder);
    loaded = require('onnxruntime-node') as Ort;
    // Warnings about unused weights and the like would fill the server's standard error.
    loaded.env.logLevel = 'error';
  }
  return loaded;
}

/** Call before a session is made with these providers. */
export function prepareProviders(names: readonly string[]): void {
  preloadFor(names, fetchedFolder(libraryVersion()));
}
