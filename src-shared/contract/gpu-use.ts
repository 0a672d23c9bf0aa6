// How busy the GPUs of the machine are now.

/** What told it: NVIDIA's tool, the files of Linux's drivers, the registry of macOS. */
export type GpuUseSource = 'nvidia-smi' | 'sysfs' | 'ioreg';

/** How much one GPU is used, by all programs together. */
export interface GpuDeviceUse {
  /** "NVIDIA H100", "card0", "Apple M3" */
  readonly name: string;
  readonly source: GpuUseSource;
  readonly utilizationPercent: number;
  /** In use by all programs; undefined where nobody tells. */
  readonly memoryBytes: number | undefined;
  readonly memoryTotalBytes: number | undefined;
}

/** The same over all GPUs that can be read. */
export interface GpuUse {
  /** Mean over the GPUs. */
  readonly utilizationPercent: number;
  /** Sum over the GPUs that tell; undefined when none does. */
  readonly memoryBytes: number | undefined;
  readonly devices: readonly GpuDeviceUse[];
}
