// An engine on the sample repository with everything that answers the window, spoken to as a page does: through the
// contract. Disposable; user data lies in a temporary folder of its own.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { PlaygroundInput, PlaygroundRequest } from '../../src-shared/contract/inference-calls.ts';
import { unsupported } from '../../src-shared/errors.ts';
import { channelPair } from '../../src-shared/rpc/channel.ts';
import { RpcClient } from '../../src-shared/rpc/rpc-client.ts';
import { systemClock } from '../base/clock.ts';
import { createControl } from '../control/create-control.ts';
import type { ServerControl } from '../control/server/server-control.ts';
import { changed } from '../options/engine-field.ts';
import { defaultEngineOptions } from '../options/engine-options.ts';
import { SettingsStore } from '../control/settings/settings-store.ts';
import type { Engine } from '../engine.ts';
import { sampleStartSet, writeSampleRepository } from '../samples/sample-repository.ts';
import { forkGenerator } from './fork-generator.ts';
import { startTestEngine } from './start-test-engine.ts';

/** `httpAddress`: "host:port" of the server's HTTP port. Disposing ends the engine and removes its folders. */
export interface ControlWorld extends AsyncDisposable {
  readonly client: RpcClient;
  readonly engine: Engine;
  readonly repositoryPath: string;
  readonly httpAddress: string;
}

const noServer: ServerControl = {
  view: () => {
    throw unsupported('this world has no server screen');
  },
  start: () => Promise.reject(unsupported('this world starts no listeners')),
  stop: () => Promise.reject(unsupported('this world stops no listeners')),
  stopNow: () => undefined,
  check: () => Promise.resolve([]),
  clients: () => [],
  restart: () => {
    throw unsupported('this world restarts nothing');
  },
};

/** `models`: those to load; default all samples that load. `pythons`: what is set for models of a backend. */
export async function startControlWorld(
  models = sampleStartSet(),
  pythons: Readonly<Record<string, string>> = {},
): Promise<ControlWorld> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-control-'));
  const repositoryPath = path.join(folder, 'samples');
  await writeSampleRepository(repositoryPath);
  const engine = await startTestEngine(repositoryPath, {
    repository: { startupModels: models },
    sharedMemory: { allowClient: true },
  });
  const httpAddress = `127.0.0.1:${engine.ports.http}`;
  const control = createControl({
    clock: systemClock,
    repository: engine.repository,
    tracing: engine.tracing,
    metrics: engine.metrics,
    sharedMemory: {
      system: engine.service.systemSharedMemory,
      cuda: engine.service.cudaSharedMemory,
      allowsClients: true,
      folder: undefined,
    },
    slowTraces: engine.slowTraces,
    settings: new SettingsStore(folder),
    server: noServer,
    machine: {
      gpuIds: [],
      gpuPolicy: 'fallback',
      isStrict: false,
      backends: engine.backends.descriptions,
    },
    physicalCores: 2,
    defaultMaxBatchSize: 4,
    activeProfile: undefined,
    pythonSettingOf: (backend) => pythons[backend],
    userDataPath: folder,
    browseRoot: folder,
    target: () => ({
      httpAddress,
      grpcAddress: `127.0.0.1:${engine.ports.grpc}`,
      metricsAddress: `127.0.0.1:${engine.ports.metrics}`,
    }),
    defaultRepository: `${repositoryPath}-default`,
    writeSamples: () => Promise.resolve({ path: repositoryPath, startSet: models }),
    spawner: forkGenerator,
    appVersion: '0.0.0',
    handover: {
      served: () => ({
        engine: changed(defaultEngineOptions, 'repository', { paths: [repositoryPath] }),
        given: new Set(),
        untouched: [],
        variables: new Set(),
      }),
      backends: engine.backends,
    },
    gpuLibraries: {
      facts: () =>
        Promise.resolve({
          gpus: [],
          cuda: { isInstalled: false, installedBytes: 0, unavailable: undefined, folder: '', download: '' },
        }),
      install: () => Promise.reject(unsupported('this world fetches nothing')),
      remove: () => Promise.reject(unsupported('this world has nothing to remove')),
    },
  });
  await control.start();
  const [page, here] = channelPair();
  control.attach(here);
  return {
    client: new RpcClient(page),
    engine,
    repositoryPath,
    httpAddress,
    [Symbol.asyncDispose]: async () => {
      page.close();
      await control.close();
      await engine.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** A playground request with everything optional left out. */
export function playgroundRequest(
  model: string,
  inputs: readonly PlaygroundInput[],
  change: Partial<PlaygroundRequest> = {},
): PlaygroundRequest {
  return {
    model,
    version: '',
    protocol: 'http-binary',
    id: '',
    inputs: [...inputs],
    outputs: [],
    priority: 0,
    timeoutUs: 0,
    parameters: {},
    ...change,
  };
}

/** Typed values of one input. */
export function typedInput(
  name: string,
  datatype: string,
  shape: readonly number[],
  values: readonly (string | number)[],
): PlaygroundInput {
  return { name, datatype, shape: [...shape], source: { kind: 'values', values: values.map(String) } };
}

/** A request to the sample `batch_mlp`: one row of reproducible random values. */
export function mlpRequest(change: Partial<PlaygroundRequest> = {}): PlaygroundRequest {
  const source = { kind: 'random', seed: 3, min: -1, max: 1 } as const;
  return playgroundRequest(
    'batch_mlp',
    [{ name: 'FEATURES', datatype: 'FP32', shape: [1, 64], source }],
    change,
  );
}

/** Sends that many requests to the sample `batch_mlp`, so many at a time. */
export async function sendToMlp({ client }: ControlWorld, count: number, concurrency: number): Promise<void> {
  const source = { kind: 'random', seed: 1, min: 0, max: 1 } as const;
  const request = playgroundRequest('batch_mlp', [
    { name: 'FEATURES', datatype: 'FP32', shape: [1, 64], source },
  ]);
  await client.call('playground/repeat', { request, count, concurrency });
}
