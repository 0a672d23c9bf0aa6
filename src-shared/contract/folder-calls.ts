// Calls that change or compare the folders of models and versions. What is removed goes to the bin, never away.

import { z } from 'zod';

import type { BatchProbeResult } from './config-calls.ts';
import { MAX_EDITED_BYTES } from './config-calls.ts';
import { defineCall } from './define.ts';
import type { TensorDifference } from './inference-calls.ts';

/** Something was moved to the bin of the system. */
export interface Binned {
  /** Where it went, in words. */
  readonly movedTo: string;
  /** For repository/restore; undefined when it can only be brought back from the bin itself. */
  readonly undo: string | undefined;
}

/** What two versions of a model have not in common. */
export interface VersionComparison {
  /** Inputs and outputs that differ; undefined = the version has none of that name. */
  readonly tensors: readonly {
    readonly side: 'input' | 'output';
    readonly name: string;
    readonly a: string | undefined;
    readonly b: string | undefined;
  }[];
  /** Operator types whose number differs. */
  readonly operators: readonly { readonly type: string; readonly a: number; readonly b: number }[];
  readonly parameterCount: { readonly a: number; readonly b: number };
  /** Both run on the same random input, side by side. */
  readonly parity: {
    readonly verdict: 'match' | 'differ' | 'cannot-compare';
    readonly message: string;
    readonly outputs: readonly TensorDifference[];
  };
}

const model = z.object({ model: z.string() });
const version = z.object({ model: z.string(), version: z.string() });

/** Answered when the folders are as they are to be. */
export const folderCalls = [
  defineCall('repository/trashModel', model)<Binned>(),
  /** `repository`: where the copy goes; default beside the model, which must not be in an object store then. */
  defineCall(
    'repository/duplicateModel',
    z.object({ model: z.string(), newName: z.string(), repository: z.string().optional() }),
  )<void>(),
  defineCall('repository/renameModel', z.object({ model: z.string(), newName: z.string() }))<void>(),
  /** A model folder with this text as config.pbtxt and an empty version folder; the text gets the folder's name. */
  defineCall(
    'repository/createFromConfig',
    z.object({ repository: z.string(), name: z.string(), text: z.string().max(MAX_EDITED_BYTES) }),
  )<void>(),
  defineCall('repository/createVersionFolder', version)<void>(),
  /** Copies a version to the next free number. */
  defineCall('repository/duplicateVersion', version)<{ readonly version: string }>(),
  /**
   * Adds a copy of a version whose first dimension is declared as dynamic, under the next free number. It is probed
   * first, and written only when batching it is safe; else `version` is undefined.
   */
  defineCall(
    'repository/addDynamicVersion',
    z.object({ model: z.string(), version: z.string(), taskId: z.string() }),
  )<{ readonly version: string | undefined; readonly probe: BatchProbeResult }>(),
  /** Copies a file of weights into a version folder under the name that the model uses for it. */
  defineCall(
    'repository/addDataFile',
    version.extend({ name: z.string(), source: z.string(), taskId: z.string() }),
  )<void>(),
  /** Puts a copy of `source` in the place of a version's model file, under its name; the one before goes to the bin. */
  defineCall(
    'repository/replaceModelFile',
    version.extend({ source: z.string(), taskId: z.string() }),
  )<Binned>(),
  defineCall('repository/trashVersion', version)<Binned>(),
  /** Brings back what was moved to the bin; ALREADY_EXISTS when its place is taken. */
  defineCall('repository/restore', z.object({ undo: z.string() }))<void>(),
  defineCall(
    'repository/compareVersions',
    z.object({ model: z.string(), a: z.string(), b: z.string() }),
  )<VersionComparison>(),
  /** Writes one zip of model folders into `folder` under a free name; progress comes as task events. */
  defineCall(
    'repository/exportModels',
    z.object({ models: z.array(z.string()).min(1), folder: z.string(), taskId: z.string() }),
  )<{ readonly path: string; readonly byteSize: number }>(),
] as const;
