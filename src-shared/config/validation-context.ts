// What validation may ask about the machine and the server. Everything is handed in, so that a rule is a pure function.

import type { BackendDescription } from './backend-description.ts';
import type { ModelLookup } from './composing-model.ts';

/** A GPU that models can use. */
export interface GpuDevice {
  /** Device id as `gpus: [ ... ]` names it. */
  readonly id: number;
  /** What it is, for people. */
  readonly name?: string;
  /** Execution provider that models reach it through: "cuda", "webgpu". Absent: any way. */
  readonly provider?: string;
  /** ONNX Runtime has no provider that works on it; what reaches GPUs by itself (Python, PyTorch) does. */
  readonly isForProcessesOnly?: boolean;
}

/**
 * `poll`: when the repository reads the file. `load`: when a version is created. `all`: both, for editors and checks.
 */
export type ValidationStage = 'poll' | 'load' | 'all';

/** What the rules know besides the configuration itself. */
export interface ValidationContext {
  readonly stage: ValidationStage;
  /** Auto-completion is off, so that inputs and outputs are checked when the file is read. */
  readonly isStrict: boolean;
  /** Usable GPUs in ascending order of id. */
  readonly gpuInventory: readonly GpuDevice[];
  /** Capability that a GPU of the inventory has at least. */
  readonly minComputeCapability: number;
  /** `fallback`: a config that asks for a GPU where none is runs on the CPU, with a warning. */
  readonly gpuPolicy: 'strict' | 'fallback';
  /** Name of the model's folder; undefined where there is none. */
  readonly directoryName: string | undefined;
  /** Version folders that exist; undefined when unknown. */
  readonly availableVersions: readonly number[] | undefined;
  /** The backends of the server; undefined when unknown. */
  readonly backends: readonly BackendDescription[] | undefined;
  /** Cores of the machine; undefined when unknown. */
  readonly physicalCores: number | undefined;
  /** Files of the model folder, "/" separated; undefined when unknown. */
  readonly files: readonly string[] | undefined;
  /** Other models, for ensembles; undefined when the repository is not known. */
  readonly lookup: ModelLookup | undefined;
}

/** Nothing is known of machine and server: rules that would have to ask say nothing. */
export const DEFAULT_VALIDATION_CONTEXT: ValidationContext = {
  stage: 'all',
  isStrict: false,
  gpuInventory: [],
  minComputeCapability: 7.5,
  gpuPolicy: 'fallback',
  directoryName: undefined,
  availableVersions: undefined,
  backends: undefined,
  physicalCores: undefined,
  files: undefined,
  lookup: undefined,
};
