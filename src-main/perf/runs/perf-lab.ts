// The queue of load tests: one goes on at a time, each in a generator process of its own. Stores what was measured level
// by level, loads overriding configurations for the time of a run, and puts the file's back afterwards.

import { createHash, randomUUID } from 'node:crypto';

import type { PerfSweep } from '../../../src-shared/contract/perf-calls.ts';
import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type {
  PerfProgress,
  PerfRun,
  PerfRunSummary,
  PerfSweepPlace,
} from '../../../src-shared/contract/perf-views.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { getLogger } from '../../base/log.ts';
import type { ProcessSpawner } from '../../base/process-spawner.ts';
import type { Measured } from './compare-runs.ts';
import { ConfigOverride, servedText } from './config-override.ts';
import { machineFingerprint, machineState, machineWarnings } from './fingerprint.ts';
import type { GeneratorListener } from './generator-run.ts';
import { GeneratorRun } from './generator-run.ts';
import type { PerfModelHost, SlowTraceKeeper } from './model-host.ts';
import { withLevels, withTraces } from './run-levels.ts';
import { perfRunErrors } from './run-errors.ts';
import type { RunStore } from './run-store.ts';
import { summaryOf } from './run-store.ts';
import { sweepVariants } from './sweep-variants.ts';

const log = getLogger('perf');

const TRACED =
  'Every request was traced for this run, which costs the server time: compare it with other traced runs.';

/** What the lab works with. It closes none of it. */
export interface PerfLabOptions {
  readonly clock: Clock;
  readonly spawner: ProcessSpawner;
  readonly host: PerfModelHost;
  readonly store: RunStore;
  readonly slowTraces: SlowTraceKeeper;
  readonly appVersion: string;
  /** Of the run that goes on. */
  readonly onProgress: (progress: PerfProgress) => void;
  /** A run changed its state. */
  readonly onChange: (run: PerfRunSummary) => void;
}

/** A run that was asked for. */
export interface StartRequest {
  readonly plan: PerfPlan;
  readonly name: string;
  /** undefined = as served. */
  readonly configText?: string | undefined;
  readonly sweep?: PerfSweep | undefined;
}

interface Current {
  readonly id: string;
  /** undefined while its model is being loaded for it. */
  generator: GeneratorRun | undefined;
  progress: PerfProgress | undefined;
  isStopped: boolean;
}

