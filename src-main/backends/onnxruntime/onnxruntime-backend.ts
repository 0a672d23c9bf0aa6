// The backend named "onnxruntime": completes configurations from .onnx files, and loads models whose instances live in
// worker threads, because every call into the library blocks its thread.

import './no-telemetry.ts';
import {
  autoCompleteOnnx,
  isInterfaceListed,
  notCompleted,
} from '../../../src-shared/config/config-auto-complete.ts';
import { firstError } from '../../../src-shared/config/config-issue.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { checkInterface } from '../../../src-shared/config/rules/interface-rules.ts';
import { ServerError } from '../../../src-shared/errors.ts';
import { getLogger } from '../../base/log.ts';
import { workerEntryUrl } from '../../base/worker-entry.ts';
import type {
  AutoCompleteOptions,
  AutoCompletion,
  Backend,
  BackendModel,
  ModelLoadContext,
} from '../../inference/backend.ts';
import type { ModelFiles } from '../../inference/model-files.ts';
import { describeOnnx } from '../../onnx/describe-onnx.ts';
import { fatalOnEmptyTensors } from '../../onnx/fatal-operators.ts';
import { requireRegularWeights } from '../../onnx/external-data.ts';
import { readOnnx } from '../../onnx/onnx-reader.ts';
import { InstanceHost } from '../instance-host/instance-host.ts';
import { findArtefact } from './artefact.ts';
import { parseBoolean } from './config-values.ts';
import { onnxruntimeDescription } from './description.ts';
import { isInlineFile } from './inline-models.ts';
import { fileStamp } from './file-stamp.ts';
import { Inspections } from './inspections.ts';
import { requireInterface } from './interface-check.ts';
import type { OnnxFileFacts } from './onnx-model-instances.ts';
import { GpuTrials } from './gpu-trial/gpu-trials.ts';
import { fileError, requireReadableSize } from './ort-errors.ts';
import { LoopBudget } from './loop-budget.ts';
import { OnnxModelInstances } from './onnx-model-instances.ts';
import { namedGpuProviders } from './provider-choice.ts';
import type { GpuPolicy } from './provider-choice.ts';
import { checkAccelerators } from './provider-choice.ts';
import { completeDescription, needsRuntime } from './session-description.ts';
import { sessionOptions } from './session-options.ts';
import type { SessionOptionsResult } from './session-options.ts';
import { WeightPages } from './weight-pages.ts';

const log = getLogger('onnxruntime');

/** Long enough for the sessions after an inspection, and for a repository whose models load one after another. */
const KEEP_IDLE_MS = 5000;

/** What the command line and the machine say to the backend. */
export interface OnnxruntimeBackendOptions {
  /** Default "fallback". */
  readonly gpuPolicy?: GpuPolicy;
  /** Worker threads at most; default 64. */
  readonly maxWorkers?: number;
  /** Providers that are not tried for a model, and why. */
  readonly leftOut?: readonly {
    readonly model: string;
    readonly provider: string;
    readonly reason: string;
  }[];
}

/** Made once per server. Its threads end with their last sessions; models on WebGPU share one. */
export class OnnxruntimeBackend implements Backend {
  readonly description = onnxruntimeDescription;
  readonly usesGpuHere = true;
  /** Comparisons of models on a GPU with the CPU. */
  readonly trials = new GpuTrials();
  readonly #gpuPolicy: GpuPolicy;
  readonly #loopBudget = new LoopBudget();
  readonly #host: InstanceHost;
  /** One thread for all sessions that may use WebGPU: its provider ends the process when two threads run it. */
  readonly #webGpuHost: InstanceHost;
  readonly #inspections: Inspections;
  #leftOut: NonNullable<OnnxruntimeBackendOptions['leftOut']>;
  #gpuProviders: readonly string[] | undefined;
  #onGpuSession: ((model: string, provider: string) => void) | undefined;
  #providers: Promise<ReadonlySet<string>> | undefined;

