// NVIDIA's GPUs as the driver's own tool lists them: the only source that knows CUDA's numbering and capabilities.

import type { GpuAdapter } from './gpu-adapter.ts';
import type { RunTool } from './run-tool.ts';

const FIELDS = 'index,uuid,compute_cap,driver_version,memory.total,name';
const MIB = 1024 * 1024;

/** Empty without the driver. */
export async function nvidiaAdapters(run: RunTool, hasWebGpu: boolean): Promise<readonly GpuAdapter[]> {
  const output = await run('nvidia-smi', [`--query-gpu=${FIELDS}`, '--format=csv,noheader,nounits']).catch(
    () => '',
  );
  return output.split('\n').flatMap((line) => {
    // The name stands last, since it may hold commas.
    const [index = '', uuid = '', capability = '', driver = '', memory = '', ...name] = line
      .split(',')
      .map((cell) => cell.trim());
    if (!/^\d+$/.test(index)) return [];
    const mebibytes = Number(memory);
    return [
      {
        name: name.join(', '),
        vendor: 'NVIDIA',
        driver: `nvidia ${driver}`,
        kind: 'discrete' as const,
        memoryBytes: Number.isFinite(mebibytes) ? mebibytes * MIB : undefined,
        hasWebGpu,
        cuda: { index: Number(index), uuid: uuid === '' ? undefined : uuid, capability: Number(capability) },
      },
    ];
  });
}
