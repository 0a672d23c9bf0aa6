// One loaded version of an ONNX model: creates its instances, each with a session of its own, and gathers what the
// user should know about how they run.

import type { ModelDescription } from '../../../src-shared/config/model-description.ts';
import type { InstanceSpec, BackendModel, ModelInstance, ModelLoadContext } from '../../inference/backend.ts';
import { mayOverlap } from '../../inference/may-overlap.ts';
import type { HostedSession } from '../instance-host/hosted-session.ts';
import type { InstanceHost } from '../instance-host/instance-host.ts';
import { planInterface } from './interface-plan.ts';
import type { InterfacePlan } from './interface-plan.ts';
import { planProviders } from './provider-choice.ts';
import type { GpuPolicy } from './provider-choice.ts';
import { SessionInstance } from './session-instance.ts';
import type { SessionInfo, SessionInit } from './session-messages.ts';
import type { SessionOptionsResult } from './session-options.ts';
import { tensorRtVariables, withVariables } from './tensorrt-environment.ts';

export interface OnnxModelParts {
  readonly context: ModelLoadContext;
  readonly facts: OnnxFileFacts;
  readonly options: SessionOptionsResult;
  readonly host: InstanceHost;
  /** Where sessions live that may use WebGPU. */
  readonly webGpuHost: InstanceHost;
  /** Providers that GPU instances try, after those that the configuration asks for. */
  readonly gpuProviders: readonly string[];
  /** Providers that are not tried, with the reason. */
  readonly leftOut: ReadonlyMap<string, string>;
  readonly onGpuSession: (provider: string) => void;
  readonly gpuPolicy: GpuPolicy;
  readonly providers: ReadonlySet<string>;
}

const WEB_GPU = 'webgpu';

interface OpenedSession {
  readonly session: HostedSession;
  /** Where it lives. */
  readonly host: InstanceHost;
  readonly info: SessionInfo;
}

export class OnnxModelInstances implements BackendModel {
  readonly #parts: OnnxModelParts;
  readonly #plan: InterfacePlan;
  readonly #notices: Set<string>;

  constructor(parts: OnnxModelParts) {
    this.#parts = parts;
    this.#plan = planInterface(parts.context.config, parts.facts.description);
    this.#notices = new Set(parts.options.notices);
  }

  /** Grows with the instances: each adds where it runs when that is not where it was asked to. */
  get notices(): readonly string[] {
    return [...this.#notices];
  }

  /** Throws INTERNAL `onnx runtime error <code>: <text>` when the session cannot be created. */
  async createInstance(
    spec: InstanceSpec,
    options: { readonly signal: AbortSignal },
  ): Promise<ModelInstance> {
    const { context, facts, providers, gpuPolicy, gpuProviders } = this.#parts;
    options.signal.throwIfAborted();
    const providerPlan = planProviders(
      context.config,
      spec,
      providers,
      gpuPolicy,
      gpuProviders,
      this.#parts.leftOut,
    );
    const init: SessionInit = {
      path: facts.path,
      settings: this.#parts.options.settings,
      providerAttempts: providerPlan.attempts,
      feeds: this.#plan.feeds.map(({ name, type }) => ({ name, type })),
      outputs: this.#plan.outputs.map((output) => output.name),
      isBatching: this.#plan.maxBatchSize > 0,
      overridable: this.#plan.overridable,
    };
    const label = `instance '${spec.name}' of model '${context.modelName}'`;
    const first = providerPlan.attempts[0]?.[0]?.name ?? 'cpu';
    if (first !== 'cpu') this.#parts.onGpuSession(first);
    const { session, host, info } = await this.#openWithOptions(label, init);
    if (options.signal.aborted) {
      await host.closeSession(session);
      options.signal.throwIfAborted();
    }
    for (const notice of providerPlan.notices) this.#notices.add(notice);
    this.#notePlacement(spec, info);
    return new SessionInstance({
      spec,
      plan: this.#plan,
      session,
      host,
      clock: context.clock,
      reporter: context.reporter,
      memoryByteSize: facts.weightByteSize,
      mayOverlap: mayOverlap(this.#parts.context.config),
    });
  }

  /** The workers belong to the host; instances give theirs back one by one. */
  async close(): Promise<void> {
    await Promise.resolve();
  }

  /** TensorRT reads its options from the environment, so its sessions are made one at a time. */
  #openWithOptions(label: string, init: SessionInit): Promise<OpenedSession> {
    const usesTensorRt = init.providerAttempts.some((attempt) =>
      attempt.some(({ name }) => name === 'tensorrt'),
    );
    if (!usesTensorRt) return this.#open(label, init);
    return withVariables(tensorRtVariables(this.#parts.context.config), () => this.#open(label, init));
  }

  /** A session that ended up on the CPU does not stay in the one thread of WebGPU. */
  async #open(label: string, init: SessionInit): Promise<OpenedSession> {
    const { host, webGpuHost, options } = this.#parts;
    const { niceLevel } = options;
    if (!init.providerAttempts.some((attempt) => attempt.some(({ name }) => name === WEB_GPU))) {
      const session = await host.open({ label, init, niceLevel });
      return { session, host, info: session.info as SessionInfo };
    }
    const session = await webGpuHost.open({ label, init, niceLevel });
    const info = session.info as SessionInfo;
    if (info.provider === WEB_GPU) return { session, host: webGpuHost, info };
    await webGpuHost.closeSession(session);
    const rest = init.providerAttempts.slice(info.refusals.length);
    const moved = await host.open({ label, init: { ...init, providerAttempts: rest }, niceLevel });
    return {
      session: moved,
      host,
      info: { ...info, ...(moved.info as SessionInfo), refusals: info.refusals },
    };
  }

  #notePlacement(spec: InstanceSpec, info: SessionInfo): void {
    if (spec.kind !== 'KIND_GPU' || info.provider !== 'cpu') return;
    const reason =
      info.refusals.length > 0 ? info.refusals.join('; ') : 'no GPU execution provider is available';
    this.#notices.add(`asked for KIND_GPU, runs on the CPU: ${reason}`);
  }
}

/** A model file as far as it is known without running it. */
export interface OnnxFileFacts {
  readonly path: string;
  readonly description: ModelDescription;
  /** Bytes of all weights, external ones included. */
  readonly weightByteSize: number;
}
