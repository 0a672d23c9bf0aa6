// What the catalog keeps of one model folder, and how folders that share a name are told apart: one of them is the
// model's, the others are only shown.

import { emptyModelConfig } from '../../../src-shared/config/config-defaults.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import type { FolderLocation } from '../../repository/repository-scanner.ts';
import type { FolderFacts } from './folder-facts.ts';
import { emptyFolderFacts } from './folder-facts.ts';

/** Names of models whose views changed, or that are gone. */
export interface CatalogChange {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** What the catalog knows of one model folder, brought up to date by the catalog alone. */
export interface CatalogEntry {
  readonly location: FolderLocation;
  facts: FolderFacts;
  diskConfig: ModelConfig;
  issues: readonly ConfigIssueView[];
  changedOnDisk: boolean;
  /** Text of the file that the serving version was loaded from; undefined = not known, or there was none. */
  loadedText: string | undefined;
  /** The other repository with a folder of that name, where that is a fault; "" = none. */
  duplicateOf: string;
  loadError: string;
}

/** An entry of a folder that nobody has read yet: no versions, an empty configuration, no findings. */
export function newEntry(location: FolderLocation): CatalogEntry {
  return {
    location,
    facts: emptyFolderFacts(location.path),
    diskConfig: emptyModelConfig({ name: location.name }),
    issues: [],
    changedOnDisk: false,
    loadedText: undefined,
    duplicateOf: '',
    loadError: '',
  };
}

/** Versions that lie on disk, loaded or not. */
export function versionNumbers({ facts }: CatalogEntry): number[] {
  return facts.versions.map(({ version }) => Number(version));
}

/** Model folders by name, where several repositories may have one of that name. */
export interface SortedLocations {
  /** By name, the folder that counts. */
  readonly first: ReadonlyMap<string, FolderLocation>;
  /** By name, the folders that stand behind it; only names that have any. */
  readonly behind: ReadonlyMap<string, readonly FolderLocation[]>;
}

/** Of folders with one name the first counts: the one for which `isListed`, else by the order of the repositories. */
export function sortLocations(
  locations: readonly FolderLocation[],
  roots: readonly string[],
  isListed: (location: FolderLocation) => boolean,
): SortedLocations {
  const rank = (location: FolderLocation): number =>
    isListed(location) ? -1 : roots.indexOf(location.repository);
  const first = new Map<string, FolderLocation>();
  const behind = new Map<string, FolderLocation[]>();
  for (const location of locations.toSorted((a, b) => rank(a) - rank(b))) {
    const { name } = location;
    if (name.startsWith('.')) continue;
    if (!first.has(name)) first.set(name, location);
    else behind.set(name, [...(behind.get(name) ?? []), location]);
  }
  return { first, behind };
}

/**
 * Notes in each entry which repository has its name too, which is a fault unless each has a namespace. `behind`: the
 * other folders of a name. Returns the names for which that changed.
 */
export function markDuplicates(
  entries: ReadonlyMap<string, CatalogEntry>,
  behind: ReadonlyMap<string, readonly CatalogEntry[]>,
  isNamespaced: boolean,
): readonly string[] {
  const changed = new Set<string>();
  const mark = (entry: CatalogEntry, other: CatalogEntry | undefined): void => {
    const duplicateOf = isNamespaced ? '' : (other?.location.repository ?? '');
    if (entry.duplicateOf !== duplicateOf) changed.add(entry.location.name);
    entry.duplicateOf = duplicateOf;
  };
  for (const [name, entry] of entries) {
    const others = behind.get(name) ?? [];
    mark(entry, others[0]);
    for (const other of others) mark(other, entry);
  }
  return [...changed];
}
