// Fuzzes the HTTP port of a server in this process: `npm run fuzz [-- <cases> [<seed>]]`. Exit status 1 with the bytes
// of the first finding.

import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { HttpFixture, echoConfig } from '../src-main/testing/http-fixture.ts';
import { fuzz } from '../src-main/testing/http-fuzz.ts';

const PATIENCE_MS = 10_000;
const caseCount = Number(process.argv[2] ?? 200_000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);

await using fixture = await HttpFixture.start({
  models: [{ config: echoConfig('m', ['TYPE_INT32', 'TYPE_STRING', 'TYPE_FP32']) }],
  headerForwardPattern: 'my_header',
  maxInputByteSize: 1_000_000,
});
// What the fake records would grow without end.
fixture.service.isRecording = false;
console.log(`${caseCount} cases, seed ${seed}`);
const before = process.memoryUsage.rss();
const startedAtMs = performance.now();
const finding = await fuzz({ port: fixture.server.port, caseCount, seed, width: 16 });
const alive = await fixture.call({ path: '/v2/health/live' });
// The end of the last connections, cut in the middle of a request, takes its way to the server.
const patientUntilMs = performance.now() + PATIENCE_MS;
while (fixture.service.openUses !== 0 && performance.now() < patientUntilMs) await setTimeout(10);
const grownMiB = (process.memoryUsage.rss() - before) / 2 ** 20;
const seconds = (performance.now() - startedAtMs) / 1000;
console.log(
  `${seconds.toFixed(0)} s, memory grown by ${grownMiB.toFixed(0)} MiB, models in use ${fixture.service.openUses}, live ${alive.status}`,
);
if (finding !== undefined || alive.status !== 200 || fixture.service.openUses !== 0) {
  console.error(finding);
  process.exitCode = 1;
}
