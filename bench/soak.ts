// Mixed traffic for a long time, against a server in a process of its own: HTTP, gRPC and streams, sequences, ensembles
// and a Python model where one can run, at 80 % of what the machine gives just now, while models are loaded anew,
// a configuration is edited and clients disappear. Every request has to come back exactly once and with the right
// values, and the server must end up holding what it held after three minutes. `npm run soak -- --minutes=15 --seed=1`

import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { seededRandom } from '../src-main/onnx/seeded-random.ts';
import { writeSampleRepository } from '../src-main/samples/sample-repository.ts';
import { TempRepository } from '../src-main/testing/temp-repository.ts';
import { testPython } from '../src-main/testing/test-python.ts';
import { Inspector, systemLevel } from '../tools/attack/process-level.ts';
import { ensureBuilt, root } from '../tools/bootstrap.mjs';
import { serveCommand } from '../tools/served-process.ts';
import { Disturbances } from './soak/disturbances.ts';
import { soakModels } from './soak/models.ts';
import { Traffic } from './soak/traffic.ts';

const WORKERS = 24;
const LOAD = 0.8;
const CALIBRATION_MS = 10_000;
const MAX_BEHIND_MS = 500;
const SAMPLE_EVERY_MS = 10_000;
const LIVING_EVERY_MS = 30_000;
/** Caches and pools are filled by then. */
const LEVEL_AFTER_MINUTES = 3;
const MAX_GROWTH_MIB_PER_MINUTE = 1;

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    seed: { type: 'string', default: '1' },
    report: { type: 'string' },
  },
});
const minutes = Number(flags.minutes);
const random = seededRandom(Number(flags.seed));

interface Sample {
  readonly minute: number;
  readonly residentMiB: number;
  readonly descriptors: number;
  readonly threads: number;
  readonly right: number;
}

await ensureBuilt();
const python = testPython();
const repository = await TempRepository.create(soakModels(python !== undefined));
await writeSampleRepository(repository.path);
await repository.remove('broken_dims');
const serving = [
  path.join(root, 'bin/conch.mjs'),
  ...['serve', '--http-port=0', '--grpc-port=0', '--metrics-port=0'],
  `--model-repository=${repository.path}`,
  ...['--model-control-mode=explicit', '--load-model=*', '--allow-gpu-metrics=false'],
  ...(python === undefined ? [] : [`--backend-config=python,python-executable=${python}`]),
];
// The inspector tells what is alive: the resident memory alone goes up and down with the collections.
const environment = { ...process.env, NODE_OPTIONS: '--inspect=127.0.0.1:0' };
const server = await serveCommand(process.execPath, serving, environment);
// The command starts itself anew in its own place once: the second one is the server.
const inspectorUrl = [...server.log().matchAll(/Debugger listening on (ws:\S+)/g)].at(-1)?.[1] ?? '';
while ((await fetch(`http://${server.http}/v2/health/ready`)).status !== 200) await pause(200);

/** Requests per second that the server answers when nobody waits. */
async function calibrate(): Promise<number> {
  const traffic = new Traffic({ ...server, hasPython: python !== undefined, random });
  await traffic.run(WORKERS, () => 0, AbortSignal.timeout(CALIBRATION_MS));
  await traffic.close();
  return (traffic.tally.sent * 1000) / CALIBRATION_MS;
}

const LATE_FROM_MINUTE = Math.min(LEVEL_AFTER_MINUTES, minutes / 3);
const late = (): readonly Sample[] => samples.filter(({ minute }) => minute >= LATE_FROM_MINUTE);

/** Least squares over time: units per minute. */
function growth(points: readonly (readonly [minute: number, value: number])[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([minute]) => minute)), mean(points.map(([, value]) => value))];
  const above = points.reduce((sum, [minute, value]) => sum + (minute - x) * (value - y), 0);
  return above / points.reduce((sum, [minute]) => sum + (minute - x) ** 2, 0);
}

/** Objects and buffers that are alive, after a full collection. */
async function livingMiB(): Promise<number> {
  const inspector = await Inspector.open(inspectorUrl);
  const found = await inspector.heapMiB();
  inspector.close();
  return found;
}

