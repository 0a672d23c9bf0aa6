// Measures one level: windows one after another until the last three agree, a limit is passed, or somebody ends it.
// What was measured is kept in every case.

import type { PerfMeasurement } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfLevelState, PerfMeasured } from '../../../src-shared/contract/perf-views.ts';
import type { Clock } from '../../base/clock.ts';
import type { LoadDriver } from '../load/load-driver.ts';
import type { MeasureOptions, WindowSurroundings } from './measured.ts';
import { measuredOf } from './measured.ts';
import type { Interruption, RunControl } from './run-control.ts';
import type { Reading, ServerProbe } from './server-probe.ts';
import { surroundingsBetween } from './server-probe.ts';
import type { StabilityRules, StabilityVerdict } from './stability.ts';
import { COMPARED_WINDOWS, judgeStability, stabilityText, TIME_STRETCH, windowStretch } from './stability.ts';
import type { WindowData, WindowRecorder } from './window-recorder.ts';
import { mergeWindows } from './window-recorder.ts';

const COUNT_POLL_MS = 1000;
const FIXED_POLL_MS = 10;

/** What the measurement of one level works with. */
export interface LevelParts {
  readonly clock: Clock;
  readonly driver: LoadDriver;
  readonly recorder: WindowRecorder;
  readonly probe: ServerProbe;
  readonly control: RunControl;
  readonly measurement: PerfMeasurement;
  readonly isAsync: boolean;
  /** One window that ends when nothing is left to send. */
  readonly isSingleWindow: boolean;
  readonly measure: MeasureOptions;
  readonly events: LevelEvents;
}

interface LevelEvents {
  windowEnded(windowIndex: number, atNs: number, stability: string): void;
  pauseChanged(isPaused: boolean): void;
}

/** What came of a level. */
export interface MeasuredLevel {
  readonly state: PerfLevelState;
  readonly note: string;
  readonly firstError: string;
  readonly result: PerfMeasured;
  readonly windows: readonly PerfMeasured[];
  readonly slowest: WindowData['slowest'];
  /** Ends of windows, monotonic ns; the start comes first. */
  readonly boundariesNs: readonly number[];
}

interface MeasuredWindow {
  readonly data: WindowData;
  readonly around: WindowSurroundings;
  readonly before: Reading;
  readonly after: Reading;
  readonly measured: PerfMeasured;
}

/** For one level, once; `run` resolves however the level ends, with what was measured until then. */
export class LevelMeasurement {
  readonly #parts: LevelParts;
  readonly #windows: MeasuredWindow[] = [];
  readonly #boundariesNs: number[] = [];

  constructor(parts: LevelParts) {
    this.#parts = parts;
  }

  /** Starts the driver; the caller drains it. */
  async run(): Promise<MeasuredLevel> {
    const { driver, isSingleWindow } = this.#parts;
    // A level of a fixed number of requests counts all of them, so its window opens before the first one is sent.
    if (!isSingleWindow) driver.start();
    let before = await this.#startWindow();
    if (isSingleWindow) driver.start();
    for (;;) {
      const interruption = await this.#untilWindowEnds();
      if (interruption === 'pause') {
        await this.#untilResumed();
        before = await this.#startWindow();
        continue;
      }
      const window = await this.#endWindow(before);
      before = window.after;
      const hasData = window.data.requestCount > 0 || window.data.errorCount > 0;
      if (interruption === undefined || hasData) this.#windows.push(window);
      const state = this.#stateAfter(interruption);
      if (state !== undefined) return this.#level(state);
    }
  }

  async #startWindow(): Promise<Reading> {
    const { clock, recorder, probe } = this.#parts;
    const reading = await probe.read();
    const nowNs = clock.nowNs();
    recorder.take(nowNs);
    if (this.#boundariesNs.length === 0) this.#boundariesNs.push(nowNs);
    return reading;
  }

