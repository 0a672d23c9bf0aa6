// What the catalog keeps of one model folder, and how folders that share a name are told apart: one of them is the
// model's, the others are only shown.

import { emptyModelConfig } from '../../../src-shared/config/config-defaults.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import type { VersionRecord } from '../../repository/model-lifecycle.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
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
  /** The other repository with a folder of that name, where that is a fault; undefined = none. */
  duplicateOf: string | undefined;
  /** Of the last load that a client asked for; undefined = it succeeded, or there was none. */
  loadError: string | undefined;
  /**
   * The files that the last load failed with, as a text for each model that it built; undefined = it succeeded, there was
   * none, or they were not read yet.
   */
  failedFiles: ReadonlyMap<string, string> | undefined;
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
    duplicateOf: undefined,
    loadError: undefined,
    failedFiles: undefined,
  };
}

/** The versions of the model of that folder; `isFirst`: calls by its name mean this folder. */
export function recordsOf(
  models: ReturnType<ModelRepository['models']>,
  { location: { name, repository } }: CatalogEntry,
  isFirst: boolean,
): readonly VersionRecord[] {
  for (const { id, versions } of models) {
    if (id.name === name && (id.namespace === '' ? isFirst : id.namespace === repository)) return versions;
  }
  return [];
}

/** Ensembles that have the model as a step. */
export function usersOf(name: string, entries: ReadonlyMap<string, CatalogEntry>): readonly string[] {
  return [...entries].flatMap(([other, { diskConfig }]) =>
    diskConfig.ensembleScheduling?.step.some((step) => step.modelName === name) === true ? [other] : [],
  );
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
    const duplicateOf = isNamespaced ? undefined : other?.location.repository;
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

/** The folders that stand behind others, with what is known of those that stay; `fresh` are those to be read. */
export function withKnown(
  locations: ReadonlyMap<string, readonly FolderLocation[]>,
  before: ReadonlyMap<string, readonly CatalogEntry[]>,
): {
  readonly behind: ReadonlyMap<string, readonly CatalogEntry[]>;
  readonly fresh: readonly CatalogEntry[];
} {
  const known = new Map([...before.values()].flat().map((entry) => [entry.location.path, entry]));
  const keep = (location: FolderLocation): CatalogEntry => known.get(location.path) ?? newEntry(location);
  const behind = new Map([...locations].map(([name, each]) => [name, each.map(keep)]));
  return { behind, fresh: [...behind.values()].flat().filter(({ location }) => !known.has(location.path)) };
}

/**
 * Why models could not be loaded whose repositories cannot be read now: those may come back, with their models as they
 * were.
 */
export class AwayErrors {
  readonly #byPath = new Map<string, string | undefined>();

  /** Does nothing for an entry whose repository can be read. */
  keep(entry: CatalogEntry | undefined, unreadable: ReadonlyMap<string, string>): void {
    if (entry !== undefined && unreadable.has(entry.location.repository))
      this.#byPath.set(entry.location.path, entry.loadError);
  }

  /** undefined = none was kept. */
  take(path: string): string | undefined {
    const error = this.#byPath.get(path);
    this.#byPath.delete(path);
    return error;
  }
}

/** Entries whose folders are not listed any more, or could not be read and may have come back. */
export function unreadOf(
  entries: ReadonlyMap<string, CatalogEntry>,
  listed: ReadonlyMap<string, FolderLocation>,
): readonly CatalogEntry[] {
  return [...entries].flatMap(([name, entry]) =>
    !listed.has(name) || entry.facts.error !== undefined ? [entry] : [],
  );
}
