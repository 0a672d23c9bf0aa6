// Traces of requests that are refused: a body that cannot be read leaves its reception, a request that a model or a step of
// an ensemble refuses leaves its start, and no trace waits for an end that never comes.

import { afterEach, expect, test } from 'vitest';

import type { Engine } from '../../../src-main/engine.ts';
import { OtlpReceiver } from '../../../src-main/testing/otlp-receiver.ts';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { wireCall } from '../../../src-main/testing/wire-http.ts';

const io = (kind: string, name: string, dims = '4'): string =>
  `${kind} [ { name: "${name}" data_type: TYPE_FP32 dims: [ ${dims} ] } ]`;
const FILES = {
  'narrow/1/': '',
  'narrow/config.pbtxt': `backend: "identity" ${io('input', 'INPUT0')} ${io('output', 'OUTPUT0')}`,
  'open/1/': '',
  'open/config.pbtxt': `backend: "identity" ${io('input', 'INPUT0', '-1')} ${io('output', 'OUTPUT0', '-1')}`,
  'both/1/': '',
  'both/config.pbtxt': `platform: "ensemble" ${io('input', 'A', '-1')} ${io('output', 'C')}
    ensemble_scheduling { step [
      { model_name: "open" model_version: -1 input_map { key: "INPUT0" value: "A" } output_map { key: "OUTPUT0" value: "B" } },
      { model_name: "narrow" model_version: -1 input_map { key: "INPUT0" value: "B" } output_map { key: "OUTPUT0" value: "C" } } ] }`,
};

let engine: Engine | undefined;
let repository: TempRepository | undefined;
let receiver: OtlpReceiver | undefined;

afterEach(async () => {
  await engine?.close();
  await receiver?.close();
  await repository?.[Symbol.asyncDispose]();
});

/** Events of each span, by its name, after one request that is refused. */
async function spansOf(path: string, body: string): Promise<Readonly<Record<string, readonly string[]>>> {
  receiver = await OtlpReceiver.start();
  repository = await TempRepository.create(FILES);
  const settings = [
    ['', 'mode', 'opentelemetry'],
    ['', 'level', 'TIMESTAMPS'],
    ['', 'rate', '1'],
    ['opentelemetry', 'url', `localhost:${receiver.port}/v1/traces`],
  ] as const;
  engine = await startTestEngine(repository.path, {
    trace: { settings: settings.map(([mode, key, value]) => ({ mode, key, value })) },
  });
  const reply = await wireCall(engine.ports.http ?? 0, { path: `/v2/models/${path}`, body });
  expect(reply.status).toBeGreaterThanOrEqual(400);
  await engine.close();
  return Object.fromEntries(receiver.spans.map(({ name, events }) => [name, events.map((one) => one.name)]));
}

const RECEIVED = ['HTTP_RECV_START', 'HTTP_RECV_END'];
const tensor = (name: string, shape: number): string =>
  JSON.stringify({
    inputs: [{ name, datatype: 'FP32', shape: [shape], data: Array.from({ length: shape }, () => 1) }],
  });

test('a body that is no JSON leaves what was received', async () => {
  expect(await spansOf('open/infer', '{')).toEqual({ InferRequest: RECEIVED });
});

test('a field of generate that fits no tensor leaves what was received', async () => {
  expect(await spansOf('open/generate', '{"INPUT0":["x"]}')).toEqual({ InferRequest: RECEIVED });
});

test('a request that the model refuses has no end, and its reply is not stamped', async () => {
  expect(await spansOf('narrow/infer', tensor('INPUT0', 3))).toEqual({
    InferRequest: RECEIVED,
    narrow: ['REQUEST_START'],
  });
});

test('a step that is refused holds back no span', async () => {
  const spans = await spansOf('both/infer', tensor('A', 3));
  expect(spans['narrow']).toEqual(['REQUEST_START']);
  expect(spans['both']).toEqual(['REQUEST_START', 'QUEUE_START', 'REQUEST_END']);
  expect(spans['InferRequest']).toEqual([
    ...RECEIVED,
    'INFER_RESPONSE_COMPLETE',
    'HTTP_SEND_START',
    'HTTP_SEND_END',
  ]);
});
