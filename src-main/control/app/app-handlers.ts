// Answers the calls about the app itself: execution providers, our own data, the settings file, licences.

import { readFile } from 'node:fs/promises';

import type { appCalls, RuntimeView } from '../../../src-shared/contract/app-calls.ts';
import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import { findProviders, testProvider } from '../../backends/onnxruntime/provider-test.ts';
import type { RunStore } from '../../perf/runs/run-store.ts';
import type { Bin } from '../files/bin.ts';
import { licences } from './licences.ts';
import { binOwnData, dataUsage } from './own-data.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { TaskHandle, TaskRegistry } from '../tasks/task-registry.ts';
import { installationErrors } from '../files/installation-errors.ts';

/** Fetching the CUDA libraries, which the command line knows how to do. */
export interface GpuLibraries {
  /** What is installed, and what would have to be fetched, in bytes. Looks anew each time. */
  facts(): Promise<Omit<RuntimeView, 'providers'>>;
  /** Rejects with the reason; what was fetched stays for the next try. */
  install(task: TaskHandle): Promise<void>;
  /** Those of our own folder. Does nothing where there are none. */
  remove(): Promise<void>;
}

/** What the calls about the app itself work with. */
export interface AppDependencies {
  readonly settings: SettingsStore;
  readonly tasks: TaskRegistry;
  readonly bin: Bin;
  readonly runs: RunStore;
  /** True while a performance run is going on. */
  readonly isMeasuring: () => boolean;
  readonly userDataPath: string;
  readonly gpuLibraries: GpuLibraries;
}

/** Deleting our own data fails with UNAVAILABLE while a performance run goes on; its folders go to the bin. */
export function appHandlers(deps: AppDependencies): HandlersFor<typeof appCalls> {
  const { settings, tasks, bin, runs, userDataPath, gpuLibraries } = deps;
  return {
    'runtime/view': async (_args, { signal }) => ({
      providers: await findProviders(signal),
      ...(await gpuLibraries.facts()),
    }),
    'runtime/selfTest': ({ provider }, { signal }) => testProvider(provider, signal),
    'runtime/installGpu': ({ taskId }, { signal }) =>
      tasks.run(taskId, 'CUDA libraries of ONNX Runtime', (handle) => gpuLibraries.install(handle), {
        signal,
      }),
    'runtime/removeGpu': () => gpuLibraries.remove(),
    'data/usage': () => dataUsage(userDataPath),
    'data/deleteAll': async () => {
      if (deps.isMeasuring()) throw installationErrors.measuring();
      const movedTo = await binOwnData(userDataPath, bin);
      runs.forget();
      return { movedTo };
    },
    'settings/readText': async () => {
      const { path } = settings.view();
      return { path, text: await readFile(path, 'utf8').catch(() => '') };
    },
    'app/licences': () => licences(),
  };
}
