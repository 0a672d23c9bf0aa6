// Calls about repositories and the models in them. Loads and unloads act in every control mode and can be cancelled.

import { z } from 'zod';

import type { BatchProbeResult } from './config-calls.ts';
import { defineCall } from './define.ts';
import type { ModelView } from './model-view.ts';

/** One folder of models, in the order in which names are looked up. */
export interface RepositoryView {
  readonly path: string;
  readonly modelCount: number;
  readonly isWritable: boolean;
  /** Off: it stays in the list, and none of its models exists. */
  readonly isEnabled: boolean;
  /** Off: changes of its files are noticed only when somebody looks. */
  readonly isWatched: boolean;
  /** Off: models that are code do not load. */
  readonly isTrusted: boolean;
  /** It was asked what it holds at this time, ms since the epoch, and has not answered; undefined = it has. */
  readonly waitingSinceMs: number | undefined;
  /** Somebody stopped waiting for its answer; it is not asked until the next rescan, and `error` says no more than that. */
  readonly isGivenUp: boolean;
  /** Operating system's words when the folder cannot be read, else undefined. */
  readonly error: string | undefined;
}

/** Every repository and model at one moment. While `isScanning`, models that were not found yet are missing. */
export interface RepositorySnapshot {
  readonly repositories: readonly RepositoryView[];
  readonly models: readonly ModelView[];
  readonly isScanning: boolean;
}

/** One file in the folder of a model. */
export interface ModelFileView {
  /** Relative to the model folder, "/" separated. */
  readonly path: string;
  readonly byteSize: number;
  readonly modifiedAtMs: number;
}

/** What a path holds, found by looking at it; nothing is written. */
export interface DropItem {
  readonly path: string;
  readonly kind:
    | 'model'
    | 'repository'
    | 'onnx'
    | 'version'
    | 'config'
    | 'input'
    | 'framework'
    | 'other-format'
    | 'archive'
    | 'folder'
    | 'unknown';
  /** Suggested model name. */
  readonly name: string;
  readonly byteSize: number;
  /** Models found in a repository, each with what is wrong with it; undefined = nothing. */
  readonly models: readonly { readonly name: string; readonly problem: string | undefined }[];
  /** Holds files that run code when loaded. */
  readonly hasCode: boolean;
  /** The user said before that code of this folder may run. */
  readonly isTrusted: boolean;
  /** Set when a model of that name exists in the target repository. */
  readonly conflict: { readonly hasSameInterface: boolean; readonly nextVersion: string } | undefined;
  /** One sentence for the user, e.g. why it is not recognised. */
  readonly message: string;
}

/** One folder of the engine's machine. `looksLike`: what an entry would be imported as, told by its name. */
export interface FolderListing {
  readonly path: string;
  readonly parent: string;
  readonly entries: readonly {
    readonly name: string;
    readonly isFolder: boolean;
    readonly byteSize: number;
    readonly looksLike: DropItem['kind'];
  }[];
  /** Of a file's path that was asked for: its name in this folder. */
  readonly file?: string;
}

const model = z.object({ model: z.string() });

