// Fuzzes the gRPC port of a server in this process: `node tools/fuzz-grpc.ts [<cases> [<seed>]]`. Exit status 1 with the
// bytes of the findings.

import process from 'node:process';

import { Client, credentials } from '@grpc/grpc-js';

import { systemClock } from '../src-main/base/clock.ts';
import { defaultEngineOptions } from '../src-main/options/engine-options.ts';
import { GrpcServer } from '../src-main/protocol/grpc/grpc-server.ts';
import { EchoService } from '../src-main/testing/echo-service.ts';
import { fuzzGrpc } from '../src-main/testing/grpc-fuzz.ts';

const caseCount = Number(process.argv[2] ?? 200_000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);

const service = new EchoService();
service.isRecording = false;
const server = new GrpcServer({ service, clock: systemClock }, { ...defaultEngineOptions.grpc, port: 0 });
const client = new Client(`127.0.0.1:${await server.start()}`, credentials.createInsecure(), {
  'grpc.enable_http_proxy': 0,
});
console.log(`${caseCount} cases, seed ${seed}`);
const before = process.memoryUsage.rss();
const { byCode, faults } = await fuzzGrpc(client, caseCount, seed);
const grownMiB = (process.memoryUsage.rss() - before) / 2 ** 20;
console.log(`memory grown by ${grownMiB.toFixed(0)} MiB, models in use ${service.usesHeld}`, byCode);
client.close();
await server.close();
if (faults.length > 0 || service.usesHeld !== 0) {
  console.error(faults.slice(0, 5).join('\n'));
  process.exitCode = 1;
}
