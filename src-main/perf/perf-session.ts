// One load test from plan to levels, against one server: asks the server for the model, makes the requests, measures
// level after level and tells how it goes. Runs in a process of its own beside the server it measures.

import type { PerfPlan } from '../../src-shared/contract/perf-plan.ts';
import type { PerfLevel } from '../../src-shared/contract/perf-views.ts';
import { DEFAULT_PORTS } from '../../src-shared/default-ports.ts';
import type { Clock } from '../base/clock.ts';
import type { DataSet } from './data/data-set.ts';
import { sentPlaces } from './data/data-set.ts';
import type { LoadModel } from './data/load-model.ts';
import { describeModel } from './data/load-model.ts';
import { MessageEncoder } from './data/message-encoder.ts';
import { PlainSource } from './data/plain-source.ts';
import { readData } from './data/read-data.ts';
import { SequenceSource } from './data/sequence-source.ts';
import { rateOfIntervals } from './load/arrival-times.ts';
import { ClosedLoop } from './load/closed-loop.ts';
import { driverFor } from './load/driver-for-level.ts';
import type { Lane } from './load/lane.ts';
import type { Address, Lanes } from './load/lanes-for-plan.ts';
import { addressText, httpTls, lanesFor, parseAddress } from './load/lanes-for-plan.ts';
import type { MessageSource } from './load/load-driver.ts';
import type { Pacer } from './load/pacer.ts';
import { PacerThread } from './load/pacer.ts';
import { answerForm, answerMismatch } from './measure/answers.ts';
import { LevelMeasurement } from './measure/level-measurement.ts';
import type { LevelOutcome } from './measure/level-plan.ts';
import { nextLevel } from './measure/level-plan.ts';
import { checkPlanForData, checkPlanForModel } from './measure/plan-checks.ts';
import { perfPlanErrors } from './measure/plan-errors.ts';
import { RequestLog } from './measure/request-log.ts';
import type { LoggedRequest, LogLimits } from './measure/request-log.ts';
import type { RunControl } from './measure/run-control.ts';
import { ServerProbe } from './measure/server-probe.ts';
import { WindowRecorder } from './measure/window-recorder.ts';
import { fairnessWarnings, isGeneratorLimit } from './measure/verdicts.ts';
import { listeningProcess } from './server/process-cpu.ts';
import type { ServerLink } from './server/server-link.ts';
import { GrpcLink, HttpLink } from './server/server-link.ts';
import { SharedRegions } from './server/shared-regions.ts';
import type { GpuSampler } from './server/gpu-sampler.ts';

const DRAIN_MS = 30_000;

/** What `--profile-export-file` needs of one level: `boundariesNs` are the ends of its windows. */
export interface LevelExport {
  readonly unit: PerfLevel['unit'];
  readonly value: number;
  readonly requests: readonly LoggedRequest[];
  readonly boundariesNs: readonly number[];
}

/** Who hears how a run goes. */
export interface SessionEvents {
  /** The server is known and the data was read. */
  prepared(facts: { readonly model: LoadModel; readonly data: DataSet; readonly serverName: string }): void;
  /** `value`: in `unit`. The recorder counts until the level has ended, and may be read at any time. */
  levelStarted(unit: PerfLevel['unit'], value: number, recorder: WindowRecorder): void;
  /** `windowIndex` counts from 1; `atNs`: time of the run's clock; `stability`: a sentence for the user. */
  windowEnded(windowIndex: number, atNs: number, stability: string): void;
  /** Within a level: its load is held, or goes on. */
  pauseChanged(isPaused: boolean): void;
  /** Before the first level, and after a level until its last answer came. */
  phaseChanged(phase: 'warming-up' | 'draining'): void;
  /** With its final numbers and its state, which may be a failure. */
  levelEnded(level: PerfLevel): void;
}

/** What a run works with. */
export interface SessionOptions {
  readonly plan: PerfPlan;
  readonly clock: Clock;
  readonly control: RunControl;
  readonly events: SessionEvents;
  /** Keep every request and answer. */
  readonly isExporting: boolean;
  /** Of what is kept; default: none. */
  readonly exportLimits?: LogLimits | undefined;
  /** A range ends at the first level that is not good. */
  readonly stopsWhenBad: boolean;
  /** Before the first request, e.g. to switch tracing on. */
  readonly beforeStart?: (link: ServerLink) => Promise<void>;
  readonly gpus?: GpuSampler | undefined;
}

/** What came of a run, as far as it got. */
export interface SessionResult {
  readonly model: LoadModel;
  readonly data: DataSet;
  readonly encoder: MessageEncoder;
  readonly levels: readonly PerfLevel[];
  readonly exports: readonly LevelExport[];
  /** About fairness, for the user. */
  readonly warnings: readonly string[];
  /** Wall-clock ns at monotonic 0. */
  readonly wallOffsetNs: bigint;
}

