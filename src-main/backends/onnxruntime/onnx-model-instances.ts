// One loaded version of an ONNX model: creates its instances, each with a session of its own, and gathers what the
// user should know about how they run.

import { stat } from 'node:fs/promises';

import type { GpuTrial } from '../../../src-shared/contract/gpu-trial.ts';
import type { ModelDescription } from '../../../src-shared/config/model-description.ts';
import type { InstanceSpec, BackendModel, ModelInstance, ModelLoadContext } from '../../inference/backend.ts';
import { mayOverlap } from '../../inference/may-overlap.ts';
import type { HostedSession } from '../instance-host/hosted-session.ts';
import type { InstanceHost } from '../instance-host/instance-host.ts';
import { isSameFile } from './file-stamp.ts';
import type { FileStamp } from './file-stamp.ts';
import type { Inspection } from './inspections.ts';
import type { GpuTrials } from './gpu-trial/gpu-trials.ts';
import { isSwitchDear } from './gpu-trial/gpu-trials.ts';
import type { TrialJob } from './gpu-trial/trial-messages.ts';
import { mayRunDirectly, mayRunInline } from './inline-models.ts';
import { InlineRuns } from './inline-runs.ts';
import { InlineSession } from './inline-session.ts';
import type { LoopBudget } from './loop-budget.ts';
import { planInterface } from './interface-plan.ts';
import type { InterfacePlan } from './interface-plan.ts';
import { planProviders } from './provider-choice.ts';
import type { GpuPolicy } from './provider-choice.ts';
import { SessionInstance } from './session-instance.ts';
import { hasShortRuns } from './short-models.ts';
import type { ProviderChoice, SessionInfo, SessionInit } from './session-messages.ts';
import type { SessionOptionsResult } from './session-options.ts';
import { SteadyRows, mayFillUp } from './steady-rows.ts';
import { tensorRtVariables, withVariables } from './tensorrt-environment.ts';

/** What the instances of one model version share. */
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
  /** Told with the provider when a session was opened that runs on a GPU. */
  readonly onGpuSession: (provider: string) => void;
  /** Compares models on a GPU with the CPU; undefined when that is switched off. */
  readonly trials: GpuTrials | undefined;
  /** Batches on a GPU may be filled up to one number of rows where the comparison found that changes of it are dear. */
  readonly fillsUpBatches: boolean;
  /** For short runs that the event loop does itself; undefined when that is switched off. */
  readonly loopBudget: LoopBudget | undefined;
  /** Short runs may go past onnxruntime-node. */
  readonly takesDirectRuns: boolean;
  readonly gpuPolicy: GpuPolicy;
  readonly providers: ReadonlySet<string>;
}

const WEB_GPU = 'webgpu';
/** Rows at which a GPU is compared with the CPU, besides one: a batch is what pays there. */
const MAX_TRIAL_ROWS = 32;

interface OpenedSession {
  readonly session: HostedSession;
  /** Where it lives. */
  readonly host: InstanceHost;
  readonly info: SessionInfo;
}

/** Made once the file was read and the session's options are settled; instances may be created side by side. */
export class OnnxModelInstances implements BackendModel {
  readonly #parts: OnnxModelParts;
  readonly #plan: InterfacePlan;
  readonly #notices: Set<string>;
  /** Instances may share threads. */
  readonly #mayShare: boolean;
  #trialJob: TrialJob | undefined;

