// What passes between the engine and the process that compares a GPU provider with the CPU.

import type { GpuTrial } from '../../../../src-shared/contract/gpu-trial.ts';
import type { ProviderChoice, SessionSettings } from '../session-messages.ts';

/** What is compared. */
export interface TrialJob {
  /** Absolute path of the .onnx file. */
  readonly path: string;
  readonly settings: SessionSettings;
  /** The providers of the session that is compared; the first one is the GPU's. */
  readonly providers: readonly ProviderChoice[];
  /** Changed with each change of the file. */
  readonly stamp: string;
  /** Rows of the runs; 1 alone for a model without a batch. */
  readonly batchSizes: readonly number[];
}

/** What the comparison measured. */
export type TrialFindings = Pick<GpuTrial, 'timings' | 'switchMs' | 'outputs' | 'operators'>;

/** What came of a comparison; `problem` is a sentence. */
export type TrialAnswer = { readonly findings: TrialFindings } | { readonly problem: string };
