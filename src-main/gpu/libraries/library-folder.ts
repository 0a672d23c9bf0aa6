// Where the libraries for NVIDIA's GPUs lie: in the user's data folder, one folder for each version of ONNX Runtime, never
// among the installed packages. A folder counts once it has its list, which is written last.

import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const LIST = 'installed.json';
/** The binding and the runtime, out of the npm package: the runtime looks for its providers beside itself. */
export const FROM_PACKAGE: readonly string[] = ['onnxruntime_binding.node', 'libonnxruntime.so.1'];

/** What an installation left to be loaded; `byteSize` is all of it on the disk. */
export interface InstalledLibraries {
  /** File names, in the order in which they have to be loaded. */
  readonly preload: readonly string[];
  readonly byteSize: number;
}

/** The folder for a version of ONNX Runtime, there or not. */
export function libraryFolder(
  version: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const data = environment['XDG_DATA_HOME'] ?? path.join(os.homedir(), '.local', 'share');
  return path.join(data, 'conch', 'gpu', version);
}

/** The file that says what is installed; written last, so that it vouches for the others. */
export function listFile(folder: string): string {
  return path.join(folder, LIST);
}

/** Undefined where nothing, or only a part, is installed, or somebody took files away since. */
export function installedLibraries(folder: string): InstalledLibraries | undefined {
  if (![LIST, ...FROM_PACKAGE].every((name) => existsSync(path.join(folder, name)))) return undefined;
  try {
    return JSON.parse(readFileSync(listFile(folder), 'utf8')) as InstalledLibraries;
  } catch {
    return undefined;
  }
}
