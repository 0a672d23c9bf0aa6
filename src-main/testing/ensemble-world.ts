// Ensembles without files or sockets: named models, each behind its real scheduler on one fake clock, found through an
// invoker that counts who uses what.

import type {
  EnsembleStep,
  ModelConfig,
  ModelEnsembling,
  ModelInput,
  ModelOutput,
} from '../../src-shared/config/model-config.ts';
import { notFound } from '../../src-shared/errors.ts';
import type { Backend } from '../inference/backend.ts';
import type { ModelInvoker, ModelUse } from '../inference/model-invoker.ts';
import { createScheduler } from '../scheduling/create-scheduler.ts';
import type { ResponseCache } from '../scheduling/response-cache.ts';
import { fakeSpec, type FakeScript } from './fake-backend.ts';
import { FakeClock } from './fake-clock.ts';
import { SchedulerWorld } from './scheduler-world.ts';
import { inputConfig, modelConfig, outputConfig } from './tensors.ts';

/** One model that steps may name. */
export interface EnsembleWorldModel {
  readonly config?: Partial<ModelConfig>;
  /** A scripted model, unless `backend` is given. */
  readonly script?: FakeScript;
  readonly backend?: Backend;
  readonly version?: string;
  readonly instanceCount?: number;
  readonly cache?: ResponseCache;
}

/** Inputs of the default datatype with one open dimension. */
export const inputs = (...names: string[]): ModelInput[] => names.map((name) => inputConfig({ name }));
/** Outputs of the default datatype with one open dimension. */
export const outputs = (...names: string[]): ModelOutput[] => names.map((name) => outputConfig({ name }));

/** For a model that may answer a request any number of times. */
export const decoupled: Partial<ModelConfig> = { modelTransactionPolicy: { decoupled: true } };

/**
 * `inputMap`: name of the model's input to ensemble tensor; `outputMap`: name of the model's output to ensemble
 * tensor. Version -1 is the newest.
 */
export function step(
  modelName: string,
  inputMap: Record<string, string>,
  outputMap: Record<string, string>,
  modelVersion = -1,
): EnsembleStep {
  return { modelName, modelVersion, inputMap, outputMap, modelNamespace: '' };
}

/** Throws NOT_FOUND for models that were not added. A use that is not released shows in `useCount`. */
export class EnsembleWorld implements ModelInvoker {
  readonly clock = new FakeClock();
  readonly models = new Map<string, SchedulerWorld>();
  readonly #versions = new Map<string, string>();
  /** Uses taken and not released. */
  useCount = 0;

  /** Adds a model; its input and output are IN and OUT unless its config says otherwise. */
  async model(name: string, model: EnsembleWorldModel = {}): Promise<SchedulerWorld> {
    const { backend, cache } = model;
    const config = modelConfig({
      name,
      maxBatchSize: 0,
      input: inputs('IN'),
      output: outputs('OUT'),
      ...model.config,
    });
    const world = await SchedulerWorld.create({
      config,
      clock: this.clock,
      createScheduler,
      invoker: this,
      instanceCount: config.ensembleScheduling === undefined ? (model.instanceCount ?? 1) : 0,
      ...(cache === undefined ? {} : { cache }),
      ...(model.script === undefined ? {} : { script: model.script }),
      ...(backend === undefined
        ? {}
        : {
            createInstance: async (ordinal, { clock, statistics }) => {
              const { signal } = new AbortController();
              const loaded = await backend.load({
                modelName: name,
                version: '1',
                modelDir: '',
                versionDir: '',
                config,
                clock,
                backendConfig: new Map(),
                reporter: statistics,
                invoker: this,
                signal,
              });
              return loaded.createInstance(fakeSpec({ name: `${name}_${ordinal}`, ordinal }), { signal });
            },
          }),
    });
    this.models.set(name, world);
    this.#versions.set(name, model.version ?? '1');
    return world;
  }

  /**
   * Adds an ensemble; `maxInflightRequests` 0 = no limit, and its input and output are IN and OUT unless
   * `config` says otherwise.
   */
  ensemble(
    name: string,
    steps: readonly EnsembleStep[],
    config: Partial<ModelConfig> = {},
    options: { readonly maxInflightRequests?: number; readonly cache?: ResponseCache } = {},
  ): Promise<SchedulerWorld> {
    const ensembleScheduling: ModelEnsembling = {
      step: steps,
      maxInflightRequests: options.maxInflightRequests ?? 0,
    };
    return this.model(name, {
      config: { platform: 'ensemble', ensembleScheduling, ...config },
      ...(options.cache === undefined ? {} : { cache: options.cache }),
    });
  }

  use(name: string, version: number): ModelUse {
    const world = this.models.get(name);
    if (world === undefined) throw notFound(`Request for unknown model: '${name}' is not found`);
    const actual = this.#versions.get(name) ?? '1';
    if (version !== -1 && String(version) !== actual) {
      throw notFound(`Request for unknown model: '${name}' version ${version} is not found`);
    }
    this.useCount += 1;
    return {
      name,
      version: actual,
      config: world.config,
      isDecoupled: this.#isDecoupled(world.config),
      infer: (request) => {
        request.actualVersion = actual;
        world.infer(request);
      },
      release: () => {
        this.useCount -= 1;
      },
    };
  }

  #isDecoupled(config: ModelConfig): boolean {
    if (config.modelTransactionPolicy?.decoupled === true) return true;
    return (config.ensembleScheduling?.step ?? []).some(({ modelName }) => {
      const world = this.models.get(modelName);
      return world !== undefined && this.#isDecoupled(world.config);
    });
  }
}
