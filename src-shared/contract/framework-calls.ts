// Calls about model files of other frameworks than ONNX: looking at one, making a model of it, converting a model.

import { z } from 'zod';

import { MAX_EDITED_BYTES } from './config-calls.ts';
import { defineCall } from './define.ts';
import type { TensorDifference } from './inference-calls.ts';

/** A tensor of a model file, as far as the file says. */
export interface FrameworkTensor {
  readonly name: string;
  /** "FP32"; null when the file does not say. */
  readonly datatype: string | null;
  /** -1 = any size; null when the file does not say. */
  readonly shape: readonly number[] | null;
}

/** What a model file of PyTorch, TensorFlow and the like says of itself; the rest is asked of the user. */
export interface FrameworkInspection {
  readonly path: string;
  readonly byteSize: number;
  /** "pytorch". */
  readonly backend: string;
  /** "PyTorch". */
  readonly title: string;
  /** `platform` of its configuration; undefined when the backend has none. */
  readonly platform: string | undefined;
  /** Name of the file or folder in a version folder: "model.pt". */
  readonly artefact: string;
  readonly suggestedName: string;
  readonly inputs: readonly FrameworkTensor[];
  readonly outputs: readonly FrameworkTensor[];
  /** What the file does not have, and has to be said by hand; undefined = nothing. */
  readonly note: string | undefined;
  /** Why the file could not be read; everything is asked for then. Undefined = it was. */
  readonly problem: string | undefined;
  /** A load finds out what the configuration leaves open. */
  readonly completes: boolean;
  /** The largest batch that the file names; undefined = it names none. */
  readonly maxBatchSize: number | undefined;
  /** False for a file that no configuration can help; `problem` says why. */
  readonly isServable: boolean;
  /** What is missing here for it to run, as a sentence; undefined = nothing. */
  readonly needs: string | undefined;
}

/** A model was converted to ONNX: which one it became, and whether it answers as before. */
export interface Conversion {
  readonly model: string;
  /** Whether both gave the same outputs for the same made-up inputs. */
  readonly verdict: 'match' | 'differ' | 'cannot-compare';
  readonly message: string;
  readonly outputs: readonly TensorDifference[];
}

/** Files are read in a process of the user's Python. */
export const frameworkCalls = [
  /** Reads a file in the Python that would run it. INVALID_ARG for what no backend takes. */
  defineCall('framework/inspect', z.object({ path: z.string() }))<FrameworkInspection>(),
  /** Writes a new model folder around a copy of the file; progress comes as task events. */
  defineCall(
    'framework/create',
    z.object({
      path: z.string(),
      repository: z.string(),
      name: z.string(),
      version: z.string(),
      configText: z.string().max(MAX_EDITED_BYTES),
      load: z.boolean(),
      /** The file is code, and may run. */
      trustCode: z.boolean(),
      taskId: z.string(),
    }),
  )<{ readonly model: string }>(),
  defineCall('framework/canConvert', z.object({ model: z.string() }))<{
    /** Why this model cannot be converted to ONNX; undefined = it can. */
    readonly reason: string | undefined;
  }>(),
  /**
   * Writes an ONNX model beside a TorchScript or TensorFlow model, which is left alone, and compares both on the same
   * inputs. Progress comes as task events.
   */
  defineCall(
    'framework/convert',
    z.object({ model: z.string(), newName: z.string(), load: z.boolean(), taskId: z.string() }),
  )<Conversion>(),
] as const;