/** Its queue lives as long as it does; runs are found in the store afterwards. */
export class PerfLab {
  readonly #options: PerfLabOptions;
  readonly #override: ConfigOverride;
  readonly #queue: string[] = [];
  #current: Current | undefined;
  #pumping: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: PerfLabOptions) {
    this.#options = options;
    this.#override = new ConfigOverride(options.host);
  }

  /** The latest progress with all levels so far, for pages that come late. */
  get progress(): PerfProgress | undefined {
    return this.#current?.progress;
  }

  /** Queues one run, or one per combination of a sweep, and starts the first when nothing goes on. */
  async start(request: StartRequest): Promise<{ readonly runs: readonly string[]; readonly sweep: string }> {
    const { plan, sweep } = request;
    const model = await this.#options.host.describe(plan.model);
    const base = request.configText ?? servedText(model);
    const variants =
      sweep === undefined
        ? [{ title: undefined, configText: base }]
        : sweepVariants(base, sweep, { batchSize: plan.batchSize });
    const sweepId = sweep === undefined ? '' : randomUUID();
    const runs: string[] = [];
    for (const [index, { title, configText }] of variants.entries()) {
      const place: PerfSweepPlace | undefined =
        sweepId === '' ? undefined : { id: sweepId, index, count: variants.length, title: title ?? '' };
      const isOverride = request.configText !== undefined || (place !== undefined && index > 0);
      const run = await this.#newRun(request, {
        configText,
        isOverride,
        sweep: place,
        device: model.device ?? '',
      });
      await this.#options.store.add(run, model.repository);
      this.#options.onChange(summaryOf(run));
      this.#queue.push(run.id);
      runs.push(run.id);
    }
    this.#pump();
    return { runs, sweep: sweepId };
  }

  /** A run, or all runs of a sweep. */
  async stop(id: string): Promise<void> {
    const sweep = await this.#options.store.bySweep(id);
    const ids = new Set(sweep.length > 0 ? sweep.map((run) => run.id) : [id]);
    for (const queued of this.#queue.filter((entry) => ids.has(entry))) {
      this.#queue.splice(this.#queue.indexOf(queued), 1);
      await this.#change(queued, { state: 'stopped', endedAtMs: this.#options.clock.wallMs() });
    }
    if (this.#current === undefined || !ids.has(this.#current.id)) return;
    this.#current.isStopped = true;
    this.#current.generator?.stop();
  }

  /** Does nothing for a run that does not go on now. */
  skip(id: string): void {
    if (this.#current?.id === id) this.#current.generator?.skip();
  }

  /** Does nothing for a run that does not go on now. */
  pause(id: string, isPaused: boolean): void {
    if (this.#current?.id === id) this.#current.generator?.pause(isPaused);
  }

  /** Measures one plan outside the history. Waits for its turn. */
  async measureOnce(plan: PerfPlan): Promise<Measured> {
    if (this.#current !== undefined || this.#queue.length > 0) throw perfRunErrors.busy();
    let measured: Measured | undefined;
    const generator = new GeneratorRun(this.#options.spawner, await this.#sendable(plan), {
      prepared: () => undefined,
      progress: () => undefined,
      level: (level) => {
        measured = level;
      },
    });
    await generator.done.finally(() => generator.kill());
    if (measured === undefined) throw perfRunErrors.measuredNothing();
    return measured;
  }

  /** Resolves when nothing runs and nothing is queued. */
  async settled(): Promise<void> {
    while (this.#pumping !== undefined) await this.#pumping;
  }

  /** Empties the queue and kills the run that goes on; what was measured of it is stored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#queue.length = 0;
    this.#current?.generator?.kill();
    await this.settled();
  }

  async #newRun(
    { plan, name }: StartRequest,
    about: Pick<PerfRun, 'configText' | 'isOverride' | 'sweep'> & { readonly device: string },
  ): Promise<PerfRun> {
    const { configText, isOverride, sweep, device } = about;
    return {
      id: randomUUID(),
      name,
      model: plan.model,
      state: 'queued',
      error: '',
      startedAtMs: this.#options.clock.wallMs(),
      endedAtMs: 0,
      configHash: createHash('sha256').update(configText).digest('hex').slice(0, 12),
      isOverride,
      note: '',
      isStarred: false,
      levelCount: 0,
      bestInferPerSecond: 0,
      sweep,
      plan,
      configText,
      fingerprint: await machineFingerprint({ device, appVersion: this.#options.appVersion }),
      warnings: [],
      levels: [],
      kneeIndex: -1,
    };
  }

  #pump(): void {
    this.#pumping ??= this.#runQueue().finally(() => {
      this.#pumping = undefined;
      if (this.#queue.length > 0 && !this.#isClosed) this.#pump();
    });
  }

  async #runQueue(): Promise<void> {
    for (let id = this.#queue.shift(); id !== undefined; id = this.#queue.shift()) {
      try {
        await this.#runOne(id);
      } catch (thrown) {
        log.error(`run ${id}: ${toServerError(thrown).message}`);
      }
    }
    await this.#restore();
  }

  async #runOne(id: string): Promise<void> {
    const { store, clock } = this.#options;
    const run = await store.find(id);
    const current: Current = { id, generator: undefined, progress: undefined, isStopped: false };
    this.#current = current;
    let change: Partial<PerfRun>;
    try {
      await this.#override.use(run);
      await this.#change(id, { state: 'running', startedAtMs: clock.wallMs() });
      change = await this.#measure(run, current);
    } catch (thrown) {
      change = { state: 'failed', error: toServerError(thrown).message };
    }
    this.#current = undefined;
    // Who hears that the run ended finds the model as it was, unless another run goes on with it.
    if (this.#queue.length === 0) await this.#restore();
    await this.#change(id, { ...change, endedAtMs: clock.wallMs() });
  }

  async #restore(): Promise<void> {
    if (!this.#isClosed) await this.#override.drop();
  }

  async #measure(run: PerfRun, current: Current): Promise<Partial<PerfRun>> {
    const { spawner, store, slowTraces } = this.#options;
    const isTraced = run.plan.tracesSlowest === true && run.plan.url === '';
    const saves: Promise<unknown>[] = [];
    const before = await machineState();
    const requests = {
      file: run.plan.keepsRequests === true ? await store.requestsFile(run.id) : undefined,
      version: this.#options.appVersion,
    };
    const listener: GeneratorListener = {
      prepared: (serverName) => {
        saves.push(store.change(run.id, (known) => ({ fingerprint: { ...known.fingerprint, serverName } })));
      },
      progress: (progress) => this.#progress(current, { ...progress, runId: run.id }),
      level: (level) => {
        const traced = isTraced ? withTraces(level, slowTraces) : level;
        saves.push(store.change(run.id, (known) => withLevels([...known.levels, traced])));
      },
    };
    const plan = await this.#sendable(run.plan);
    if (current.isStopped || this.#isClosed) return { state: 'stopped' };
    if (isTraced) slowTraces.follow(plan.model);
    const generator = new GeneratorRun(spawner, plan, listener, requests);
    current.generator = generator;
    let warnings: readonly string[] = [];
    let failure: string | undefined;
    try {
      warnings = await generator.done;
    } catch (thrown) {
      failure = toServerError(thrown).message;
    } finally {
      generator.kill();
      if (isTraced) slowTraces.stop();
      await Promise.all(saves);
    }
    const machine = machineWarnings(before, await machineState());
    const own = isTraced ? [TRACED] : [];
    return {
      ...(await this.#outcome(run.id, current, failure)),
      warnings: [...warnings, ...machine, ...own],
    };
  }

  /** How the run ended: by itself, by the user, because the model went away, or with an error. */
  async #outcome(id: string, current: Current, failure: string | undefined): Promise<Partial<PerfRun>> {
    const { store, host } = this.#options;
    const run = await store.find(id);
    const last = run.levels.at(-1);
    const error = failure ?? (last?.state === 'failed' ? last.firstError || last.note : undefined);
    if (current.isStopped) return { state: 'stopped', error: failure ?? '' };
    if (error === undefined) return { state: 'done' };
    const isGone = await host.describe(run.model).then(
      ({ isReady }) => !isReady,
      () => true,
    );
    const hasData = run.levels.some(({ result }) => result.requestCount > 0);
    if (isGone && hasData) return { state: 'interrupted', error: `The model was unloaded: ${error}` };
    return { state: 'failed', error };
  }

  #progress(current: Current, progress: PerfProgress): void {
    const before = current.progress?.finishedLevels ?? [];
    current.progress = { ...progress, finishedLevels: [...before, ...progress.finishedLevels] };
    this.#options.onProgress(progress);
  }

  /** With all that the generator cannot know: where this server listens, what a saved request holds, what was captured. */
  async #sendable(plan: PerfPlan): Promise<PerfPlan> {
    const addressed = this.#addressed(plan);
    const { source } = plan.data;
    switch (source.kind) {
      case 'saved': {
        const text = await this.#options.host.savedData(plan.model, source.request);
        return { ...addressed, data: { ...plan.data, source: { kind: 'json', text } } };
      }
      case 'captured': {
        const text = this.#options.host.capturedData(plan.model);
        return { ...addressed, batchSize: 1, data: { ...plan.data, source: { ...source, text } } };
      }
      case 'random':
      case 'zero':
      case 'json':
      case 'path':
        return addressed;
    }
  }

  #addressed(plan: PerfPlan): PerfPlan {
    if (plan.url !== '') return plan;
    const { http, grpc } = this.#options.host.addresses();
    const url = plan.protocol === 'grpc' ? grpc : http;
    if (url === undefined)
      throw perfRunErrors.endpointOff({ protocol: plan.protocol === 'grpc' ? 'gRPC' : 'HTTP' });
    return { ...plan, url };
  }

  async #change(id: string, change: Partial<PerfRun>): Promise<void> {
    const run = await this.#options.store.change(id, () => change);
    this.#options.onChange(summaryOf(run));
  }
}
