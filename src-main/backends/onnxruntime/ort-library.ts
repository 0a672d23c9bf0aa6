// The one place that loads onnxruntime-node, or its native half alone, which is all that instances need: its JavaScript half
// is thirty files more for each of their threads. Its calls block their thread: loaded inside
// instance workers, its native half also by the event loop for runs shorter than the way to a worker (inline-runs.ts).
// Float16Array is removed first: where it exists the library expects it for FP16 tensors, and its native half then
// refuses them; without it FP16 travels as Uint16Array, which works everywhere.

import './no-telemetry.ts';
import { createRequire } from 'node:module';
import type * as OrtModule from 'onnxruntime-node';

import { libraryVersion, nativeFolder } from './available-providers.ts';
import { fetchedFolder, nativeHalfOf, preloadFor, useNativeHalf } from './gpu-libraries.ts';

/** The module of onnxruntime-node. */
export type Ort = typeof OrtModule;

let loaded: Ort | undefined;

/**
 * The library, loaded once in a thread. Throws what `require` throws where its native half does not fit the
 * system.
 */
export function loadOrt(): Ort {
  if (loaded === undefined) {
    Reflect.deleteProperty(globalThis, 'Float16Array');
    const require = createRequire(import.meta.url);
    const folder = gpuFolder();
    if (folder !== undefined) useNativeHalf(require.resolve('onnxruntime-node'), folder);
    loaded = require('onnxruntime-node') as Ort;
    // Warnings about unused weights and the like would fill the server's standard error.
    loaded.env.logLevel = 'error';
  }
  return loaded;
}

/** What the library's file `onnxruntime_binding.node` exports. */
export function loadNativeHalf(): unknown {
  Reflect.deleteProperty(globalThis, 'Float16Array');
  return nativeHalfOf(runtimeFolder());
}

/** Where the native half lies, and the runtime itself. */
export function runtimeFolder(): string {
  return gpuFolder() ?? nativeFolder();
}

/** Call before a session is made with these providers. */
export function prepareProviders(names: readonly string[]): void {
  preloadFor(names, gpuFolder);
}

let fetched: { readonly folder: string | undefined } | undefined;

/** Where the native half lies that GPU providers need; undefined without one. */
function gpuFolder(): string | undefined {
  fetched ??= { folder: fetchedFolder(libraryVersion()) };
  return fetched.folder;
}
