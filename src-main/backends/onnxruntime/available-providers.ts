// Which execution providers this machine can load. The library lists what it was built for; CUDA and TensorRT also
// need libraries that are fetched separately, and asking for them without these only fills the log.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { fetchedFolder } from './gpu-libraries.ts';

/** Provider name -> library beside the binding that must exist for it, on the platforms that have it. */
const EXTRA_LIBRARIES: Readonly<Record<string, string>> = {
  cuda: 'onnxruntime_providers_cuda',
  tensorrt: 'onnxruntime_providers_tensorrt',
};

interface SupportedBackend {
  readonly name: string;
  readonly bundled: boolean;
}

/** Names of the usable ones among what the library was built for. Call in a worker: it loads the library. */
export function usableProviders(supported: readonly SupportedBackend[]): string[] {
  return supported.filter(({ name, bundled }) => bundled || hasLibrary(name)).map(({ name }) => name);
}

/** Version of the library that is installed. */
export function libraryVersion(): string {
  const library = createRequire(import.meta.url).resolve('onnxruntime-node');
  const text = readFileSync(path.resolve(path.dirname(library), '../package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** Folder of the native files for this platform. */
export function nativeFolder(): string {
  const library = createRequire(import.meta.url).resolve('onnxruntime-node');
  return path.resolve(path.dirname(library), '../bin/napi-v6', process.platform, process.arch);
}

function hasLibrary(name: string): boolean {
  const library = EXTRA_LIBRARIES[name];
  if (library === undefined) return false;
  const file = process.platform === 'win32' ? `${library}.dll` : `lib${library}.so`;
  return existsSync(path.join(fetchedFolder(libraryVersion()) ?? nativeFolder(), file));
}
