// What the log tells of requests at --log-verbose=1, over both protocols.

import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { systemClock } from './base/clock.ts';
import { addLogSink, setLogSwitches } from './base/log.ts';
import { GrpcInferClient } from './client/grpc-client.ts';
import type { Engine } from './engine.ts';
import { startTestEngine } from './testing/start-test-engine.ts';
import { TempRepository } from './testing/temp-repository.ts';

const IDENTITY = `backend: "identity" max_batch_size: 4
input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 2 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 2 ] } ]
instance_group [ { kind: KIND_CPU } ]`;

let repository: TempRepository;
let engine: Engine;
let client: GrpcInferClient;
let stopListening: () => void;
let lines: string[] = [];

beforeAll(async () => {
  repository = await TempRepository.create({ 'm/config.pbtxt': IDENTITY, 'm/1/': '' });
  engine = await startTestEngine(repository.path);
  client = new GrpcInferClient(`127.0.0.1:${engine.ports.grpc}`, { clock: systemClock });
  stopListening = addLogSink(({ message }) => lines.push(message));
  setLogSwitches({ verboseLevel: 1 });
});

afterAll(async () => {
  setLogSwitches({ verboseLevel: 0 });
  stopListening();
  await client.close();
  await engine.close();
  await repository[Symbol.asyncDispose]();
});

beforeEach(() => {
  lines = [];
});

const asked = (id: string, name: string) => ({
  model: 'm',
  version: '',
  id,
  inputs: [{ name, datatype: 'INT32', shape: [1, 2], bytes: new Uint8Array(8) }],
  outputs: [],
  parameters: new Map(),
});

const post = (id: string, name: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${engine.ports.http}/v2/models/m/infer`, {
    method: 'POST',
    body: JSON.stringify({ id, inputs: [{ name, datatype: 'INT32', shape: [1, 2], data: [1, 2] }] }),
  });

/** Between the frontend's first and last line of a request that is answered. */
const core = (id: string): readonly string[] => [
  `[request id: ${id}] Setting state from INITIALIZED to INITIALIZED`,
  expect.stringMatching(
    new RegExp(
      `^\\[request id: ${id}\\] prepared: \\[#\\d+\\] request id: ${id}, model: m, requested version: -1, actual version: 1, flags: 0x0, correlation id: 0, batch size: 1, priority: 0, timeout \\(us\\): 0\noriginal inputs:\ninput: INPUT0, type: INT32, original shape: \\[1,2\\], batch \\+ shape: \\[1,2\\], shape: \\[2\\]\noverride inputs:\n`,
    ),
  ) as string,
  `[request id: ${id}] Setting state from INITIALIZED to PENDING`,
  `[request id: ${id}] Setting state from PENDING to EXECUTING`,
  'model m, instance m_0_0, executing 1 requests',
  'add response output: output: OUTPUT0, type: INT32, shape: [1,2]',
];

test('a gRPC call is told from its start to its end, and is not called cancelled', async () => {
  expect(await client.infer(asked('g', 'INPUT0'))).toMatchObject({ ok: true });
  await vi.waitFor(() => expect(lines.at(-1)).toMatch(/^Done for/));
  const call = /\d+$/.exec(lines.at(-1) ?? '')?.[0];
  expect(lines).toEqual([
    `Process for ModelInferHandler, rpc_ok=1, ${call} step START`,
    `New request handler for ModelInferHandler, ${call}`,
    ...core('g'),
    "GRPC: using buffer for 'OUTPUT0', size: 8",
    `ModelInferHandler::InferResponseComplete, ${call} step ISSUED`,
    'GRPC free: size 8',
    '[request id: g] Setting state from EXECUTING to RELEASED',
    'ModelInferHandler::InferRequestComplete',
    `Received notification for ModelInferHandler, ${call}`,
    `Process for ModelInferHandler, rpc_ok=1, ${call} step COMPLETE`,
    `Process for ModelInferHandler, rpc_ok=1, ${call} step FINISH`,
    `Done for ModelInferHandler, ${call}`,
  ]);
});

test('an HTTP request is told by the number of its method', async () => {
  await (await post('h', 'INPUT0')).text();
  await vi.waitFor(() => expect(lines).toHaveLength(10));
  expect(lines).toEqual([
    'HTTP request: 2 /v2/models/m/infer',
    ...core('h'),
    "HTTP using buffer for: 'OUTPUT0', size: 8",
    '[request id: h] Setting state from EXECUTING to RELEASED',
    'HTTP release: size 8',
  ]);
});

test('a path that is none is an error of its own', async () => {
  await (await fetch(`http://127.0.0.1:${engine.ports.http}/v2/nothing`)).text();
  expect(lines).toEqual(['HTTP request: 0 /v2/nothing', 'HTTP error: 0 /v2/nothing - 404']);
});

const REFUSAL = "unexpected inference input 'NOPE' for model 'm'";

test.each([
  ['HTTP', async () => void (await post('bad', 'NOPE'))],
  ['gRPC', async () => void (await client.infer(asked('bad', 'NOPE')))],
])('a request that is refused over %s says why', async (_, send) => {
  await send();
  expect(lines).toContain(`[request id: bad] Infer failed: ${REFUSAL}`);
  // It never left its first state: no scheduler saw it.
  expect(lines.filter((line) => line.includes('Setting state'))).toEqual([]);
});

test('a call that its client gives up is called cancelled', async () => {
  const stream = client.stream({ onMessage: () => undefined, onEnd: () => undefined });
  stream.send(asked('s', 'INPUT0'));
  await vi.waitFor(() => expect(lines.some((line) => line.includes('StreamInferComplete'))).toBe(true));
  stream.cancel();
  await vi.waitFor(() => expect(lines.at(-1)).toMatch(/^Done for ModelStreamInferHandler/));
  expect(lines.join('\n')).toMatch(
    /Cancellation notification received for ModelStreamInferHandler, rpc_ok=1, context \d+ step ISSUED|WRITTEN/,
  );
});