  async #endWindow(before: Reading): Promise<MeasuredWindow> {
    const { clock, driver, recorder, probe, measure, isSingleWindow } = this.#parts;
    // A window of counted requests ends with the last of them, not when somebody looked.
    const isCounted = isSingleWindow && driver.isExhausted && recorder.doneCount > 0;
    const nowNs = isCounted ? recorder.lastEndNs : clock.nowNs();
    const data = recorder.take(nowNs);
    const after = await probe.read();
    const around = surroundingsBetween(before, after);
    const server = probe.timesBetween(before, after);
    this.#boundariesNs.push(nowNs);
    return { data, around, before, after, measured: measuredOf([data], [around], server, measure) };
  }

  /** undefined when the window is complete. */
  async #untilWindowEnds(): Promise<Interruption | undefined> {
    const { measurement, recorder, driver, isSingleWindow } = this.#parts;
    if (isSingleWindow) {
      return this.#waitUntil(FIXED_POLL_MS, () => driver.isExhausted);
    }
    const stretch = windowStretch(this.#windows.length, measurement.growsWindows === true);
    if (measurement.mode === 'count') {
      const wanted = measurement.requestCount * stretch;
      return this.#waitUntil(COUNT_POLL_MS, () => recorder.doneCount >= wanted);
    }
    const lengthMs = measurement.intervalMs * TIME_STRETCH * stretch;
    const endNs = this.#parts.clock.nowNs() + lengthMs * 1e6;
    return this.#waitUntil(lengthMs, () => this.#parts.clock.nowNs() >= endNs - 1e6);
  }

  async #waitUntil(periodMs: number, isDone: () => boolean): Promise<Interruption | undefined> {
    const { clock, control } = this.#parts;
    for (;;) {
      const interruption = control.takeInterruption();
      if (interruption !== undefined) return interruption;
      if (isDone()) return undefined;
      const wake = new AbortController();
      using _listening = control.onChange(() => wake.abort(new Error('woken')));
      await clock.wait(periodMs, { signal: wake.signal }).catch(() => undefined);
    }
  }

  async #untilResumed(): Promise<void> {
    const { control, driver, events } = this.#parts;
    driver.hold(true);
    events.pauseChanged(true);
    await new Promise<void>((resolve) => {
      const listening = control.onChange(() => {
        if (control.isHolding) return;
        listening[Symbol.dispose]();
        resolve();
      });
    });
    driver.hold(false);
    events.pauseChanged(false);
  }

  /** How the level ends after this window; undefined = goes on. */
  #stateAfter(interruption: Interruption | undefined): PerfLevelState | undefined {
    const { measurement, events, isSingleWindow } = this.#parts;
    const last = this.#windows.at(-1);
    if (interruption === 'stop') return 'stopped';
    if (interruption === 'skip') return 'skipped';
    if (last === undefined || last.data.requestCount === 0) return 'failed';
    const verdict = this.#verdict();
    events.windowEnded(
      this.#windows.length,
      last.data.endNs,
      stabilityText(this.#windows.length, verdict, this.#rules),
    );
    if (isSingleWindow) return 'stable';
    if (verdict.kind === 'over-limit') return 'over-limit';
    if (verdict.kind === 'stable') return 'stable';
    return this.#windows.length >= measurement.maxWindows ? 'unstable' : undefined;
  }

  #verdict(): StabilityVerdict {
    return judgeStability(
      this.#windows.map(({ measured }) => measured),
      this.#rules,
    );
  }

  get #rules(): StabilityRules {
    const { measurement, isAsync } = this.#parts;
    return { ...measurement, isAsync };
  }

  #level(state: PerfLevelState): MeasuredLevel {
    const { probe, measure } = this.#parts;
    const last = this.#windows.slice(-COMPARED_WINDOWS);
    const [first] = last;
    const final = last.at(-1);
    const server =
      first === undefined || final === undefined ? undefined : probe.timesBetween(first.before, final.after);
    const merged = mergeWindows(last.map(({ data }) => data));
    return {
      state,
      note: this.#note(state),
      firstError: this.#windows.find(({ data }) => data.firstError !== '')?.data.firstError ?? '',
      result: measuredOf(
        last.map(({ data }) => data),
        last.map(({ around }) => around),
        server,
        measure,
      ),
      windows: this.#windows.map(({ measured }) => measured),
      slowest: merged.slowest,
      boundariesNs: this.#boundariesNs,
    };
  }

  #note(state: PerfLevelState): string {
    const { measurement } = this.#parts;
    const verdict = this.#verdict();
    switch (state) {
      case 'stable':
        return verdict.kind === 'stable' && verdict.isLatencyDrifting
          ? 'Request latency is not stabilizing. Please try lowering the request rate.'
          : '';
      case 'unstable': {
        const spread = verdict.kind === 'more' ? verdict.spreadPercent : undefined;
        return spread === undefined
          ? `Not stable: ${this.#windows.length} windows are too few to tell.`
          : `Not stable: the last ${COMPARED_WINDOWS} windows differ by ${Math.ceil(spread)} % (limit ${measurement.stabilityPercent} %).`;
      }
      case 'over-limit':
        return `Measured latency went over the set limit of ${measurement.latencyLimitMs} msec.`;
      case 'skipped':
        return 'Skipped; what was measured until then is kept.';
      case 'stopped':
        return 'Stopped; what was measured until then is kept.';
      case 'failed':
        return (this.#windows.at(-1)?.data.errorCount ?? 0) > 0
          ? 'Every request failed.'
          : 'No valid requests recorded within time interval. Please use a larger time window.';
    }
  }
}
