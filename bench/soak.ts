// Mixed traffic for a long time: every request that was sent must come back exactly once, as a success, a refusal or a
// cancellation, and the server must end with no worker, no pending request and level memory.
// `npm run soak -- --minutes=10 --seed=1`

import { parseArgs } from 'node:util';

import { systemClock } from '../src-main/base/clock.ts';
import { GrpcInferClient } from '../src-main/client/grpc-client.ts';
import { HttpInferClient } from '../src-main/client/http-client.ts';
import type { ClientRequest } from '../src-main/client/infer-client.ts';
import { seededRandom } from '../src-main/onnx/seeded-random.ts';
import { streamOnce } from '../src-main/playground/stream-once.ts';
import { writeSampleRepository } from '../src-main/samples/sample-repository.ts';
import { startTestEngine } from '../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../src-main/testing/temp-repository.ts';

const WORKERS = 24;
const REPORT_PERIOD_MS = 30_000;

const { values: flags } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string', default: '1' } },
});
const random = seededRandom(Number(flags.seed));
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

const tally = { sent: 0, completed: 0, rejected: 0, cancelled: 0, failed: 0 };
const failures = new Map<string, number>();

const QUEUED = `backend: "identity" max_batch_size: 8
input { name: "INPUT0" data_type: TYPE_INT32 dims: [ 4 ] } output { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 4 ] }
dynamic_batching { max_queue_delay_microseconds: 500 priority_levels: 2 default_priority_level: 2
  default_queue_policy { max_queue_size: 6 default_timeout_microseconds: 20000 allow_timeout_override: true } }
parameters { key: "execute_delay_ms" value { string_value: "4" } } instance_group { count: 2 kind: KIND_CPU }`;
const REPEAT = `backend: "repeat" max_batch_size: 0 model_transaction_policy { decoupled: true }
input [ { name: "IN" data_type: TYPE_INT32 dims: [ -1 ] }, { name: "DELAY" data_type: TYPE_UINT32 dims: [ -1 ] }, { name: "WAIT" data_type: TYPE_UINT32 dims: [ 1 ] } ]
output [ { name: "OUT" data_type: TYPE_INT32 dims: [ 1 ] }, { name: "IDX" data_type: TYPE_UINT32 dims: [ 1 ] } ]`;

const bytes = (values: ArrayBufferView): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
const int32 = (...values: number[]): Uint8Array => bytes(Int32Array.from(values));
const uint32 = (...values: number[]): Uint8Array => bytes(Uint32Array.from(values));

function request(
  model: string,
  inputs: ClientRequest['inputs'],
  parameters: ClientRequest['parameters'] = new Map(),
): ClientRequest {
  return { model, version: '', id: String(tally.sent), inputs, outputs: [], parameters };
}

interface Clients {
  readonly http: HttpInferClient;
  readonly json: HttpInferClient;
  readonly grpc: GrpcInferClient;
}

type Step = (clients: Clients, signal: AbortSignal) => Promise<string>;

async function unary(
  { http, json, grpc }: Clients,
  built: ClientRequest,
  signal: AbortSignal,
): Promise<string> {
  const exchange = await pick([http, json, grpc]).infer(built, { signal });
  return exchange.ok ? '' : exchange.error;
}

const queued: Step = (clients, signal) => {
  const batch = 1 + Math.floor(random() * 3);
  const data = Array.from({ length: batch * 4 }, (_, index) => index);
  const parameters = new Map<string, bigint>([['priority', BigInt(Math.floor(random() * 3))]]);
  const input = { name: 'INPUT0', datatype: 'INT32', shape: [batch, 4], bytes: int32(...data) };
  return unary(clients, request('queued', [input], parameters), signal);
};

const simple: Step = (clients, signal) => {
  const shape = [1, 16];
  const inputs = ['INPUT0', 'INPUT1'].map((name) => ({
    name,
    datatype: 'INT32',
    shape,
    bytes: int32(...Array<number>(16).fill(3)),
  }));
  return unary(clients, request('simple', inputs), signal);
};

const refused: Step = (clients, signal) => unary(clients, request('nothing_of_that_name', []), signal);