  constructor(options: OnnxruntimeBackendOptions = {}) {
    this.#gpuPolicy = options.gpuPolicy ?? 'fallback';
    this.#leftOut = options.leftOut ?? [];
    const pages = new WeightPages();
    const whileOpening = <T>(open: () => Promise<T>): Promise<T> => pages.whileOpening(open);
    this.#host = new InstanceHost({
      entry: workerEntryUrl('onnx-session'),
      whileOpening,
      keepIdleMs: KEEP_IDLE_MS,
      ...(options.maxWorkers === undefined ? {} : { maxWorkers: options.maxWorkers }),
    });
    this.#inspections = new Inspections(this.#host);
    this.#webGpuHost = new InstanceHost({
      entry: workerEntryUrl('onnx-session'),
      whileOpening,
      maxWorkers: 1,
    });
  }

  /** The providers that were seen to work here, in the order in which GPU instances try them. */
  useGpuProviders(names: readonly string[]): void {
    this.#gpuProviders = names;
  }

  check(config: ModelConfig): readonly string[] {
    return [...sessionOptions(config, new Map()).notices, ...checkAccelerators(config)];
  }

  /** Told before a session is made with a GPU provider, which may end the process. */
  watchGpuSessions(listener: ((model: string, provider: string) => void) | undefined): void {
    this.#onGpuSession = listener;
  }

  /** From its next load on a model does not try this provider. */
  leaveOut(model: string, provider: string, reason: string): void {
    this.#leftOut = [...this.#leftOut, { model, provider, reason }];
  }

  async autoComplete(
    files: ModelFiles,
    config: ModelConfig,
    options: AutoCompleteOptions,
  ): Promise<AutoCompletion> {
    // Options that cannot be read are told before the file is looked for.
    sessionOptions(config, options.backendConfig);
    if (isInterfaceListed(config)) {
      log.info(notCompleted(config));
      return { config, origins: new Map() };
    }
    const facts = await this.#examine(config, files, options);
    const completion = autoCompleteOnnx(config, facts.description, {
      defaultMaxBatchSize: options.defaultMaxBatchSize,
    });
    const issue = firstError(completion.issues);
    if (issue !== undefined) throw new ServerError(issue.statusCode, issue.message);
    for (const { level, text } of completion.notes) log[level](text);
    const origins = [...completion.origins].flatMap(([path, { reason }]) =>
      reason === undefined ? [] : [[path, reason] as const],
    );
    return { config: completion.config, origins: new Map(origins) };
  }

  /**
   * Throws INVALID_ARG or UNSUPPORTED when configuration and file contradict each other, INTERNAL when the file cannot
   * be read. Sessions are created by createInstance().
   */
  async load(context: ModelLoadContext): Promise<BackendModel> {
    const { config } = context;
    const options = sessionOptions(config, context.backendConfig);
    const facts = await this.#confirm(
      config,
      await this.#examine(config, context, context),
      context.backendConfig,
    );
    requireInterface(config, facts.description);
    return new OnnxModelInstances({
      context,
      facts,
      options,
      host: this.#host,
      webGpuHost: this.#webGpuHost,
      leftOut: new Map(
        this.#leftOut
          .filter(({ model }) => model === context.modelName)
          .map(({ provider, reason }) => [provider, reason]),
      ),
      onGpuSession: (provider) => this.#onGpuSession?.(context.modelName, provider),
      gpuProviders: this.#gpuProviders ?? namedGpuProviders(context.backendConfig),
      trials: isOn('gpu-comparison', context.backendConfig) ? this.trials : undefined,
      fillsUpBatches: isOn('gpu-steady-batches', context.backendConfig),
      loopBudget: isOn('inline-runs', context.backendConfig) ? this.#loopBudget : undefined,
      takesDirectRuns: isOn('direct-runs', context.backendConfig),
      gpuPolicy: this.#gpuPolicy,
      providers: await this.providers(),
    });
  }

  /** Execution providers this machine can load ("cpu", "cuda", "webgpu", ...). Asked once, in a worker. */
  providers(): Promise<ReadonlySet<string>> {
    this.#providers ??= this.#askProviders();
    return this.#providers;
  }

  /** Ends all worker threads. */
  async close(): Promise<void> {
    this.trials.close();
    await Promise.all([this.#host.close(), this.#webGpuHost.close()]);
  }

  async #askProviders(): Promise<ReadonlySet<string>> {
    const session = await this.#host.open({ label: 'the provider check', init: 'providers' });
    const names = session.info as readonly string[];
    await this.#host.closeSession(session);
    return new Set(names);
  }

  async #examine(
    config: ModelConfig,
    files: ModelFiles,
    { signal, backendConfig }: Pick<AutoCompleteOptions, 'signal' | 'backendConfig'>,
  ): Promise<OnnxFileFacts> {
    const path = await findArtefact(config, files);
    const stamp = await fileStamp(path);
    const model = await readOnnx(path, { signal }).catch((thrown: unknown) => {
      throw fileError(thrown, path);
    });
    requireReadableSize(path, model.fileByteSize);
    await requireRegularWeights(path, model);
    const description = describeOnnx(model);
    const weightByteSize = model.graph.initializers.reduce((sum, tensor) => sum + tensor.byteSize, 0);
    const inlineStamp = isInlineFile(model) ? stamp : undefined;
    const fatalOperator = fatalOnEmptyTensors(model);
    const inspection = undefined;
    const facts: OnnxFileFacts = {
      path,
      description,
      fatalOperator,
      weightByteSize,
      inspection,
      inlineStamp,
    };
    return needsRuntime(description) ? this.#askRuntime(config, facts, backendConfig) : facts;
  }

  /** What the file declares and the configuration contradicts is not refused before the runtime has looked at it. */
  async #confirm(
    config: ModelConfig,
    facts: OnnxFileFacts,
    backendConfig: ReadonlyMap<string, string>,
  ): Promise<OnnxFileFacts> {
    const { description } = facts;
    if (description.isDeclared !== true) return facts;
    const exact = { ...description, isDeclared: false };
    const isSound = firstError(checkInterface(config, exact)) === undefined;
    const isOpen = isSound || firstError(checkInterface(config, description)) !== undefined;
    return isOpen ? { ...facts, description: exact } : this.#askRuntime(config, facts, backendConfig);
  }

  /** Lets the runtime infer what the file does not say. */
  async #askRuntime(
    config: ModelConfig,
    facts: OnnxFileFacts,
    backendConfig: ReadonlyMap<string, string>,
  ): Promise<OnnxFileFacts> {
    const options = usableOptions(config, backendConfig);
    const inspection = await this.#inspections.ask(facts.path, config, options);
    return { ...facts, description: completeDescription(facts.description, inspection.info), inspection };
  }
}

/** Undefined for options that are refused; loading says why. */
function usableOptions(
  config: ModelConfig,
  backendConfig: ReadonlyMap<string, string>,
): SessionOptionsResult | undefined {
  try {
    return sessionOptions(config, backendConfig);
  } catch {
    return undefined;
  }
}

/** A backend option of ours, on by default. Throws INVALID_ARG for what is no boolean. */
function isOn(option: string, backendConfig: ReadonlyMap<string, string>): boolean {
  return parseBoolean(backendConfig.get(option) ?? '1');
}
