// A model repository over a temporary folder, the fake backend and the real schedulers. Ends with proof that no
// instance is left alive.

import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import { BackendRegistry } from '../inference/backend-registry.ts';
import type { Backend } from '../inference/backend.ts';
import { InferenceRequest, InferInput } from '../inference/inference-request.ts';
import type { InferenceResponse } from '../inference/inference-response.ts';
import type { ModelUse } from '../inference/model-invoker.ts';
import { createNormalizer } from '../inference/request-normalizer.ts';
import { RequestTapPoint } from '../inference/request-tap.ts';
import { bytesOf } from '../inference/tensor-bytes.ts';
import { createModelRepository } from '../repository/create-model-repository.ts';
import type { RepositoryDeps } from '../repository/create-model-repository.ts';
import type { ModelRepository } from '../repository/model-repository.ts';
import type { RepositoryOptions } from '../repository/repository-options.ts';
import { defaultRepositoryOptions } from '../repository/repository-options.ts';
import { scheduledRuntimes } from '../repository/scheduled-runtime.ts';
import { tritonConfigRules } from '../repository/triton-config-rules.ts';
import { createScheduler } from '../scheduling/create-scheduler.ts';
import { NO_TEST_HOOKS } from '../scheduling/scheduler-deps.ts';
import type { RepositoryFiles } from './temp-repository.ts';
import { TempRepository } from './temp-repository.ts';

/** Disposing closes the repository and removes its folder, and throws when an instance is still alive. */
export interface RepositoryFixture {
  readonly folder: TempRepository;
  readonly repository: ModelRepository;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What the repository of a test is made of. */
export interface RepositoryFixtureOptions {
  readonly backends: readonly Backend[];
  readonly files?: RepositoryFiles;
  readonly options?: Partial<RepositoryOptions>;
  readonly deps?: Partial<RepositoryDeps>;
  readonly clock?: Clock;
  /** Folders below the temporary one that are the repositories; default: itself. */
  readonly roots?: readonly string[];
}

/** config.pbtxt of a model that returns INPUT0 (FP32, 4 values) as OUTPUT0 through backend `fake`. */
export function echoConfig(extra = ''): string {
  return `backend: "fake"
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
${extra.includes('instance_group') ? '' : 'instance_group [ { kind: KIND_CPU count: 1 } ]'}
${extra}`;
}

/** An ensemble whose steps run in a chain, INPUT0 to OUTPUT0. */
export function chainConfig(...models: readonly string[]): string {
  const steps = models.map((model, at) => {
    const from = at === 0 ? 'INPUT0' : `t${at}`;
    const to = at === models.length - 1 ? 'OUTPUT0' : `t${at + 1}`;
    return `step { model_name: "${model}" model_version: -1
      input_map { key: "INPUT0" value: "${from}" } output_map { key: "OUTPUT0" value: "${to}" } }`;
  });
  return `platform: "ensemble"
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
ensemble_scheduling { ${steps.join('\n')} }`;
}

/** Control mode is `explicit` unless `options` say otherwise, and nothing is loaded yet. */
export async function repositoryFixture(setup: RepositoryFixtureOptions): Promise<RepositoryFixture> {
  const folder = await TempRepository.create(setup.files ?? {});
  const clock = setup.clock ?? systemClock;
  const roots = setup.roots ?? [''];
  const repository = createModelRepository(
    {
      ...defaultRepositoryOptions,
      controlMode: 'explicit',
      paths: roots.map((root) => folder.at(root)),
      ...setup.options,
    },
    {
      clock,
      rules: tritonConfigRules({ gpuInventory: [], minComputeCapability: 7.5, gpuPolicy: 'fallback' }),
      backends: new BackendRegistry(setup.backends, { directory: '/opt/tritonserver/backends' }),
      createRuntime: scheduledRuntimes({
        clock,
        limiter: undefined,
        cache: undefined,
        hooks: NO_TEST_HOOKS,
        createScheduler,
        createNormalizer,
        tapPoint: new RequestTapPoint(),
      }),
      backendSettings: () => new Map(),
      ...setup.deps,
    },
  );
  return {
    folder,
    repository,
    [Symbol.asyncDispose]: async () => {
      await repository.close();
      await folder.close();
    },
  };
}

/** Sends four floats through a model in use and releases the use; resolves with the only response. */
export async function inferFloats(use: ModelUse, values: readonly number[]): Promise<InferenceResponse> {
  const { promise, resolve } = Promise.withResolvers<InferenceResponse>();
  const bytes = new Uint8Array(new Float32Array(values).buffer);
  try {
    use.infer(
      new InferenceRequest({
        modelName: use.name,
        modelVersion: -1,
        inputs: [new InferInput('INPUT0', 'FP32', [values.length], bytesOf(bytes))],
        onResponse: (response) => {
          if (response !== undefined) resolve(response);
        },
      }),
    );
    return await promise;
  } finally {
    use.release();
  }
}
