// The backend named "onnxruntime": completes configurations from .onnx files, and loads models whose instances live in
// worker threads, because every call into the library blocks its thread.

import './no-telemetry.ts';
import { stat } from 'node:fs/promises';

import { autoCompleteOnnx } from '../../../src-shared/config/config-auto-complete.ts';
import { firstError } from '../../../src-shared/config/config-issue.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { ModelDescription } from '../../../src-shared/config/model-description.ts';
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
import { requireRegularWeights } from '../../onnx/external-data.ts';
import { readOnnx } from '../../onnx/onnx-reader.ts';
import { InstanceHost } from '../instance-host/instance-host.ts';
import { findArtefact } from './artefact.ts';
import { onnxruntimeDescription } from './description.ts';
import { requireInterface } from './interface-check.ts';
import type { OnnxFileFacts } from './onnx-model-instances.ts';
import { fileError } from './ort-errors.ts';
import { OnnxModelInstances } from './onnx-model-instances.ts';
import { namedGpuProviders } from './provider-choice.ts';
import type { GpuPolicy } from './provider-choice.ts';
import { checkAccelerators } from './provider-choice.ts';
import { completeDescription, needsRuntime } from './session-description.ts';
import type { SessionInfo, SessionInit } from './session-messages.ts';
import { sessionOptions } from './session-options.ts';

const log = getLogger('onnxruntime');

/** Inspections kept for a load that follows. */
const MAX_INSPECTED = 16;

/** Long enough for the sessions after an inspection, and for a repository whose models load one after another. */
const KEEP_IDLE_MS = 5000;

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

export class OnnxruntimeBackend implements Backend {
  readonly description = onnxruntimeDescription;
  readonly #gpuPolicy: GpuPolicy;
  readonly #host: InstanceHost;
  /** One thread for all sessions that may use WebGPU: its provider ends the process when two threads run it. */
  readonly #webGpuHost: InstanceHost;
  /** What completion found out about files that are about to be loaded. */
  readonly #inspected = new Map<string, SessionInfo>();
  readonly #leftOut: NonNullable<OnnxruntimeBackendOptions['leftOut']>;
  #gpuProviders: readonly string[] | undefined;
  #onGpuSession: ((model: string, provider: string) => void) | undefined;
  #providers: Promise<ReadonlySet<string>> | undefined;

  constructor(options: OnnxruntimeBackendOptions = {}) {
    this.#gpuPolicy = options.gpuPolicy ?? 'fallback';
    this.#leftOut = options.leftOut ?? [];
    this.#host = new InstanceHost({
      entry: workerEntryUrl('onnx-session'),
      keepIdleMs: KEEP_IDLE_MS,
      ...(options.maxWorkers === undefined ? {} : { maxWorkers: options.maxWorkers }),
    });
    this.#webGpuHost = new InstanceHost({ entry: workerEntryUrl('onnx-session'), maxWorkers: 1 });
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

  async autoComplete(
    files: ModelFiles,
    config: ModelConfig,
    options: AutoCompleteOptions,
  ): Promise<AutoCompletion> {
    const facts = await this.#examine(config, files, options.signal);
    const completion = autoCompleteOnnx(config, facts.description, {
      defaultMaxBatchSize: options.defaultMaxBatchSize,
    });
    const issue = firstError(completion.issues);
    if (issue !== undefined) throw new ServerError(issue.statusCode, issue.message);
    for (const { level, text } of completion.notes) log[level](text);
    const origins = [...completion.origins].map(([path, origin]) => [path, origin.reason] as const);
    return { config: completion.config, origins: new Map(origins) };
  }

  /**
   * Throws INVALID_ARG or UNSUPPORTED when configuration and file contradict each other, INTERNAL when the file cannot
   * be read. Sessions are created by createInstance().
   */
  async load(context: ModelLoadContext): Promise<BackendModel> {
    const { config } = context;
    const options = sessionOptions(config, context.backendConfig);
    const facts = await this.#confirm(config, await this.#examine(config, context, context.signal));
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
    await Promise.all([this.#host.close(), this.#webGpuHost.close()]);
  }

  async #askProviders(): Promise<ReadonlySet<string>> {
    const session = await this.#host.open({ label: 'the provider check', init: 'providers' });
    const names = session.info as readonly string[];
    await this.#host.closeSession(session);
    return new Set(names);
  }

  async #examine(config: ModelConfig, files: ModelFiles, signal: AbortSignal): Promise<OnnxFileFacts> {
    const path = await findArtefact(config, files);
    const model = await readOnnx(path, { signal }).catch((thrown: unknown) => {
      throw fileError(thrown, path);
    });
    await requireRegularWeights(path, model);
    const described = describeOnnx(model);
    const description = needsRuntime(described) ? await this.#askRuntime(path, described) : described;
    const weightByteSize = model.graph.initializers.reduce((sum, tensor) => sum + tensor.byteSize, 0);
    return { path, description, weightByteSize };
  }

  /** What the file declares and the configuration contradicts is not refused before the runtime has looked at it. */
  async #confirm(config: ModelConfig, facts: OnnxFileFacts): Promise<OnnxFileFacts> {
    const { description, path } = facts;
    if (description.isDeclared !== true) return facts;
    const exact = { ...description, isDeclared: false };
    const isSound = firstError(checkInterface(config, exact)) === undefined;
    const isOpen = isSound || firstError(checkInterface(config, description)) !== undefined;
    return { ...facts, description: isOpen ? exact : await this.#askRuntime(path, description) };
  }

  /** Lets the runtime infer what the file does not say. */
  async #askRuntime(path: string, description: ModelDescription): Promise<ModelDescription> {
    const { mtimeMs, size } = await stat(path);
    const file = `${path} ${mtimeMs} ${size}`;
    const info = this.#inspected.get(file) ?? (await this.#inspect(path));
    // Completion asks first, then loading, once each.
    if (!this.#inspected.delete(file)) this.#inspected.set(file, info);
    const [oldest] = this.#inspected.keys();
    if (this.#inspected.size > MAX_INSPECTED && oldest !== undefined) this.#inspected.delete(oldest);
    return completeDescription(description, info);
  }

  async #inspect(path: string): Promise<SessionInfo> {
    const init: SessionInit = {
      path,
      settings: { graphOptimizationLevel: 'disabled', executionMode: 'sequential', extra: {} },
      providerAttempts: [[{ name: 'cpu' }]],
      feeds: [],
      outputs: [],
      isBatching: false,
    };
    const session = await this.#host.open({ label: `the inspection of '${path}'`, init });
    const info = session.info as SessionInfo;
    await this.#host.closeSession(session);
    return info;
  }
}
