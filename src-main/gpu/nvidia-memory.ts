// Memory of NVIDIA's GPUs by their own tool: of the whole device, and of a process that computes there. Inside a container
// the tool may list no process, and on Windows it lists them without a number; programs that only draw are not listed.
// Source: `nvidia-smi --help-query-gpu` and `--help-query-compute-apps`.

import type { GpuMemoryLook, MemoryTool } from './memory-tool.ts';
import type { RunTool } from './run-tool.ts';

const FORMAT = '--format=csv,noheader,nounits';
const MIB = 1024 * 1024;

/** Names each GPU by its number among NVIDIA's, "0". */
export function nvidiaMemory(run: RunTool): MemoryTool {
  return {
    name: 'nvidia-smi',
    look: async (pids) => {
      const [devices, processes] = await Promise.all([
        run('nvidia-smi', ['--query-gpu=index,uuid,memory.used', FORMAT]),
        run('nvidia-smi', ['--query-compute-apps=pid,gpu_uuid,used_memory', FORMAT]).catch(() => undefined),
      ]);
      return new Map(
        rows(devices).map(([index = '', uuid = '', used = '']) => [
          index,
          { processBytes: ofProcesses(processes, uuid, pids), deviceBytes: mebibytes(used) },
        ]),
      );
    },
  };
}

function ofProcesses(
  processes: string | undefined,
  uuid: string,
  pids: readonly number[],
): GpuMemoryLook['processBytes'] {
  if (processes === undefined) return undefined;
  const own = rows(processes).filter(([pid, gpu]) => gpu === uuid && pids.includes(Number(pid)));
  const bytes = own.map(([, , used = '']) => mebibytes(used));
  return bytes.reduce<number | undefined>(
    (sum, each) => (sum === undefined || each === undefined ? undefined : sum + each),
    0,
  );
}

function rows(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n').map((line) => line.split(',').map((cell) => cell.trim()));
  return lines.filter((cells) => cells.length === 3);
}

/** Undefined for "[N/A]". */
function mebibytes(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) * MIB : undefined;
}