const repeat: Step = async ({ grpc }, signal) => {
  const count = 1 + Math.floor(random() * 4);
  const inputs = [
    { name: 'IN', datatype: 'INT32', shape: [count], bytes: int32(...Array<number>(count).fill(7)) },
    { name: 'DELAY', datatype: 'UINT32', shape: [count], bytes: uint32(...Array<number>(count).fill(1)) },
    { name: 'WAIT', datatype: 'UINT32', shape: [1], bytes: uint32(0) },
  ];
  const exchange = await streamOnce(grpc, request('repeat', inputs), systemClock, signal);
  if (exchange.ok && exchange.responses.length !== count)
    throw new Error(`repeat gave ${exchange.responses.length} of ${count}`);
  return exchange.error;
};

let nextSequence = 1n;

const sequence: Step = async (clients, signal) => {
  const id = nextSequence++;
  let error = '';
  for (const [index, value] of [1, 2, 3].entries()) {
    const parameters = new Map<string, bigint | boolean>([
      ['sequence_id', id],
      ['sequence_start', index === 0],
      ['sequence_end', index === 2],
    ]);
    if (index > 0) tally.sent += 1;
    const input = { name: 'INPUT', datatype: 'FP32', shape: [1, 1], bytes: bytes(Float32Array.of(value)) };
    error = await unary(clients, request('accumulate', [input], parameters), signal);
    if (index < 2) count(error);
    if (error !== '' && index < 2) break;
  }
  return error;
};

function count(error: string): void {
  if (error === '') tally.completed += 1;
  else if (/Exceeds maximum queue size|Request timeout expired|unknown model/.test(error))
    tally.rejected += 1;
  else {
    tally.failed += 1;
    const key = error.replaceAll(/\d+/g, 'N');
    failures.set(key, (failures.get(key) ?? 0) + 1);
  }
}

const STEPS: readonly Step[] = [queued, queued, queued, simple, simple, refused, repeat, sequence];

async function worker(clients: Clients, untilMs: number): Promise<void> {
  while (Date.now() < untilMs) {
    const step = pick(STEPS);
    const controller = new AbortController();
    const isCancelled = step !== sequence && random() < 0.1;
    const timer = isCancelled
      ? setTimeout(() => controller.abort(new Error('cancelled')), random() * 10)
      : undefined;
    tally.sent += 1;
    try {
      count(await step(clients, controller.signal));
    } catch (thrown) {
      if (!controller.signal.aborted) throw thrown;
      tally.cancelled += 1;
    } finally {
      clearTimeout(timer);
    }
  }
}

const repository = await TempRepository.create({
  'queued/config.pbtxt': QUEUED,
  'queued/1/': '',
  'repeat/config.pbtxt': REPEAT,
  'repeat/1/': '',
});
await writeSampleRepository(repository.path);
await repository.remove('broken_dims');
const engine = await startTestEngine(repository.path, { log: { info: false } });
const httpAddress = `127.0.0.1:${engine.ports.http}`;
const clients: Clients = {
  http: new HttpInferClient(httpAddress, { clock: systemClock, encoding: 'binary' }),
  json: new HttpInferClient(httpAddress, { clock: systemClock, encoding: 'json' }),
  grpc: new GrpcInferClient(`127.0.0.1:${engine.ports.grpc}`, { clock: systemClock }),
};
const memory: number[] = [];
const reporter = setInterval(() => {
  memory.push(process.memoryUsage.rss());
  console.log(JSON.stringify({ ...tally, rssMiB: Math.round((memory.at(-1) ?? 0) / 2 ** 20) }));
}, REPORT_PERIOD_MS);
const untilMs = Date.now() + Number(flags.minutes) * 60_000;
await Promise.all(Array.from({ length: WORKERS }, () => worker(clients, untilMs)));
clearInterval(reporter);
await Promise.all([clients.http.close(), clients.json.close(), clients.grpc.close()]);
const pending = [...engine.repository.ready()].reduce(
  (total, model) => total + model.runtime.statistics.pendingCount,
  0,
);
const { isClean } = await engine.close();
await repository.close();
const answered = tally.completed + tally.rejected + tally.cancelled + tally.failed;
const isExact = answered === tally.sent && tally.failed === 0 && pending === 0 && isClean;
console.log(
  JSON.stringify({ ...tally, answered, pending, isClean, failures: Object.fromEntries(failures), isExact }),
);
process.exitCode = isExact ? 0 : 1;
