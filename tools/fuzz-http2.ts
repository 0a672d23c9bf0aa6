// Fuzzes the HTTP/2 layer of the gRPC port in this process: `node tools/fuzz-http2.ts [<frames> [<seed>]]`. Exit status 1 with
// the bytes of the findings.

import process from 'node:process';

import { fuzzHttp2 } from '../src-main/testing/http2-fuzz.ts';
import { EchoCalls } from '../src-main/testing/echo-calls.ts';

const frameCount = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);

const calls = new EchoCalls();
console.log(`${frameCount} frames, seed ${seed}`);
const report = await fuzzHttp2(calls.open, calls.path, frameCount, seed);
console.log(
  `${report.connectionCount} connections, ${report.frameCount} frames, ${calls.answered} calls answered, sent by type`,
  report.sentByType,
);
if (report.faults.length > 0 || calls.failures.length > 0) {
  console.error([...report.faults, ...calls.failures].slice(0, 5).join('\n'));
  process.exitCode = 1;
}
