// npm run perf:proof
//
// What the load generator measures against servers whose behaviour is known, over real sockets: Little's law, the mean
// queue of M/D/1, waiting that a stalled server hides from clients that wait for it, and how much one core can send.
// Prints a table; exit code 1 when a bound is missed on a machine that was quiet enough to tell.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';

import type { PerfLoad, PerfPlan } from '../src-shared/contract/perf-plan.ts';
import { defaultPerfPlan } from '../src-shared/contract/perf-plan.ts';
import type { PerfLevel } from '../src-shared/contract/perf-views.ts';
import { systemClock } from '../src-main/base/clock.ts';
import { LATE_SHARE, lateShare } from '../src-main/perf/measure/verdicts.ts';
import { RunControl } from '../src-main/perf/measure/run-control.ts';
import { runSession } from '../src-main/perf/perf-session.ts';

interface Proof {
  readonly what: string;
  readonly measured: string;
  readonly expected: string;
  readonly isMet: boolean;
  /** Why this machine cannot tell now; undefined = it can. */
  readonly doubt: string | undefined;
}

const QUIET = {
  prepared: () => undefined,
  levelStarted: () => undefined,
  windowEnded: () => undefined,
  pauseChanged: () => undefined,
  phaseChanged: () => undefined,
  levelEnded: () => undefined,
};

interface Script {
  readonly serviceMs: number;
  readonly stalledRequest?: number;
}

/** One level of one window against a fresh server. */
async function measure(
  script: Script,
  load: PerfLoad,
  options: { readonly seconds: number; readonly isAsync?: boolean },
): Promise<PerfLevel> {
  const file = new URL('./scripted-server.ts', import.meta.url);
  const child = fork(file, [String(script.serviceMs), String(script.stalledRequest ?? 0)]);
  try {
    const [port] = (await once(child, 'message')) as [number];
    const base = defaultPerfPlan('scripted');
    const plan: PerfPlan = {
      ...base,
      url: `127.0.0.1:${port}`,
      isAsync: options.isAsync ?? false,
      load,
      measurement: { ...base.measurement, intervalMs: (options.seconds * 1000) / 1.2, maxWindows: 1 },
    };
    const { levels } = await runSession({
      plan,
      clock: systemClock,
      control: new RunControl(),
      events: QUIET,
      isExporting: false,
      stopsWhenBad: false,
    });
    const [level] = levels;
    if (level === undefined || level.result.requestCount === 0)
      throw new Error(level?.firstError ?? 'no level');
    return level;
  } finally {
    child.kill();
  }
}

const concurrency = (value: number): PerfLoad => ({
  kind: 'concurrency',
  levels: { kind: 'list', values: [value] },
});
const rate = (value: number, distribution: 'constant' | 'poisson'): PerfLoad => ({
  kind: 'request-rate',
  levels: { kind: 'list', values: [value] },
  distribution,
});
const ms = (us: number): string => `${(us / 1000).toFixed(2)} ms`;

async function littlesLaw(): Promise<Proof> {
  const { result } = await measure({ serviceMs: 5 }, concurrency(8), { seconds: 10 });
  const outstanding = (result.inferPerSecond * result.meanUs) / 1e6;
  return {
    what: "Little's law: throughput x latency at concurrency 8",
    measured: `${result.inferPerSecond.toFixed(1)}/s x ${ms(result.meanUs)} = ${outstanding.toFixed(3)}`,
    expected: '8, within 3 %',
    isMet: Math.abs(outstanding / 8 - 1) <= 0.03,
    doubt: undefined,
  };
}

/** Overheads of sockets and timers are in both measurements and cancel out. */
async function meanQueue(): Promise<Proof> {
  const serviceMs = 4;
  const perSecond = 125;
  const alone = await measure({ serviceMs }, concurrency(1), { seconds: 5 });
  const loaded = await measure({ serviceMs }, rate(perSecond, 'poisson'), { seconds: 45, isAsync: true });
  const share = (perSecond * serviceMs) / 1000;
  const expectedUs = (share * serviceMs * 1000) / (2 * (1 - share));
  const waitedUs = loaded.result.meanUs - alone.result.meanUs;
  return {
    what: `M/D/1: mean wait at ${share * 100} % load (${loaded.result.requestCount} requests)`,
    measured: `${ms(loaded.result.meanUs)} - ${ms(alone.result.meanUs)} = ${ms(waitedUs)}`,
    expected: `${ms(expectedUs)}, within 10 %`,
    isMet: Math.abs(waitedUs / expectedUs - 1) <= 0.1,
    // Sends that come late come in groups, and groups queue longer than theory's arrivals.
    doubt:
      lateShare(loaded.result) > LATE_SHARE
        ? `${(lateShare(loaded.result) * 100).toFixed(1)} % of the requests were sent late: the machine is too busy`
        : undefined,
  };
}

/** Four connections wait for a server that stands still for a second; users would have kept coming. */
async function hiddenWaiting(): Promise<Proof> {
  const script = { serviceMs: 2, stalledRequest: 300 };
  const { result } = await measure(script, rate(100, 'constant'), { seconds: 8 });
  const sent = result.percentilesUs['99'] ?? 0;
  const due = result.fromDueUs?.['99'] ?? 0;
  return {
    what: 'A stall of 1 s at 100/s: p99 counted from sending and from when due',
    measured: `${ms(sent)} and ${ms(due)}, ${result.lateCount} of ${result.sentCount} late`,
    expected: 'from when due above 800 ms',
    isMet: due > 800_000 && result.lateCount > 50,
    doubt: undefined,
  };
}

async function capacity(): Promise<Proof> {
  const { result, isGeneratorLimit } = await measure({ serviceMs: 0 }, concurrency(32), { seconds: 8 });
  const perCore = result.inferPerSecond / (result.generatorCpuPercent / 100);
  return {
    what: 'Requests that one core of the generator sends',
    measured: `${Math.round(result.inferPerSecond)}/s at ${result.generatorCpuPercent.toFixed(0)} % of a core = ${Math.round(perCore)}/s${isGeneratorLimit ? ' (said: generator limit)' : ''}`,
    expected: 'at least 20000/s',
    isMet: perCore >= 20_000,
    doubt: undefined,
  };
}

const proofs = [await littlesLaw(), await meanQueue(), await hiddenWaiting(), await capacity()];
console.log(
  `${os.cpus()[0]?.model ?? 'unknown processor'}, ${os.availableParallelism()} cores, load ${os.loadavg()[0]?.toFixed(1)}, Node ${process.version}\n`,
);
for (const { what, measured, expected, isMet, doubt } of proofs) {
  const verdict = isMet ? 'met' : doubt === undefined ? 'MISSED' : 'not judged';
  console.log(
    `${verdict.padEnd(10)}  ${what}\n            measured ${measured}\n            expected ${expected}`,
  );
  if (!isMet && doubt !== undefined) console.log(`            ${doubt}`);
}
if (proofs.some(({ isMet, doubt }) => !isMet && doubt === undefined)) process.exitCode = 1;
