// The repository index for clients: one entry per folder that exists now and was never loaded, one per version of
// folders that were. Read from the folders and the lifecycle at the moment of the call.

import type { VersionState } from './lifecycle-state.ts';
import { compareIds, modelKey } from './model-identity.ts';
import type { ModelId, ModelKey } from './model-identity.ts';
import type { FolderLocation } from './repository-scanner.ts';

/** Without `version`, `state` and `reason` for a folder that nobody ever tried to load, as in Triton's answer. */
export interface IndexEntry {
  readonly name: string;
  readonly version?: string;
  readonly state?: VersionState;
  readonly reason?: string;
}

interface IndexVersion {
  readonly version: number;
  readonly state: VersionState;
  readonly reason: string;
}

/** `versions` undefined = the lifecycle never heard of the model. */
export function repositoryIndex(
  locations: readonly FolderLocation[],
  versionsOf: (key: ModelKey) => readonly IndexVersion[] | undefined,
  options: { readonly namespacing: boolean; readonly readyOnly: boolean },
): IndexEntry[] {
  const groups = new Map<ModelKey, { readonly id: ModelId; count: number }>();
  for (const { repository, name } of locations) {
    const id: ModelId = { namespace: options.namespacing ? repository : '', name };
    const group = groups.get(modelKey(id));
    if (group === undefined) groups.set(modelKey(id), { id, count: 1 });
    else group.count += 1;
  }
  const entries: IndexEntry[] = [];
  for (const { id, count } of [...groups.values()].sort((a, b) => compareIds(a.id, b.id))) {
    if (count > 1) {
      entries.push({
        name: id.name,
        state: 'UNAVAILABLE',
        reason: 'model appears in two or more repositories',
      });
      continue;
    }
    entries.push(...entriesOf(id.name, versionsOf(modelKey(id)), options.readyOnly));
  }
  return entries;
}

function entriesOf(
  name: string,
  versions: readonly IndexVersion[] | undefined,
  readyOnly: boolean,
): IndexEntry[] {
  if (versions === undefined) return readyOnly ? [] : [{ name }];
  return versions
    .filter(({ state }) => !readyOnly || state === 'READY')
    .map(({ version, state, reason }) => ({
      name,
      version: String(version),
      state,
      ...(reason === '' ? {} : { reason }),
    }));
}
