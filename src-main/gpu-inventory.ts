// The GPUs that models can be placed on: those the driver's tool lists, capable enough, and only when the ONNX runtime
// can load its CUDA provider. Asked once, before the first model is loaded; a machine without driver costs nothing.

import { execFile } from 'node:child_process';
import type { GpuDevice } from '../src-shared/config/validation-context.ts';
import { getLogger } from './base/log.ts';

const log = getLogger('server');

const QUERY = ['--query-gpu=index,compute_cap', '--format=csv,noheader'];
const QUERY_TIMEOUT_MS = 10_000;

/** Standard output of the driver's tool; rejects where it does not exist. */
export type GpuQuery = () => Promise<string>;

const askDriver: GpuQuery = () =>
  new Promise((resolve, reject) => {
    execFile('nvidia-smi', QUERY, { timeout: QUERY_TIMEOUT_MS }, (error, output) => {
      if (error === null) resolve(output);
      else reject(error);
    });
  });

export interface GpuDetection {
  readonly minComputeCapability: number;
  /** Execution providers the ONNX runtime can load. */
  readonly providers: () => Promise<ReadonlySet<string>>;
  readonly query?: GpuQuery;
}

/** Usable GPUs in ascending order of id; never rejects. */
export async function detectGpus(detection: GpuDetection): Promise<readonly GpuDevice[]> {
  let output: string;
  try {
    output = await (detection.query ?? askDriver)();
  } catch {
    return [];
  }
  const listed = output.split('\n').flatMap((line) => {
    const [id = '', capability = ''] = line.split(',').map((cell) => cell.trim());
    return /^\d+$/.test(id) ? [{ id: Number(id), capability: Number(capability) }] : [];
  });
  const capable = listed.filter(({ capability }) => capability >= detection.minComputeCapability);
  if (capable.length === 0) return [];
  const providers = await detection.providers();
  if (!providers.has('cuda')) {
    log.info(
      `${capable.length} GPU(s) found, but ONNX Runtime's CUDA libraries are not installed ('conch gpu install'): ` +
        'ONNX models run on the CPU',
    );
    return [];
  }
  return capable.map(({ id }) => ({ id })).sort((a, b) => a.id - b.id);
}
