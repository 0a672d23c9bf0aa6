// Captured requests of a running server: what a client sent and got, the steps of ensembles, refusals, and what happens
// when there is no room.

import { afterAll, beforeEach, expect, test } from 'vitest';

import { RequestTapPoint } from '../../inference/request-tap.ts';
import { InferenceRequest, InferInput } from '../../inference/inference-request.ts';
import { bytesOf } from '../../inference/tensor-bytes.ts';
import type { ControlWorld } from '../../testing/control-world.ts';
import { mlpRequest, playgroundRequest, startControlWorld, typedInput } from '../../testing/control-world.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { RequestCapture } from './request-capture.ts';

const world: ControlWorld = await startControlWorld(['pipeline', 'batch_mlp']);
const { client } = world;

afterAll(() => world[Symbol.asyncDispose]());

beforeEach(async () => {
  await client.call('capture/stop', {});
  await client.call('capture/clear', {});
});

const image = typedInput('RAW', 'UINT8', [1, 32, 32, 3], Array<number>(32 * 32 * 3).fill(7));

test('nothing is captured until it is switched on, and nothing more when it is off again', async () => {
  await client.call('playground/send', mlpRequest());
  expect(await client.call('capture/list', {})).toEqual([]);
  expect(await client.call('capture/start', {})).toMatchObject({ isOn: true, count: 0 });
  await client.call('playground/send', mlpRequest({ id: 'seen' }));
  await client.call('capture/stop', {});
  await client.call('playground/send', mlpRequest());
  const rows = await client.call('capture/list', {});
  expect(rows).toMatchObject([
    { model: 'batch_mlp', requestId: 'seen', state: 'ok', parentId: 0, stepIndex: -1, responseCount: 1 },
  ]);
  expect(rows[0]?.byteSize).toBe(64 * 4 + 10 * 4);
});

test('a captured request can be sent again and gives the same answer', async () => {
  await client.call('capture/start', { model: 'batch_mlp' });
  const sent = await client.call('playground/send', mlpRequest());
  const [row] = await client.call('capture/list', { model: 'batch_mlp' });
  const captured = await client.call('capture/open', { id: row?.id ?? 0 });
  expect(captured.inputs[0]).toMatchObject({ name: 'FEATURES', datatype: 'FP32', shape: [1, 64] });
  expect(captured.responses[0]?.outputs[0]?.preview).toEqual(sent.responses[0]?.outputs[0]?.preview);
  const again = await client.call('playground/send', captured.request);
  expect(again.responses[0]?.outputs[0]?.preview).toEqual(sent.responses[0]?.outputs[0]?.preview);
});

test('the steps of an ensemble are captured with their tensors and their place', async () => {
  await client.call('capture/start', { model: 'pipeline' });
  await client.call('playground/send', playgroundRequest('pipeline', [image]));
  await client.call('playground/send', mlpRequest());
  const rows = await client.call('capture/list', { model: 'pipeline' });
  const whole = rows.find(({ model }) => model === 'pipeline');
  const steps = rows
    .filter(({ parentId }) => parentId === whole?.id)
    .toSorted((a, b) => a.stepIndex - b.stepIndex);
  expect(steps.map(({ stepIndex, model }) => [stepIndex, model])).toEqual([
    [0, 'pipeline_prepare'],
    [1, 'image_tiny'],
    [2, 'pipeline_best'],
  ]);
  expect(rows).toHaveLength(4);
  const prepared = await client.call('capture/open', { id: steps[0]?.id ?? 0 });
  const classified = await client.call('capture/open', { id: steps[1]?.id ?? 0 });
  expect(classified.inputs[0]?.preview).toEqual(prepared.responses[0]?.outputs[0]?.preview);
});

test('a request that the model refuses is captured with the reason', async () => {
  await client.call('capture/start', {});
  const wrong = playgroundRequest('batch_mlp', [typedInput('FEATURES', 'FP32', [1, 2], [1, 2])]);
  const { error } = await client.call('playground/send', wrong);
  const [row] = await client.call('capture/list', {});
  expect(row).toMatchObject({ state: 'failed', error, inputs: [{ name: 'FEATURES', shape: [1, 2] }] });
  const { inputs } = await client.call('capture/open', { id: row?.id ?? 0 });
  expect(inputs).toMatchObject([{ values: ['1', '2'] }]);
  await expect(client.call('capture/open', { id: 99_999 })).rejects.toThrow(/no longer kept/);
});

function pass(capture: RequestCapture, byteSize: number): void {
  const bytes = bytesOf(new Uint8Array(byteSize));
  const request = new InferenceRequest({
    modelName: 'm',
    modelVersion: 1,
    inputs: [new InferInput('X', 'UINT8', [byteSize], bytes)],
    onResponse: () => undefined,
  });
  capture.take(request, { name: 'm', version: '1' })?.accepted();
  void request.respondOutputs([], true);
}

test('the oldest go when the room is used up, and what is too large is kept without tensors', () => {
  const capture = new RequestCapture(new FakeClock(), new RequestTapPoint());
  capture.start();
  const mebibyte = 1024 * 1024;
  pass(capture, 17 * mebibyte);
  expect(capture.list()).toMatchObject([{ hasTensors: false, byteSize: 0 }]);
  for (let count = 0; count < 9; count += 1) pass(capture, 8 * mebibyte);
  const { byteSize, limitBytes } = capture.state();
  expect(byteSize).toBe(limitBytes);
  expect(capture.list().map(({ id }) => id)).toEqual([10, 9, 8, 7, 6, 5, 4, 3]);
});

test('capturing ends by itself', () => {
  const clock = new FakeClock();
  const point = new RequestTapPoint();
  const capture = new RequestCapture(clock, point);
  capture.start();
  expect(point.tap).toBe(capture);
  clock.skip(10 * 60 * 1e9);
  pass(capture, 4);
  expect(capture.list()).toEqual([]);
  expect([point.tap, capture.state().isOn]).toEqual([undefined, false]);
});
