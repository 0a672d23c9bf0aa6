// The libraries that ONNX Runtime needs for NVIDIA's GPUs: whether they are here, fetching and removing them. They are far
// larger than everything else of Conch, so they are fetched on request only, never while installing it.

import type { ServerError } from '../../src-shared/errors.ts';
import { libraryVersion, nativeFolder } from '../backends/onnxruntime/available-providers.ts';
import { adapterText } from '../gpu/gpu-adapter.ts';
import {
  downloadBytes,
  installLibraries,
  neededWheels,
  removeLibraries,
} from '../gpu/libraries/install-libraries.ts';
import { installedLibraries, libraryFolder } from '../gpu/libraries/library-folder.ts';
import type { Wheel } from '../gpu/libraries/wheels.ts';
import { UNPACKED_BYTES, WHEELS, WHEELS_FOR } from '../gpu/libraries/wheels.ts';
import { listAdapters } from '../gpu/list-adapters.ts';
import { runTool } from '../gpu/run-tool.ts';
import { cliErrors } from './cli-errors.ts';

/** The GPUs of this machine, and what is installed for them. */
export interface GpuFacts {
  /** Each adapter in words: "NVIDIA H200 (NVIDIA, discrete, driver nvidia 580.65, 143771 MiB)". */
  readonly gpus: readonly string[];
  readonly hasCudaLibraries: boolean;
  /** WebGPU may reach one of them, without an installation. */
  readonly hasWebGpu: boolean;
  /** One is NVIDIA's, with its driver. */
  readonly hasCudaGpu: boolean;
  /** On the disk; 0 = none are installed. */
  readonly installedBytes: number;
  readonly folder: string;
}

/** Whether all libraries for the version of ONNX Runtime in use are installed. */
export function hasCudaLibraries(): boolean {
  return installedLibraries(libraryFolder(libraryVersion())) !== undefined;
}

/**
 * The adapters of the machine and whether the libraries for them are there; asks the system, so it takes a
 * moment.
 */
export async function readGpuFacts(): Promise<GpuFacts> {
  const adapters = await listAdapters();
  return {
    gpus: adapters.map(adapterText),
    hasCudaLibraries: hasCudaLibraries(),
    hasWebGpu: adapters.some(({ hasWebGpu, kind }) => hasWebGpu && kind !== 'software'),
    hasCudaGpu: adapters.some(({ cuda }) => cuda !== undefined),
    installedBytes: installedLibraries(libraryFolder(libraryVersion()))?.byteSize ?? 0,
    folder: libraryFolder(libraryVersion()),
  };
}

/** One verdict per line: what is here, what it means, what to do. */
export function gpuText(facts: GpuFacts, platform: string): string {
  const gpus =
    facts.gpus.length === 0 ? ['GPUs            none found'] : facts.gpus.map((g) => `GPU             ${g}`);
  const bundled = { win32: 'DirectML is bundled', darwin: 'CoreML is bundled' }[platform];
  const cuda = facts.hasCudaLibraries ? `installed in ${facts.folder}` : 'not installed';
  const advice =
    facts.hasCudaLibraries || facts.gpus.length === 0 ? [] : ['Fetch the CUDA libraries: conch gpu install'];
  return [...gpus, `CUDA libraries  ${bundled ?? cuda}`, ...modelLines(facts), ...advice, ''].join('\n');
}

const ON_GPU = 'the GPU, where their configuration allows it';

function modelLines(facts: GpuFacts): readonly string[] {
  if (facts.hasCudaLibraries && facts.gpus.length > 0) return [`Models run on   ${ON_GPU}`];
  const onnx = facts.hasWebGpu ? 'the GPU through WebGPU, where that works, else the CPU' : 'the CPU';
  // Processes of models load what they need themselves.
  if (facts.hasCudaGpu) return [`ONNX models on  ${onnx}`, `Python, PyTorch ${ON_GPU}`];
  return [`Models run on   ${onnx}`];
}

/** Why this machine is offered no CUDA libraries; undefined = it is. */
export function noCudaReason(
  platform: string = process.platform,
  arch: string = process.arch,
): ServerError | undefined {
  return platform === 'linux' && arch === 'x64' ? undefined : cliErrors.noCudaHere({ platform, arch });
}

/** Where the libraries come from, and who hears how many of all bytes are here. */
export interface CudaInstallOptions {
  /** A folder that has the wheels already, for machines without a network. */
  readonly from?: string | undefined;
  readonly signal: AbortSignal;
  /** Bytes that are here and of all wheels; `title` is the wheel that is being fetched. */
  readonly report: (bytes: number, total: number, title: string) => void;
}

/** What would be fetched here, as the system has some of it already. Rejects with UNSUPPORTED and the reason. */
export async function cudaWheels(): Promise<readonly Wheel[]> {
  const reason = noCudaReason();
  if (reason !== undefined) throw reason;
  const version = libraryVersion();
  if (version !== WHEELS_FOR) throw cliErrors.otherRuntime({ known: WHEELS_FOR, present: version });
  return neededWheels(WHEELS, runTool);
}

/** Rejects with UNSUPPORTED or UNAVAILABLE and the reason; what was fetched stays for the next try. */
export async function installCudaLibraries({ from, signal, report }: CudaInstallOptions): Promise<string> {
  const wheels = await cudaWheels();
  const folder = libraryFolder(WHEELS_FOR);
  await installLibraries({ folder, native: nativeFolder(), wheels, from, signal, report });
  return folder;
}

/** False where there were none. */
export function removeCudaLibraries(): Promise<boolean> {
  return removeLibraries(libraryFolder(libraryVersion()));
}

const MEBIBYTE = 1024 * 1024;

/** "8 file(s), 1486 MiB to fetch, at most 2480 MiB on disk" */
export function wheelsText(wheels: readonly Wheel[]): string {
  const toFetch = Math.ceil(downloadBytes(wheels) / MEBIBYTE);
  return `${wheels.length} file(s), ${toFetch} MiB to fetch, at most ${Math.ceil(UNPACKED_BYTES / MEBIBYTE)} MiB on disk`;
}
