// Calls about config.pbtxt: reading, checking, writing, and what the server understood; and about .onnx files.

import type { BackendDescription } from '../config/backend-description.ts';
import { z } from 'zod';

import type { ConfigFix, IssueSeverity } from '../config/config-issue.ts';
import type { OriginKind } from '../config/config-origins.ts';
import type { ModelDescription } from '../config/model-description.ts';
import { defineCall } from './define.ts';

export type { ConfigFix, OriginKind };

/** Longest text of a file that is opened for editing, and that an edit may make. */
export const MAX_EDITED_BYTES = 1024 * 1024;

/** A finding about a configuration. Offsets and places are those of the text that was checked, in UTF-16 units. */
export interface ConfigIssueView {
  /** "D21"; also the suffix of its test id. */
  readonly code: string;
  readonly severity: IssueSeverity;
  /** Triton's own sentence where one exists. */
  readonly message: string;
  /** Our explanation, and what to do. */
  readonly hint: string;
  /** Of the field: "input[0].dims". */
  readonly path: string;
  readonly startOffset: number;
  readonly endOffset: number;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly fixes: readonly ConfigFix[];
}

/** A configuration with everything that the server completes, and where each line of it comes from. */
export interface EffectiveConfig {
  /** Canonical text of the configuration in use (or that would be used). */
  readonly text: string;
  /** One entry per line of `text`. */
  readonly origins: readonly { readonly kind: OriginKind; readonly reason: string | undefined }[];
  /** Exactly what GET config answers. */
  readonly json: string;
  /** Why the text cannot be used; undefined = it can, or it runs. */
  readonly error: string | undefined;
}

/** config.pbtxt or a source file of a model, as it is on disk. */
export interface ConfigFile {
  readonly exists: boolean;
  /** Nothing where there is no file, and when `refusal` is set. */
  readonly text: string;
  /** Hash of the bytes on disk, for conflict checks on write; undefined = there is no file. */
  readonly hash: string | undefined;
  readonly path: string;
  /** Why the editor is locked; undefined = it is not. */
  readonly readOnlyReason: string | undefined;
  /** Why a file that exists is not opened: above 1 MiB, or no UTF-8 text. undefined = it is; writing over it is refused. */
  readonly refusal: 'large' | 'binary' | undefined;
}

/** Everything the editor's worker needs to check a text with the server's rules. */
export interface ConfigContext {
  readonly modelName: string;
  readonly versions: readonly string[];
  readonly descriptions: readonly { readonly version: string; readonly description: ModelDescription }[];
  readonly gpuIds: readonly number[];
  /** Of the GPUs that models in processes of their own can use; absent: the same. */
  readonly gpuIdsOfProcesses?: readonly number[];
  /** Those that are known; the ones without `needs` run here. */
  readonly backends: readonly BackendDescription[];
  readonly physicalCores: number;
  readonly isAutoCompleteEnabled: boolean;
  readonly defaultMaxBatchSize: number;
  /** Other models of the repositories with their effective config text, for ensembles. */
  readonly models: readonly { readonly name: string; readonly configText: string }[];
  /** Files of the model folder, for labels, warm-up and state files. */
  readonly files: readonly string[];
  /** Content of the folder that completion looks into. */
  readonly inspectedEntries: readonly { readonly name: string; readonly isDirectory: boolean }[];
}

/** What an ONNX file says of itself, read without its weights. */
export interface OnnxInspection {
  readonly path: string;
  readonly byteSize: number;
  readonly irVersion: number;
  readonly opsets: readonly { readonly domain: string; readonly version: number }[];
  /** "pytorch 2.4"; undefined when it does not say. */
  readonly producer: string | undefined;
  readonly operators: readonly { readonly type: string; readonly count: number }[];
  readonly operatorCount: number;
  readonly parameterCount: number;
  /** Files beside it that hold weights. */
  readonly externalData: readonly {
    readonly name: string;
    /** As far as the model reads it where it is missing. */
    readonly byteSize: number;
    readonly isFound: boolean;
  }[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly description: ModelDescription;
  /** The config that would be completed for it, canonical text. */
  readonly suggestedConfig: string;
  readonly suggestedName: string;
  /** Why it cannot be used; undefined = it can. */
  readonly problem: string | undefined;
}

/** Whether rows of a batch leave each other alone. */
export interface BatchProbeResult {
  readonly verdict: 'safe' | 'unsafe' | 'cannot-run';
  /** Largest difference of an element between a row alone and in a batch; 0 where nothing could be run. */
  readonly maxDifference: number;
  readonly message: string;
  /** It cannot run only because the model fixes the first dimension to 1: a copy could declare it as dynamic. */
  readonly canMakeDynamic: boolean;
}

const model = z.object({ model: z.string() });
const modelText = z.object({ model: z.string(), text: z.string() });

/** Of a model by its name; NOT_FOUND where no repository has it. */
export const configCalls = [
  defineCall('config/read', model)<ConfigFile>(),
  /** ALREADY_EXISTS when the file on disk no longer has `expectedHash` (undefined = the file must not exist). */
  defineCall(
    'config/write',
    z.object({ model: z.string(), text: z.string(), expectedHash: z.string().optional() }),
  )<ConfigFile>(),
  /** Of the running model, or of `text` when given (nothing is loaded), completed for `version` or the newest one. */
  defineCall(
    'config/effective',
    z.object({ model: z.string(), text: z.string().optional(), version: z.string().optional() }),
  )<EffectiveConfig>(),
  defineCall('config/context', model)<ConfigContext>(),
  defineCall('config/validate', modelText)<readonly ConfigIssueView[]>(),
  /** A configuration that belongs to no model yet: its text, and what the rules say as far as they can. */
  defineCall('config/readScratch', z.object({ path: z.string() }))<{ readonly text: string }>(),
  defineCall('config/checkScratch', z.object({ name: z.string(), text: z.string() }))<
    readonly ConfigIssueView[]
  >(),
  /** What a reload with this text would do. */
  defineCall('config/previewReload', modelText)<{
    readonly kind: 'none' | 'instances' | 'full';
    readonly sentence: string;
    readonly changedPaths: readonly string[];
  }>(),
  /** `active`: the profile that the server was started with, whether this model has it or not. */
  defineCall('config/profiles', model)<{
    readonly profiles: readonly string[];
    readonly active: string | undefined;
  }>(),
  defineCall('config/readProfile', z.object({ model: z.string(), profile: z.string() }))<{
    readonly text: string;
  }>(),
  defineCall(
    'config/writeProfile',
    z.object({ model: z.string(), profile: z.string(), text: z.string() }),
  )<void>(),
  /** The file as the serving version was loaded from it; without a text when that is not known. */
  defineCall('config/lastLoaded', model)<{ readonly text: string | undefined }>(),
  /** Of config.pbtxt or a profile, as it is in the last commit; without a text when there is none, with the reason. */
  defineCall('config/gitHead', z.object({ model: z.string(), profile: z.string().optional() }))<{
    readonly text: string | undefined;
    readonly reason: string;
  }>(),
  defineCall('config/inspectOnnx', z.object({ path: z.string() }))<OnnxInspection>(),
  /** Runs random inputs at batch 1, 2 and 3 and compares rows (import wizard). */
  defineCall('config/batchProbe', z.object({ path: z.string() }))<BatchProbeResult>(),
] as const;
