// ONNX Runtime's CUDA libraries: whether they are here, and fetching them. They are too large for the package registry,
// so the package brings a script that fetches them; it is run on request only, never while installing Conch.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

import { unavailable, unsupported } from '../../src-shared/errors.ts';
import { installScript, nativeFolder } from '../backends/onnxruntime/available-providers.ts';
import { adapterText } from '../gpu/gpu-adapter.ts';
import { listAdapters } from '../gpu/list-adapters.ts';

const CUDA_LIBRARIES = ['libonnxruntime_providers_cuda.so', 'libonnxruntime_providers_shared.so'];

export interface GpuFacts {
  /** Each adapter in words: "NVIDIA H200 (NVIDIA, discrete, driver nvidia 580.65, 143771 MiB)". */
  readonly gpus: readonly string[];
  readonly hasCudaLibraries: boolean;
  readonly folder: string;
}

export function hasCudaLibraries(folder: string = nativeFolder()): boolean {
  return CUDA_LIBRARIES.every((name) => existsSync(path.join(folder, name)));
}

export async function readGpuFacts(): Promise<GpuFacts> {
  const adapters = await listAdapters();
  return { gpus: adapters.map(adapterText), hasCudaLibraries: hasCudaLibraries(), folder: nativeFolder() };
}

/** One verdict per line: what is here, what it means, what to do. */
export function gpuText(facts: GpuFacts, platform: string): string {
  const gpus =
    facts.gpus.length === 0 ? ['GPUs            none found'] : facts.gpus.map((g) => `GPU             ${g}`);
  const bundled = { win32: 'DirectML is bundled', darwin: 'CoreML is bundled' }[platform];
  const cuda = facts.hasCudaLibraries ? `installed in ${facts.folder}` : 'not installed';
  const isServing = facts.hasCudaLibraries && facts.gpus.length > 0;
  const advice =
    facts.hasCudaLibraries || facts.gpus.length === 0 ? [] : ['Fetch the CUDA libraries: conch gpu install'];
  return [
    ...gpus,
    `CUDA libraries  ${bundled ?? cuda}`,
    `Models run on   ${isServing ? 'the GPU, where their configuration allows it' : 'the CPU'}`,
    ...advice,
    '',
  ].join('\n');
}

/** Why this machine is offered no CUDA libraries; "" = it is. */
export function noCudaReason(platform: string = process.platform, arch: string = process.arch): string {
  if (platform === 'linux' && arch === 'x64') return '';
  return `CUDA libraries are offered for Linux on x86-64; this is ${platform} on ${arch}`;
}

/** Runs the package's own script with its output shown. Rejects with UNSUPPORTED or UNAVAILABLE and the reason. */
export async function installCudaLibraries(signal: AbortSignal): Promise<void> {
  const reason = noCudaReason();
  if (reason !== '') throw unsupported(reason);
  const child = spawn(process.execPath, [installScript()], {
    // In the packaged app this program is Electron, which has to be told to be a plain Node.
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'cuda12', ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'inherit', 'pipe'],
    signal,
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0 && hasCudaLibraries()) return;
  const said = /(?:Error|error): (.*)/.exec(errors)?.[1] ?? 'the script gave no reason';
  throw unavailable(`the CUDA libraries could not be fetched: ${said}`);
}