/** Rejects with INVALID_ARG for a plan that does not fit the model and UNAVAILABLE when the server is not there. */
export async function runSession(options: SessionOptions): Promise<SessionResult> {
  const session = new PerfSession(options);
  try {
    return await session.run();
  } finally {
    await session.close();
  }
}

interface LevelContext {
  readonly model: LoadModel;
  readonly data: DataSet;
  readonly encoder: MessageEncoder;
  readonly source: MessageSource;
  readonly probe: ServerProbe;
  readonly exports: LevelExport[];
}

class PerfSession {
  readonly #options: SessionOptions;
  readonly #address: Address;
  readonly #link: ServerLink;
  readonly #pacer: Pacer;
  readonly #log: RequestLog | undefined;
  readonly #wallOffsetNs: bigint;
  #lanes: Lanes | undefined;
  #regions: SharedRegions | undefined;

  constructor(options: SessionOptions) {
    const { plan, clock } = options;
    this.#options = options;
    this.#address = parseAddress(plan.url, DEFAULT_PORTS[plan.protocol]);
    this.#link = linkFor(plan, this.#address, clock);
    this.#pacer = new PacerThread(clock);
    this.#log = options.isExporting ? new RequestLog(options.exportLimits) : undefined;
    this.#wallOffsetNs = BigInt(Math.round(clock.wallMs() * 1e6 - clock.nowNs()));
  }

