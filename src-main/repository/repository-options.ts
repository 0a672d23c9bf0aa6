// What the model repository can be told. Built once, never changed; run-time additions of repositories are calls on
// ModelRepository, not changes of options.

import type { RootSwitches } from './repository-roots.ts';

/** How the wire may control models; calls from the window work in every mode. */
export type ModelControlMode = 'none' | 'poll' | 'explicit';

/** Where models are found, and when they are loaded. */
export interface RepositoryOptions {
  /** Repository roots; the same text twice counts once. */
  readonly paths: readonly string[];
  /** Of these, those that are switched off, and those that are not watched. */
  readonly switches: RootSwitches;
  readonly controlMode: ModelControlMode;
  /** Period of polling in mode `poll`; 0 = only the initial load. */
  readonly pollSec: number;
  /** Models loaded at start in mode `explicit`; `['*']` = all. */
  readonly startupModels: readonly string[];
  /** Selects `configs/<name>.pbtxt` over `config.pbtxt` where it exists; "" = never. */
  readonly modelConfigName: string;
  /** Versions loaded at the same time, at least 1. */
  readonly loadThreadCount: number;
  /** Further attempts after a failed load. */
  readonly loadRetryCount: number;
  /** The same model name may exist in several repositories. */
  readonly namespacing: boolean;
  /** False = strict mode: configurations must be complete. */
  readonly autoCompleteConfig: boolean;
  /** File overrides of load calls may carry code (.py, .js, native libraries). */
  readonly allowCodeOverride: boolean;
  /** Folder of repository agent libraries, named in messages about agents that do not exist. */
  readonly agentDirectory: string;
  /** Model name -> why it must not be loaded by itself (it ended the engine before). */
  readonly quarantined: ReadonlyMap<string, string>;
  /** Watch the folders and report changed models (outside poll mode the changes are only marked). */
  readonly watch: boolean;
  /** A repository that cannot be read fails the start. False: it is reported and counts as empty. */
  readonly requiresRoots: boolean;
}

/** A repository without folders, with the reference's defaults. */
export const defaultRepositoryOptions: RepositoryOptions = {
  paths: [],
  switches: { disabled: [], unwatched: [], untrusted: [] },
  controlMode: 'none',
  pollSec: 15,
  startupModels: [],
  modelConfigName: '',
  loadThreadCount: 4,
  loadRetryCount: 0,
  namespacing: false,
  autoCompleteConfig: true,
  allowCodeOverride: false,
  agentDirectory: '/opt/tritonserver/repoagents',
  quarantined: new Map(),
  watch: false,
  requiresRoots: true,
};