  constructor(parts: OnnxModelParts) {
    this.#parts = parts;
    this.#plan = planInterface(parts.context.config, parts.facts.description, parts.facts.fatalOperator);
    this.#notices = new Set(parts.options.notices);
    const { inlineStamp, weightByteSize } = parts.facts;
    this.#mayShare = hasShortRuns(parts.context.config, {
      isBounded: inlineStamp !== undefined,
      weightByteSize,
    });
  }

  /** Grows with the instances: each adds where it runs when that is not where it was asked to. */
  get notices(): readonly string[] {
    return [...this.#notices];
  }

  /** What the comparison of its GPU provider with the CPU showed; undefined when it is not on a GPU. */
  get gpuTrial(): GpuTrial | undefined {
    return this.#trialJob === undefined ? undefined : this.#parts.trials?.of(this.#trialJob);
  }

  /** Throws INTERNAL `onnx runtime error <code>: <text>` when the session cannot be created. */
  async createInstance(
    spec: InstanceSpec,
    options: { readonly signal: AbortSignal },
  ): Promise<ModelInstance> {
    const { context, facts, providers, gpuPolicy, gpuProviders } = this.#parts;
    options.signal.throwIfAborted();
    const providerPlan = planProviders(context.config, spec, {
      available: providers,
      policy: gpuPolicy,
      order: gpuProviders,
      leftOut: this.#parts.leftOut,
    });
    const wanted: SessionInit = {
      path: facts.path,
      settings: this.#parts.options.settings,
      providerAttempts: providerPlan.attempts,
      feeds: this.#plan.feeds.map(({ name, type }) => ({ name, type })),
      outputs: this.#plan.outputs.map((output) => output.name),
      isBatching: this.#plan.maxBatchSize > 0,
      overridable: this.#plan.overridable,
      directStamp: this.#directStamp,
    };
    const inspection = facts.inspection?.reservationFor(wanted);
    const init = inspection === undefined ? wanted : { ...wanted, inspection };
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
    if (info.provider !== 'cpu') await this.#compare(providerPlan.attempts[info.refusals.length] ?? []);
    const overlaps = mayOverlap(context.config);
    return new SessionInstance({
      spec,
      plan: this.#plan,
      session,
      host,
      clock: context.clock,
      reporter: context.reporter,
      memoryByteSize: facts.weightByteSize,
      gpuProvider: info.provider === 'cpu' ? undefined : info.provider,
      mayOverlap: overlaps,
      // Overlapping runs have their next payload already, and answers that come late let threads wake a loop that is awake.
      mayAnswerLast: !overlaps && context.config.sequenceBatching === undefined,
      inline: this.#inlineRuns(label, wanted, spec, info),
      steadyRows: this.#steadyRows(info),
    });
  }

  /** Undefined unless short runs may go past onnxruntime-node. */
  get #directStamp(): FileStamp | undefined {
    const { facts, options, takesDirectRuns } = this.#parts;
    return takesDirectRuns && mayRunDirectly(this.#plan, options) ? facts.inlineStamp : undefined;
  }

  /** Where the sizes of batches turn out to matter. */
  get #fillsUpBatches(): boolean {
    const { context, facts, fillsUpBatches } = this.#parts;
    return fillsUpBatches && mayFillUp(context.config, this.#plan, facts.description);
  }

  /** Undefined on the CPU, and for models that no row may be added to. */
  #steadyRows(info: SessionInfo): SteadyRows | undefined {
    if (!this.#fillsUpBatches || info.provider === 'cpu') return undefined;
    return new SteadyRows(this.#plan.maxBatchSize, () => {
      const trial = this.gpuTrial;
      return trial?.verdict !== undefined && isSwitchDear(trial);
    });
  }

  /** Undefined unless the event loop may do runs of this model. */
  #inlineRuns(
    label: string,
    init: SessionInit,
    spec: InstanceSpec,
    info: SessionInfo,
  ): InlineRuns | undefined {
    const { context, facts, options, loopBudget: budget } = this.#parts;
    const { inlineStamp } = facts;
    if (budget === undefined || inlineStamp === undefined) return undefined;
    if (spec.kind === 'KIND_GPU' || info.provider !== 'cpu') return undefined;
    if (!mayRunInline(context.config, this.#plan, options)) return undefined;
    return new InlineRuns({ label, budget, open: () => new InlineSession(init, inlineStamp) });
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
      const { inspection } = init;
      const reservation = inspection === undefined ? {} : { reservation: inspection };
      const { path, inlineStamp } = this.#parts.facts;
      const session = await host.open({
        label,
        init,
        niceLevel,
        mayShare: this.#mayShare,
        // A file that was changed since is another model.
        mayMove: () => inlineStamp === undefined || isSameFile(path, inlineStamp),
        ...reservation,
      });
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

  async #compare(providers: readonly ProviderChoice[]): Promise<void> {
    const { trials, facts, options, context } = this.#parts;
    if (trials === undefined || this.#trialJob !== undefined) return;
    const file = await stat(facts.path).catch(() => undefined);
    // Gone since it was loaded: the session has what it needs, the comparison has not.
    if (file === undefined) return;
    const rows = Math.min(this.#plan.maxBatchSize, MAX_TRIAL_ROWS);
    this.#trialJob = {
      path: facts.path,
      stamp: `${file.mtimeMs} ${file.size}`,
      settings: options.settings,
      providers,
      batchSizes: rows > 1 ? [1, rows] : [1],
    };
    const environment = Object.fromEntries(tensorRtVariables(context.config));
    trials.placed({
      modelName: context.modelName,
      job: this.#trialJob,
      environment,
      fillsUpBatches: this.#fillsUpBatches,
    });
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
  /** An operator of the file for which the runtime ends the process on a tensor without elements. */
  readonly fatalOperator: string | undefined;
  /** Bytes of all weights, external ones included. */
  readonly weightByteSize: number;
  /** Undefined where the file says everything. */
  readonly inspection: Inspection | undefined;
  /** The file as it was read; undefined where the event loop may not run it. */
  readonly inlineStamp: FileStamp | undefined;
}
