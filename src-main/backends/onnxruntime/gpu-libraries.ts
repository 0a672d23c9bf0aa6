// The libraries that `conch gpu install` fetched, as this room uses them: the native half of onnxruntime-node is loaded
// out of their folder, since the runtime looks for its providers beside itself, and NVIDIA's libraries are loaded before
// a provider asks for them by name, since no search path leads to that folder.

import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

import { installedLibraries, libraryFolder } from '../../gpu/libraries/library-folder.ts';

/** glibc's RTLD_NODELETE: the library stays, although Node closes a file that is none of its modules. */
const RTLD_NODELETE = 0x1000;
const NATIVE_HALF = 'onnxruntime_binding.node';
const NVIDIA_PROVIDERS = new Set(['cuda', 'tensorrt']);

/** Folder with all libraries for this version of ONNX Runtime; undefined where not all of them are there. */
export function fetchedFolder(version: string): string | undefined {
  const folder = libraryFolder(version);
  return installedLibraries(folder) === undefined ? undefined : folder;
}

/** Makes the library's own JavaScript half use the native half that lies in `folder`. Call before it is loaded. */
export function useNativeHalf(library: string, folder: string): void {
  const require = createRequire(path.join(path.dirname(library), 'binding.js'));
  const native = `../bin/napi-v6/${process.platform}/${process.arch}/onnxruntime_binding.node`;
  const usual = require.resolve(native);
  const own = path.join(folder, NATIVE_HALF);
  require(own);
  require.cache[usual] = require.cache[own];
}

/** What the native half that lies in `folder` exports. */
export function nativeHalfOf(folder: string): unknown {
  return createRequire(import.meta.url)(path.join(folder, NATIVE_HALF));
}

let isPreloaded = false;

/** Loads what these providers need by name. Libraries that are missing are named by the provider's own error. */
export function preloadFor(providers: readonly string[], folderOf: () => string | undefined): void {
  if (isPreloaded || !providers.some((name) => NVIDIA_PROVIDERS.has(name))) return;
  const folder = folderOf();
  if (folder === undefined) return;
  isPreloaded = true;
  const flags = os.constants.dlopen.RTLD_LAZY | os.constants.dlopen.RTLD_GLOBAL | RTLD_NODELETE;
  for (const name of installedLibraries(folder)?.preload ?? []) {
    try {
      process.dlopen({ exports: {} }, path.join(folder, name), flags);
    } catch {
      // Always thrown, since it is no module of Node; the library is there all the same.
    }
  }
}
