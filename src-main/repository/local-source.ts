// Where a version is built from: its folder in the repository, or a copy of it where the repository is in an object
// store. Each version has a copy of its own, from the begin of its load until it is closed.

import type { Disposer } from '../base/disposer.ts';
import { objectStores } from '../object-stores/shared-stores.ts';
import { isStorePath } from '../object-stores/store-path.ts';
import type { LoadStopwatch } from './load-stopwatch.ts';
import type { Model } from './model.ts';
import type { PolledModel } from './polled-model.ts';
import type { OwnFolder } from './source-lease.ts';

/** As polled, with a `modelDir` on this machine. */
export interface LocalSource extends PolledModel {
  /** What has to be removed with the version. */
  readonly copy?: OwnFolder;
}

/** Copies where it must; the copy belongs to `undo` until the version is built. */
export async function localSource(
  polled: PolledModel,
  { signal, onPhase }: { readonly signal: AbortSignal; readonly onPhase: (text: string) => void },
  stopwatch: LoadStopwatch,
  undo: Disposer,
): Promise<LocalSource> {
  if (!isStorePath(polled.modelDir)) return polled;
  stopwatch.enter('downloading model');
  let told = 0;
  const onProgress = (doneBytes: number, totalBytes: number): void => {
    const percent = totalBytes === 0 ? 100 : Math.floor((100 * doneBytes) / totalBytes);
    if (percent === told) return;
    told = percent;
    onPhase(`downloading model: ${percent} % of ${sizeText(totalBytes)}`);
  };
  const copy = await objectStores.copy(polled.modelDir, { signal, onProgress });
  undo.defer(() => copy.remove());
  return { ...polled, modelDir: copy.path, copy };
}

/** Where the files of a serving version are, for a change that does not build it anew. */
export function localDir(polled: PolledModel, model: Model): string {
  return isStorePath(polled.modelDir) ? model.modelDir : polled.modelDir;
}

function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
