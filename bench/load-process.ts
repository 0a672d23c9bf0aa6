// The load generator, a process of its own so that it never shares an event loop with what it measures: the closed loop
// of `conch perf` with one connection per request in flight.

import { systemClock } from '../src-main/base/clock.ts';
import { histogramPercentiles } from '../src-main/metrics/latency-histogram.ts';
import { ClosedLoop } from '../src-main/perf/load/closed-loop.ts';
import { HttpLane } from '../src-main/perf/load/http-lane.ts';
import type { LoadMessage } from '../src-main/perf/load/lane.ts';
import { NO_MESSAGE } from '../src-main/perf/load/lane.ts';
import { LanePool } from '../src-main/perf/load/load-driver.ts';
import { WindowRecorder } from '../src-main/perf/measure/window-recorder.ts';
import type { LoadJob, LoadReply, LoadResult } from './load-protocol.ts';

const DRAIN_MS = 30_000;
const clock = systemClock;

async function run(job: LoadJob): Promise<LoadResult> {
  const message: LoadMessage = { ...NO_MESSAGE, bytes: Buffer.from(job.messageBase64, 'base64') };
  const target = { host: '127.0.0.1', port: job.port, tls: undefined };
  const pool = new LanePool(() => new HttpLane(target, { clock, keepsResponses: false }));
  const recorder = new WindowRecorder({ startNs: clock.nowNs(), hasDueTimes: false });
  const driver = new ClosedLoop({
    clock,
    pool,
    source: { next: () => message, finish: () => undefined },
    listener: recorder,
    concurrency: job.connectionCount,
  });
  try {
    driver.start();
    await clock.wait(job.warmupMs);
    const warmup = recorder.take(clock.nowNs());
    await clock.wait(job.durationMs);
    const window = recorder.take(clock.nowNs());
    await driver.drain(DRAIN_MS);
    const firstError = warmup.firstError === '' ? window.firstError : warmup.firstError;
    if (firstError !== '') throw new Error(firstError);
    const ranks = histogramPercentiles(window.histogram, [50, 90, 99]);
    if (ranks === undefined) throw new Error('no request was answered');
    const [p50Us = 0, p90Us = 0, p99Us = 0] = ranks;
    return {
      requestCount: window.requestCount,
      perSecond: window.requestCount / ((window.endNs - window.startNs) / 1e9),
      p50Us,
      p90Us,
      p99Us,
      maxUs: window.maxNs / 1000,
    };
  } finally {
    pool.close();
  }
}

process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => reply({ result }),
    (thrown: unknown) => reply({ error: thrown instanceof Error ? thrown.message : String(thrown) }),
  );
});

function reply(message: LoadReply): void {
  process.send?.(message);
}