  async run(): Promise<SessionResult> {
    const { plan, events, clock } = this.#options;
    const model = await this.#describe();
    checkPlanForModel(plan, model);
    const data = await readData(model, plan.data);
    checkPlanForData(plan, data);
    const serverName = await this.#link.facts().then(
      ({ name, version }) => `${name} ${version}`,
      () => '',
    );
    const encoder = await this.#encoder(model, data);
    const serverPid = await listeningProcess(this.#address.host, this.#address.port);
    const probe = new ServerProbe(this.#link, model, serverPid);
    const keepsResponses = this.#log !== undefined || needsAnswers(data);
    this.#lanes = lanesFor(plan, this.#address, { clock, keepsResponses });
    events.prepared({ model, data, serverName });
    await this.#options.beforeStart?.(this.#link);
    const before = await this.#link.counters('', '').catch(() => []);
    const exports: LevelExport[] = [];
    const levels = await this.#levels({ model, data, probe, exports, encoder });
    const after = await this.#link.counters('', '').catch(() => []);
    const warnings = [...fairnessWarnings(model, levels, { before, after }), ...leftOut(this.#log)];
    return { model, data, encoder, levels, exports, warnings, wallOffsetNs: this.#wallOffsetNs };
  }

  async #levels(parts: Omit<LevelContext, 'source'>): Promise<readonly PerfLevel[]> {
    const { plan, events, control } = this.#options;
    const levels: PerfLevel[] = [];
    const outcomes: LevelOutcome[] = [];
    for (;;) {
      const value = this.#nextValue(outcomes);
      if (value === undefined || control.isStopped) return levels;
      const source = sourceFor(plan, parts.model, parts.data, parts.encoder);
      if (levels.length === 0) await this.#warmUp(value, source);
      const level = await this.#level(value, { ...parts, source });
      levels.push(level);
      events.levelEnded(level);
      if (level.state === 'failed') return levels;
      outcomes.push({
        value,
        isGood: level.state === 'stable' || level.state === 'skipped',
        inferPerSecond: level.result.inferPerSecond,
      });
    }
  }

  async close(): Promise<void> {
    this.#lanes?.close();
    await this.#regions?.close();
    await this.#pacer.close();
    await this.#options.gpus?.close();
    await this.#link.close();
  }

  async #describe(): Promise<LoadModel> {
    const { model, version, calledModels } = this.#options.plan;
    const described = await describeModel(this.#link, model, version, calledModels);
    if (!(await this.#link.isModelReady(model, version))) throw perfPlanErrors.modelNotReady({ model });
    return described;
  }

  async #encoder(model: LoadModel, data: DataSet): Promise<MessageEncoder> {
    const { plan } = this.#options;
    const parts = { plan, model, data, address: addressText(this.#address) };
    if (plan.sharedMemory === 'none') return new MessageEncoder(parts);
    this.#regions = new SharedRegions(this.#link, plan.outputSharedMemoryByteSize);
    await this.#regions.create(model, data, plan.batchSize);
    return new MessageEncoder({ ...parts, regions: this.#regions });
  }

  #nextValue(outcomes: readonly LevelOutcome[]): number | undefined {
    const { load } = this.#options.plan;
    if (load.kind === 'concurrency' || load.kind === 'request-rate')
      return nextLevel(load.levels, outcomes, this.#options);
    if (outcomes.length > 0) return undefined;
    if (load.kind === 'intervals') return rateOfIntervals(load.intervalsUs);
    return load.kind === 'periodic' ? load.end : 0;
  }

  async #warmUp(value: number, source: MessageSource): Promise<void> {
    const { plan, clock, control } = this.#options;
    const { pool } = this.#lanes as Lanes;
    if (plan.measurement.warmupRequestCount === 0) return;
    this.#options.events.phaseChanged('warming-up');
    const driver = new ClosedLoop({
      clock,
      pool,
      source,
      concurrency: plan.load.kind === 'concurrency' ? value : 1,
      requestLimit: plan.measurement.warmupRequestCount,
      listener: { sent: () => undefined, done: () => undefined },
    });
    driver.start();
    while (!driver.isExhausted && !control.isStopped) await clock.wait(5);
    await driver.drain(DRAIN_MS);
  }

  async #level(value: number, parts: LevelContext): Promise<PerfLevel> {
    const { plan, clock, control, events, gpus } = this.#options;
    const unit = unitOf(plan);
    const hasDueTimes = unit === 'request-rate';
    const recorder = new WindowRecorder({ startNs: clock.nowNs(), hasDueTimes });
    const driver = driverFor(plan, value, {
      clock,
      pacer: this.#pacer,
      pool: (this.#lanes as Lanes).pool,
      source: parts.source,
      listener: {
        sent: (lane) => recorder.sent(lane),
        done: (lane) => this.#done(lane, recorder, parts.data),
      },
      isSequence: parts.model.isSequence,
      timestampsMs: timestampsOf(parts.data),
    });
    events.levelStarted(unit, value, recorder);
    gpus?.startLevel();
    const measured = await new LevelMeasurement({
      clock,
      driver,
      recorder,
      probe: parts.probe,
      control,
      measurement: plan.measurement,
      isAsync: plan.isAsync || plan.isStreaming || parts.model.isSequence,
      isSingleWindow:
        plan.measurement.fixedRequestCount > 0 || ['schedule', 'periodic'].includes(plan.load.kind),
      measure: {
        percentile: plan.measurement.percentile,
        hasDueTimes,
        wallMs: (ns) => this.#wallMs(ns),
      },
      events,
    }).run();
    events.phaseChanged('draining');
    await driver.drain(DRAIN_MS);
    const { boundariesNs, slowest, ...rest } = measured;
    if (this.#log !== undefined)
      parts.exports.push({ unit, value, requests: this.#log.take(), boundariesNs });
    return {
      unit,
      value,
      ...rest,
      slowest: slowest.map(({ startNs, latencyNs }) => ({
        atMs: this.#wallMs(startNs),
        latencyUs: latencyNs / 1000,
      })),
      isGeneratorLimit: isGeneratorLimit(measured.result, unit),
      gpus: gpus?.endLevel() ?? [],
    };
  }

  #wallMs(ns: number): number {
    return Number(this.#wallOffsetNs + BigInt(Math.round(ns))) / 1e6;
  }

  #done(lane: Lane, recorder: WindowRecorder, data: DataSet): void {
    lane.error ??= answerMismatch(lane, data, answerForm(this.#options.plan));
    recorder.done(lane);
    this.#log?.note(lane);
  }
}

function leftOut(log: RequestLog | undefined): readonly string[] {
  const count = log?.leftOutCount ?? 0;
  return count === 0 ? [] : [`${count} requests are not in the export of all requests: it was full.`];
}

function unitOf({ load }: PerfPlan): PerfLevel['unit'] {
  return load.kind === 'concurrency' || load.kind === 'periodic' ? 'concurrency' : 'request-rate';
}

function linkFor(plan: PerfPlan, address: Address, clock: Clock): ServerLink {
  const { headers, tls } = plan;
  const text = addressText(address);
  return plan.protocol === 'grpc'
    ? new GrpcLink(text, { clock, headers, tls })
    : new HttpLink(text, { clock, headers, tls: httpTls(tls, address) });
}

function sourceFor(plan: PerfPlan, model: LoadModel, data: DataSet, encoder: MessageEncoder): MessageSource {
  return model.isSequence
    ? new SequenceSource(encoder, data, plan.sequence)
    : new PlainSource(encoder, sentPlaces(data, plan.load.kind), plan.batchSize);
}

function needsAnswers({ streams }: DataSet): boolean {
  return streams.some((steps) => steps.some(({ expected }) => expected !== undefined));
}

function timestampsOf({ streams }: DataSet): readonly number[] {
  return streams.flatMap((steps) =>
    steps.map(({ timestampMs }) => timestampMs).filter((time) => time !== undefined),
  );
}