const capacity = await calibrate();
const target = capacity * LOAD;
console.log(`${capacity.toFixed(0)} requests/s without pauses; ${target.toFixed(0)}/s from now on`);
const traffic = new Traffic({ ...server, hasPython: python !== undefined, random });
const reloaded = ['simple', 'batch_mlp', 'accumulate', 'repeat', ...(python === undefined ? [] : ['double'])];
const disturbances = new Disturbances({ ...server, models: repository.path, reloaded, random });
const samples: Sample[] = [];
const startedAt = performance.now();
const end = AbortSignal.timeout(minutes * 60_000);
/** For how long the server was slower than the rate: what was not sent then is not sent in a burst later. */
let slippedMs = 0;
/** Keeps the rate: whoever is ahead of it waits. */
const pauseMs = (): number => {
  const aheadMs = (traffic.tally.sent / target) * 1000 + slippedMs - (performance.now() - startedAt);
  slippedMs += Math.max(0, -aheadMs - MAX_BEHIND_MS);
  return Math.max(0, aheadMs);
};
const sampler = setInterval(() => {
  const { residentMiB, descriptors, threads } = systemLevel(server.pid);
  const minute = (performance.now() - startedAt) / 60_000;
  samples.push({ minute, residentMiB, descriptors, threads, right: traffic.tally.right });
  console.log(
    JSON.stringify({ minute: minute.toFixed(1), residentMiB, descriptors, threads, ...traffic.tally }),
  );
}, SAMPLE_EVERY_MS);
end.addEventListener('abort', () => clearInterval(sampler), { once: true });
const living: [minute: number, mib: number][] = [];
/** Resident memory once the garbage that waits for its collector is gone. */
const settled: [minute: number, mib: number][] = [];
async function followLiving(): Promise<void> {
  while (!end.aborted) {
    await pause(LIVING_EVERY_MS, undefined, { signal: end }).catch(() => undefined);
    if (end.aborted) return;
    const minute = (performance.now() - startedAt) / 60_000;
    living.push([minute, await livingMiB()]);
    settled.push([minute, systemLevel(server.pid).residentMiB]);
  }
}
await Promise.all([traffic.run(WORKERS, pauseMs, end), disturbances.run(end), followLiving()]);
await traffic.close();
const seconds = minutes * 60;
const metrics = await (await fetch(`http://${server.metrics}/metrics`)).text();
const pending = [...metrics.matchAll(/^nv_inference_pending_request_count\{.*\} (\d+)/gm)].map(([, n]) =>
  Number(n),
);
const exitCode = await server.stop();
await repository.close();

const { tally } = traffic;
const answered = tally.right + tally.refused + tally.cancelled + tally.wrong + tally.failed;
const range = (of: (sample: Sample) => number): string =>
  `${Math.min(...late().map(of))} to ${Math.max(...late().map(of))}`;
const lateLiving = living.filter(([minute]) => minute >= LATE_FROM_MINUTE);
const lateSettled = settled.filter(([minute]) => minute >= LATE_FROM_MINUTE);
const perMinute = growth(lateLiving);
const residentPerMinute = growth(lateSettled);
const faults = [
  ...(tally.wrong + tally.failed + tally.lost > 0 ? ['wrong, failed or lost requests'] : []),
  ...(answered + tally.lost === tally.sent ? [] : [`${tally.sent} sent, ${answered} came back`]),
  ...(perMinute > MAX_GROWTH_MIB_PER_MINUTE
    ? [`what is alive grows by ${perMinute.toFixed(2)} MiB a minute`]
    : []),
  ...(residentPerMinute > MAX_GROWTH_MIB_PER_MINUTE
    ? [`resident memory grows by ${residentPerMinute.toFixed(2)} MiB a minute`]
    : []),
  ...(pending.some((count) => count > 0) ? ['requests are still pending'] : []),
  ...(exitCode === 0 ? [] : [`exit code ${exitCode}`]),
  ...disturbances.faults,
];
const rows: readonly (readonly [string, string])[] = [
  [
    'Machine',
    `${os.cpus()[0]?.model ?? ''}, ${os.cpus().length} processors; load average at the end ${os.loadavg()[0]?.toFixed(1)}`,
  ],
  [
    'Time',
    `${new Date().toISOString().slice(0, 16)}Z, ${(seconds / 60).toFixed(1)} minutes, seed ${flags.seed}, Node ${process.versions.node}`,
  ],
  [
    'Load',
    `${(tally.sent / seconds).toFixed(0)} requests/s of ${capacity.toFixed(0)} without pauses, ${WORKERS} clients${python === undefined ? ', no Python model' : ', a Python model among them'}`,
  ],
  ['Requests', String(tally.sent)],
  ['Right by value', String(tally.right)],
  ['Refused in words', String(tally.refused)],
  ['Cancelled by the client', String(tally.cancelled)],
  ['Wrong, failed, lost', `${tally.wrong}, ${tally.failed}, ${tally.lost}`],
  [
    'Models loaded anew, edits, vanished clients',
    `${disturbances.counts.reloads}, ${disturbances.counts.edits}, ${disturbances.counts.vanished}`,
  ],
  [
    `Alive after a collection, after minute ${LEVEL_AFTER_MINUTES}`,
    `${lateLiving.map(([, mib]) => mib).join(', ')} MiB: ${perMinute.toFixed(2)} MiB a minute`,
  ],
  [
    `Resident memory after minute ${LEVEL_AFTER_MINUTES}`,
    `${range(({ residentMiB }) => residentMiB)} MiB; after collections ${lateSettled.map(([, mib]) => mib).join(', ')}: ${residentPerMinute.toFixed(2)} MiB a minute`,
  ],
  [
    'Descriptors, threads after it',
    `${range(({ descriptors }) => descriptors)}; ${range(({ threads }) => threads)}`,
  ],
];
const text = ['| | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
console.log(text);
for (const [word, count] of traffic.words) console.log(`${count} ${word}`);
for (const fault of faults) console.log(`FAULT ${fault}`);
if (flags.report !== undefined) await writeFile(flags.report, `${text}\n`);
console.log(`${faults.length === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed'}, 0 skipped`);
process.exit(faults.length === 0 ? 0 : 1);
