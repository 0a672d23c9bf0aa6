// What one model version takes of the memory of a GPU, as the engine measured it and the window shows it.

/** Where the numbers come from: NVIDIA's tool, the DRM clients of a Linux process, the registry of macOS. */
export type GpuMemoryTool = 'nvidia-smi' | 'fdinfo' | 'ioreg';

/**
 * How a number came about. `process`: what the server process had after the load, less what it had before. `device`: the
 * same of all programs together. `host`: all that the model's own processes have.
 */
export type GpuMemoryWay = 'process' | 'device' | 'host';

/** Why nothing is known. */
export type GpuMemoryUnknown =
  /** Something else was loaded, changed or unloaded on the GPU meanwhile. */
  | 'overlap'
  /** Other models answered requests on the GPU meanwhile. */
  | 'busy'
  /** The adapter computes on the processor. */
  | 'software'
  /** Several adapters, and the provider does not say which one it uses. */
  | 'several'
  /** Nothing on this system tells. */
  | 'untold'
  /** The tool did not answer in time. */
  | 'silent'
  | 'failed'
  /** No more was in use after the load than before. */
  | 'not-grown'
  /** The tool does not list the model's process. */
  | 'not-listed'
  /** Instances came or went since it was measured. */
  | 'changed';

/** What a model version takes of one GPU. */
export interface GpuMemoryShare {
  /** As `gpus: [ ... ]` names it. */
  readonly device: number;
  /** Undefined: not known, and `unknown` says why. */
  readonly bytes: number | undefined;
  readonly unknown: GpuMemoryUnknown | undefined;
  /** Undefined where nothing was measured. */
  readonly way: GpuMemoryWay | undefined;
  readonly tool: GpuMemoryTool | undefined;
  /** The server had used nothing of this GPU before: what the provider takes for itself is in the number. */
  readonly isFirst: boolean;
}
