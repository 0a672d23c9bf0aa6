// Gaps between the frames of a page, and how much of each the page itself has to answer for. A machine that is busy
// with other things delays a page at any time; what the page did is the processor time of its main thread, which the
// browser's trace gives for every task. On a machine of its own a gap would have been about that long.

import type { CDPSession, Page } from '@playwright/test';

/** A pause between two frames. */
export interface FrameGap {
  readonly gapMs: number;
  /** Processor time of the page's main thread within it. */
  readonly ownMs: number;
}

/** The frames of a stretch of time; `durationMs` is its length. */
export interface FrameReport {
  readonly frameCount: number;
  readonly durationMs: number;
  /** Longest first, at most 20. */
  readonly gaps: readonly FrameGap[];
  /** Processor time of the longest single task. */
  readonly longestTaskMs: number;
  /** Processor time of all tasks together. */
  readonly busyMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  /** Processor time of the thread. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

interface Task {
  readonly startMs: number;
  readonly endMs: number;
  readonly cpuMs: number;
}

const MARK = 'frame-watch';
const TASK = 'RunTask';
const CATEGORIES = ['disabled-by-default-devtools.timeline', 'blink.user_timing', '__metadata'];
const GAPS_KEPT = 20;

/** Text for the page: this file has no DOM types. */
const START = `(() => {
  const watch = { times: [], isOn: true, markMs: 0 };
  globalThis.frameWatch = watch;
  watch.markMs = performance.mark('${MARK}').startTime;
  const frame = (time) => { watch.times.push(time); if (watch.isOn) requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
})()`;
const STOP = `(() => {
  const watch = globalThis.frameWatch;
  watch.isOn = false;
  return { times: watch.times, markMs: watch.markMs };
})()`;

/** Chromium alone: it needs the browser's trace. Milliseconds of the page's own time for each gap. */
export class FrameWatch {
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #events: TraceEvent[] = [];

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  /** Watches from here on; `session` must be one of `page`, and carry no other trace. */
  static async start(page: Page, session: CDPSession): Promise<FrameWatch> {
    const watch = new FrameWatch(page, session);
    session.on('Tracing.dataCollected', ({ value }) => {
      watch.#events.push(...(value as unknown as TraceEvent[]));
    });
    await session.send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: { includedCategories: CATEGORIES },
    });
    await page.evaluate(START);
    return watch;
  }

  /** What was seen since the start; to be called once. */
  async stop(): Promise<FrameReport> {
    const seen = (await this.#page.evaluate(STOP)) as { times: number[]; markMs: number };
    const isComplete = new Promise<void>((resolve) => {
      this.#session.once('Tracing.tracingComplete', () => resolve());
    });
    await this.#session.send('Tracing.end');
    await isComplete;
    const tasks = mainThreadTasks(this.#events, seen.markMs);
    const { times } = seen;
    const [firstMs = 0, lastMs = 0] = [times[0], times.at(-1)];
    const during = tasks.filter(({ startMs, endMs }) => endMs > firstMs && startMs < lastMs);
    const gaps = times.slice(1).map((toMs, index): FrameGap => {
      const fromMs = times[index] ?? toMs;
      return { gapMs: toMs - fromMs, ownMs: cpuWithin(during, fromMs, toMs) };
    });
    return {
      frameCount: times.length,
      durationMs: lastMs - firstMs,
      gaps: gaps.sort((a, b) => b.gapMs - a.gapMs).slice(0, GAPS_KEPT),
      longestTaskMs: Math.max(0, ...during.map(({ cpuMs }) => cpuMs)),
      busyMs: during.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    };
  }
}

/** Tasks of the page's main thread on the clock of `performance.now()`. */
function mainThreadTasks(events: readonly TraceEvent[], markMs: number): readonly Task[] {
  const mark = events.find(({ name }) => name === MARK);
  if (mark === undefined) throw new Error('the trace lacks the mark that joins its clock with the page');
  const offsetMs = mark.ts / 1000 - markMs;
  return events
    .filter(({ name, ph, pid, tid }) => name === TASK && ph === 'X' && pid === mark.pid && tid === mark.tid)
    .map(({ ts, dur = 0, tdur }) => {
      if (tdur === undefined) throw new Error('this browser does not report processor time');
      const startMs = ts / 1000 - offsetMs;
      return { startMs, endMs: startMs + dur / 1000, cpuMs: tdur / 1000 };
    });
}

/** A task that reaches over an end counts by the part of it that lies within. */
function cpuWithin(tasks: readonly Task[], fromMs: number, toMs: number): number {
  let total = 0;
  for (const { startMs, endMs, cpuMs } of tasks) {
    const overlapMs = Math.min(endMs, toMs) - Math.max(startMs, fromMs);
    if (overlapMs > 0) total += cpuMs * (overlapMs / Math.max(endMs - startMs, Number.MIN_VALUE));
  }
  return total;
}
