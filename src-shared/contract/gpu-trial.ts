// What a comparison of a GPU provider with the CPU showed for one model file, as the engine tells it and the window
// shows it.

/** Median time of one run, with this many rows. */
export interface TrialTiming {
  readonly batchSize: number;
  readonly cpuMs: number;
  readonly gpuMs: number;
}

/** How far one output of a model on the GPU is from that on the CPU. */
export interface TrialOutput {
  readonly name: string;
  /** Largest difference, as a share of the largest value that the CPU gave; of whole numbers and texts the share that differs. */
  readonly difference: number;
  /** Differences up to this are rounding. */
  readonly allowed: number;
}

/** Operators of one type that one provider ran. */
export interface TrialOperators {
  /** "webgpu", "cuda", "cpu" */
  readonly provider: string;
  /** ONNX operator type; a group that the provider compiled as one keeps the provider's name for it. */
  readonly opType: string;
  readonly count: number;
  /** Time of all of them in one run. */
  readonly ms: number;
}

/** How a model on a GPU compares with the CPU. */
export type TrialVerdict = 'faster' | 'slower' | 'wrong';

/** A model on a GPU compared with itself on the CPU, once, when it is first placed there. */
export interface GpuTrial {
  /** The provider that was compared: "webgpu". */
  readonly provider: string;
  /** Undefined while it runs, and when it could not be made: `problem` then says why. */
  readonly verdict: TrialVerdict | undefined;
  readonly problem: string | undefined;
  readonly timings: readonly TrialTiming[];
  /** What a run takes longer when the one before had another number of rows; undefined where nothing is known. */
  readonly switchMs?: number | undefined;
  readonly outputs: readonly TrialOutput[];
  /** Most time first; empty when the provider does not tell. */
  readonly operators: readonly TrialOperators[];
}
