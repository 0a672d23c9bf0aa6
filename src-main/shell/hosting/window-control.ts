// Hands the control room what it needs from a hosted app: machine, addresses, samples, the picker's root.

import os from 'node:os';

import { systemClock } from '../../base/clock.ts';
import {
  cudaWheels,
  installCudaLibraries,
  noCudaReason,
  readGpuFacts,
  removeCudaLibraries,
  wheelsText,
} from '../../cli/gpu-libraries.ts';
import type { ServeOptions } from '../../cli/serve-options.ts';
import type { Control, ControlOptions } from '../../control/create-control.ts';
import { createControl } from '../../control/create-control.ts';
import type { GpuLibraries } from '../../control/app/app-handlers.ts';
import type { InspectionMachine } from '../../control/catalog/config-inspection.ts';
import type { SettingsStore } from '../../control/settings/settings-store.ts';
import { AppleGpuUse } from '../../gpu/apple-gpu.ts';
import type { GpuUseReading } from '../../gpu/gpu-use.ts';
import { gpuUseOf } from '../../gpu/gpu-use.ts';
import { runTool } from '../../gpu/run-tool.ts';
import { SysfsGpuUse } from '../../gpu/sysfs-gpu-use.ts';
import { asItRuns } from '../../options/print-command.ts';
import type { GpuReading } from '../../metrics/gpu-sampler.ts';
import { sharedMemoryFolder } from '../../service/system-shared-memory.ts';
import { defaultRepositoryPath } from './default-repository.ts';
import type { HostedServer } from './hosted-server.ts';
import type { ProcessRelay } from './process-relay.ts';
import { openSampleRepository } from './sample-repository.ts';
import type { WindowServer } from './window-server.ts';
import packageJson from '../../../package.json' with { type: 'json' };

/** What the window needs of the app around the engine. */
export interface WindowedApp {
  readonly server: HostedServer;
  readonly options: ServeOptions;
  readonly settings: SettingsStore;
  readonly processes: ProcessRelay;
  /** Folder that the page's own picker may show. */
  readonly uiRoot: string;
  /** Those of these keys that count at once; others wait for the next start. */
  applySettings(keys: readonly string[]): void;
}

interface WindowControlOptions {
  readonly app: WindowedApp;
  readonly window: WindowServer;
  readonly userDataPath: string;
  readonly hasDialogs: boolean;
}

/** Addresses for clients of this machine: a server on all interfaces is named 127.0.0.1. Nothing is started yet. */
export function createWindowControl({
  app,
  window,
  userDataPath,
  hasDialogs,
}: WindowControlOptions): Control {
  const { engine } = app.server;
  const { engine: options } = app.options;
  const loopback = (address: string): string =>
    address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
  const addressOf = (address: string, port: number | undefined): string | undefined =>
    port === undefined ? undefined : `${loopback(address)}:${port}`;
  const otherGpus = otherGpuUse();
  return createControl({
    clock: systemClock,
    repository: engine.repository,
    tracing: engine.tracing,
    metrics: engine.metrics,
    sharedMemory: sharedMemoryOf(app),
    slowTraces: engine.slowTraces,
    settings: app.settings,
    server: window,
    machine: machineOf(app),
    physicalCores: os.availableParallelism(),
    defaultMaxBatchSize: Number(
      options.backends.settings.find(({ key }) => key === 'default-max-batch-size')?.value ?? 4,
    ),
    activeProfile: options.repository.modelConfigName || undefined,
    pythonSettingOf: (name) => {
      const setting = pythonOf(options, name) ?? pythonOf(options, 'python');
      return setting === '' ? undefined : setting;
    },
    userDataPath,
    browseRoot: hasDialogs ? undefined : app.uiRoot,
    target: () => ({
      httpAddress: addressOf(options.http.address, engine.ports.http),
      grpcAddress: addressOf(options.grpc.address, engine.ports.grpc),
      metricsAddress: addressOf(options.metrics.address, engine.ports.metrics),
    }),
    defaultRepository: defaultRepositoryPath(userDataPath, process.env),
    writeSamples: () => openSampleRepository(userDataPath),
    spawner: app.processes,
    appVersion: packageJson.version,
    gpuLibraries: windowGpuLibraries,
    handover: {
      served: () => ({
        engine: asItRuns(options, { ...engine.wantedPorts, repositories: engine.repository.roots }),
        given: app.options.given,
        untouched: [],
        variables: new Set(Object.keys(process.env)),
      }),
      backends: engine.backends,
    },
    onSettings: (keys) => app.applySettings(keys),
    gpuUse: () => gpuUseOf([...(engine.metrics?.gpus() ?? []).map(fromNvidia), ...otherGpus.latest()]),
  });
}

function sharedMemoryOf({ server: { engine }, options }: WindowedApp): ControlOptions['sharedMemory'] {
  const { systemSharedMemory: system, cudaSharedMemory: cuda } = engine.service;
  const { allowClient: allowsClients } = options.engine.sharedMemory;
  return { system, cuda, allowsClients, folder: sharedMemoryFolder(process.platform) };
}

/** The Python that `--backend-config` names for a backend. */
function pythonOf({ backends }: ServeOptions['engine'], name: string): string | undefined {
  return backends.settings.findLast(
    ({ backend, key }) => key === 'python-executable' && (backend === '' || backend === name),
  )?.value;
}

const MEBIBYTE = 1024 * 1024;

const windowGpuLibraries: GpuLibraries = {
  facts: async () => {
    const { gpus, hasCudaLibraries, installedBytes, folder } = await readGpuFacts();
    const unavailable = noCudaReason()?.message;
    const download = unavailable === undefined ? wheelsText(await cudaWheels().catch(() => [])) : undefined;
    return { gpus, cuda: { isInstalled: hasCudaLibraries, installedBytes, unavailable, folder, download } };
  },
  install: async ({ signal, report }) => {
    await installCudaLibraries({
      signal,
      report: (bytes, total, title) =>
        report(
          bytes / total,
          `${title}: ${Math.floor(bytes / MEBIBYTE)} of ${Math.ceil(total / MEBIBYTE)} MiB`,
        ),
    });
  },
  remove: async () => void (await removeCudaLibraries()),
};

/** GPUs that the metrics port does not tell of, by the means of the system. */
function otherGpuUse(): { latest(): readonly GpuUseReading[] } {
  if (process.platform !== 'darwin') return new SysfsGpuUse({ clock: systemClock });
  return new AppleGpuUse({ clock: systemClock, run: runTool, totalBytes: os.totalmem() });
}

function fromNvidia(reading: GpuReading): GpuUseReading {
  return { ...reading, source: 'nvidia-smi' };
}

/** Read at each use: GPUs are looked for at the start, and what backends need changes. */
function machineOf({ server: { engine }, options: { engine: options } }: WindowedApp): InspectionMachine {
  return {
    get gpuIds() {
      return engine.gpuIds;
    },
    get gpuIdsOfProcesses() {
      return engine.gpuIdsOfProcesses;
    },
    get backends() {
      return engine.backends.descriptions;
    },
    gpuPolicy: options.backends.gpuPolicy,
    isStrict: !options.repository.autoCompleteConfig,
  };
}
