// A look at the memory of the machine's GPUs, by whatever tells it on this system.

import type { GpuMemoryTool } from '../../src-shared/contract/gpu-memory.ts';

/** What is in use of one GPU at one moment, in bytes; undefined = not told. */
export interface GpuMemoryLook {
  /** By the processes that were asked for, together; 0 = they are not listed. */
  readonly processBytes: number | undefined;
  /** By all programs. */
  readonly deviceBytes: number | undefined;
}

/** Tells of all GPUs of a kind at once. */
export interface MemoryTool {
  readonly name: GpuMemoryTool;
  /** By the tool's own name of each GPU. Rejects where the tool is missing or fails; may take its time. */
  look(pids: readonly number[]): Promise<ReadonlyMap<string, GpuMemoryLook>>;
}

/** Who tells of one GPU, and under which name. */
export interface MemorySource {
  readonly tool: MemoryTool;
  readonly key: string;
}