/** Of a model by its name; NOT_FOUND where no repository has it. */
export const repositoryCalls = [
  defineCall('repository/snapshot', z.object({}))<RepositorySnapshot>(),
  /** `configText` replaces the file for this load ("Try without saving"). */
  defineCall('repository/load', z.object({ model: z.string(), configText: z.string().optional() }))<{
    readonly model: ModelView;
  }>(),
  /** Answers when the model is closed, or after a few seconds when requests still hold it. */
  defineCall('repository/unload', z.object({ model: z.string(), unloadDependents: z.boolean() }))<{
    readonly model: ModelView;
    /** By how much the process shrank; undefined when that could not be told apart. */
    readonly freedBytes: number | undefined;
  }>(),
  /** Ends a load that is under way, whoever asked for it. A version that served before goes on. */
  defineCall('repository/stopLoading', model)<void>(),
  /** Drops an override, then loads what is on disk; `force` reloads although nothing changed. */
  defineCall('repository/reload', z.object({ model: z.string(), force: z.boolean() }))<{
    readonly model: ModelView;
  }>(),
  defineCall('repository/files', model)<readonly ModelFileView[]>(),
  /** `trustCode`: code in it may run, which is remembered. Without, and not remembered, models that are code stay off. */
  defineCall('repository/add', z.object({ path: z.string(), load: z.boolean(), trustCode: z.boolean() }))<{
    readonly repository: RepositoryView;
  }>(),
  /** Switches a repository on or off, and the watch over its files. Models that served before are loaded again. */
  defineCall(
    'repository/switch',
    z.object({ path: z.string(), isEnabled: z.boolean().optional(), isWatched: z.boolean().optional() }),
  )<void>(),
  /** Lets the code of a repository run, remembers that, and loads the models that waited for it. */
  defineCall('repository/trust', z.object({ path: z.string() }))<void>(),
  defineCall('repository/remove', z.object({ path: z.string() }))<void>(),
  /** Asks all repositories again, those that were given up too. Answers as soon as the others are listed. */
  defineCall('repository/rescan', z.object({}))<void>(),
  /** Stops waiting for a repository that does not answer. It counts as one that cannot be read until the next rescan. */
  defineCall('repository/giveUp', z.object({ path: z.string() }))<void>(),
  /** Folders and files below the picker's root, for pages that have no native dialog. "" = the root. */
  defineCall('repository/browse', z.object({ path: z.string() }))<FolderListing>(),
  /** Makes a folder below the picker's root; rejects when something of that name is there. Returns its path. */
  defineCall('repository/createFolder', z.object({ parent: z.string(), name: z.string() }))<{
    readonly path: string;
  }>(),
  /** What lies at each path; what it is in the way of is looked for in `repository`, where there is one. */
  defineCall(
    'repository/classify',
    z.object({ paths: z.array(z.string()), repository: z.string().optional() }),
  )<readonly DropItem[]>(),
  /** Copies a model folder or version into a repository, atomically; progress comes as task events. */
  defineCall(
    'repository/import',
    z.object({
      source: z.string(),
      repository: z.string(),
      name: z.string(),
      mode: z.enum(['new', 'add-version', 'replace']),
      version: z.string().optional(),
      load: z.boolean(),
      trustCode: z.boolean(),
      taskId: z.string(),
    }),
  )<{ readonly model: string; readonly version: string }>(),
  /** Writes a new model folder from a bare .onnx (import wizard); progress comes as task events. */
  defineCall(
    'repository/createFromOnnx',
    z.object({
      onnxPath: z.string(),
      /** External data files: name the graph uses -> where it is. */
      externalData: z.record(z.string(), z.string()),
      repository: z.string(),
      name: z.string(),
      version: z.string(),
      /** undefined = no config file. */
      configText: z.string().optional(),
      /** Label files of outputs: name in the model folder -> where it is. */
      labels: z.record(z.string(), z.string()),
      /** Also write the next version, whose first dimension is declared as dynamic. */
      hasDynamicVersion: z.boolean(),
      load: z.boolean(),
      taskId: z.string(),
    }),
  )<{ readonly model: string }>(),
  /** Runs the batch probe on a copy of the file with a dynamic first dimension; nothing of it stays. */
  defineCall(
    'repository/probeDynamic',
    z.object({
      onnxPath: z.string(),
      externalData: z.record(z.string(), z.string()),
      /** The copy is made beside it, on its file system. */
      repository: z.string(),
      taskId: z.string(),
    }),
  )<BatchProbeResult>(),
  /** The user's default repository (`defaultRepositoryPath` of the server view), made where there is none yet. */
  defineCall('repository/openDefault', z.object({}))<{ readonly repository: RepositoryView }>(),
  /** Writes the sample repository if it is not there yet and serves it. */
  defineCall('repository/openSamples', z.object({}))<{ readonly path: string }>(),
] as const;
