// What the window is shown of a tensor, and requests over one stream.

import { expect, test } from 'vitest';

import type { GrpcInferClient, StreamListener } from '../client/grpc-client.ts';
import type { ClientRequest } from '../client/infer-client.ts';
import { encodeTexts, encodeValues } from '../tensor/value-codec.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { shownTensor } from './shown-tensor.ts';
import type { StreamWatch } from './open-streams.ts';
import { OpenStreams } from './open-streams.ts';
import { streamOnce } from './stream-once.ts';

const show = (datatype: string, bytes: Uint8Array, isClassified = false) =>
  shownTensor({ name: 'Y', datatype, shape: [2], bytes }, () => 'b1', isClassified);

test('first elements, range and mean of the finite ones; what is not finite is counted', async () => {
  const bytes = encodeValues(['1', '3', 'NaN', 'Infinity', '-Infinity'], 'FP32');
  expect(await show('FP32', bytes)).toMatchObject({
    byteSize: 20,
    blob: 'b1',
    preview: ['1', '3', 'NaN', 'Infinity', '-Infinity'],
    stats: { min: 1, max: 3, mean: 2, nanCount: 1, infCount: 2 },
  });
});

test('without a finite element there is no range, and texts have no statistics', async () => {
  const { stats } = await show('FP32', encodeValues(['NaN', 'NaN'], 'FP32'));
  expect(stats).toEqual({ min: undefined, max: undefined, mean: undefined, nanCount: 2, infCount: 0 });
  expect((await show('BYTES', encodeTexts(['a', 'b']))).stats).toBeUndefined();
});

test('a large tensor is looked at whole, and shown in part', async () => {
  const values = Float32Array.from({ length: 150_000 }, (_, index) => index);
  const { preview, stats } = await show('FP32', new Uint8Array(values.buffer));
  expect(preview).toHaveLength(2000);
  expect(stats).toMatchObject({ min: 0, max: 149_999 });
  expect(stats?.mean).toBeCloseTo(74_999.5, 0);
});

test('a type that is not known is shown by its facts', async () => {
  expect(await show('FP8', Uint8Array.of(1, 2))).toMatchObject({
    preview: [],
    stats: undefined,
    byteSize: 2,
  });
});

test('classes have a score, an index and a label that may hold anything', async () => {
  const { classes } = await show('BYTES', encodeTexts(['0.75:3:tabby: cat', '0.1:7']), true);
  expect(classes).toEqual([
    { score: 0.75, index: 3, label: 'tabby: cat' },
    { score: 0.1, index: 7, label: '' },
  ]);
});

const REQUEST: ClientRequest = {
  model: 'm',
  version: '',
  id: '',
  inputs: [{ name: 'X', datatype: 'FP32', shape: [1], bytes: new Uint8Array(4) }],
  outputs: [],
  parameters: new Map(),
};

function streaming(signal = new AbortController().signal, watch?: StreamWatch) {
  const clock = new FakeClock();
  const done: string[] = [];
  let listener: StreamListener | undefined;
  const client = {
    stream: (given: StreamListener) => {
      listener = given;
      return {
        send: () => done.push('send'),
        halfClose: () => done.push('half-close'),
        cancel: () => {
          done.push('cancel');
          given.onEnd(1, 'cancelled');
        },
      };
    },
  } as unknown as GrpcInferClient;
  const exchange = streamOnce(client, REQUEST, { clock, signal, watch });
  const answer = (byteLength: number, errorMessage = ''): void =>
    listener?.onMessage({
      errorMessage,
      response: { outputs: byteLength === 0 ? [] : [{ bytes: new Uint8Array(byteLength) }] },
    } as never);
  return {
    clock,
    done,
    exchange,
    answer,
    message: (response: unknown) => listener?.onMessage({ errorMessage: '', response } as never),
    end: (code: number, details = '') => listener?.onEnd(code, details),
  };
}

test('all responses of a stream are collected, with the time to the first and the sizes', async () => {
  const { clock, done, exchange, answer, end } = streaming();
  clock.skip(5e6);
  answer(8);
  clock.skip(10e6);
  answer(8);
  answer(0);
  end(0);
  expect(done).toEqual(['send', 'half-close']);
  expect(await exchange).toMatchObject({
    ok: true,
    status: 0,
    statusText: 'OK',
    rawHead: '2 responses on one stream',
    requestByteSize: 4,
    responseByteSize: 16,
    timing: { totalMs: 15, waitMs: 5, receiveMs: 10 },
  });
});

test('an error of the model, or of the stream, is told in its words', async () => {
  const first = streaming();
  first.answer(0, 'the model refused');
  first.end(0);
  expect(await first.exchange).toMatchObject({ ok: false, error: 'the model refused', statusText: 'OK' });
  const second = streaming();
  second.end(14, 'connection refused');
  expect(await second.exchange).toMatchObject({ ok: false, status: 14, error: 'connection refused' });
});

test('a stream that is given up is cancelled, also when that was decided before it began', async () => {
  const controller = new AbortController();
  const { exchange, done } = streaming(controller.signal);
  controller.abort(new Error('enough'));
  await expect(exchange).rejects.toThrow('enough');
  expect(done).toEqual(['send', 'half-close', 'cancel']);
  const late = streaming(controller.signal);
  await expect(late.exchange).rejects.toThrow('enough');
  expect(late.done).toEqual([]);
});

test('a stream that is stopped answers with what came until then', async () => {
  const streams = new OpenStreams();
  const answer = (text: string, value: string) => ({
    outputs: [
      { name: 'TEXT', datatype: 'BYTES', shape: [1, 1], bytes: encodeTexts([text]) },
      { name: 'I', datatype: 'INT32', shape: [2], bytes: encodeValues([value, '7'], 'INT32') },
    ],
  });
  expect(streams.progress('s1')).toBeUndefined();
  const exchange = await streams.during('s1', async (watch) => {
    const { exchange: ended, done, message } = streaming(undefined, watch);
    expect(streams.progress('s1')).toEqual({ count: 0, byteSize: 0, outputs: [] });
    message(answer('one ', '1'));
    message(answer('two ', '2'));
    expect(streams.progress('s1')).toMatchObject({
      count: 2,
      outputs: [
        { name: 'TEXT', shape: [1, 1], text: 'one two ' },
        { name: 'I', shape: [2], text: '2, 7' },
      ],
    });
    streams.stop('s1');
    expect(done).toEqual(['send', 'half-close', 'cancel']);
    return ended;
  });
  expect(exchange).toMatchObject({
    ok: true,
    error: undefined,
    status: 1,
    statusText: 'CANCELLED',
    streamed: { count: 2, isStopped: true },
  });
  expect(exchange.responses).toHaveLength(2);
  expect(streams.progress('s1')).toBeUndefined();
  streams.stop('s1');
});

test('of a stream without end the first thousand responses are kept, and all are counted', async () => {
  const { exchange, answer, end } = streaming();
  for (let at = 0; at < 1500; at += 1) answer(4);
  end(0);
  const { responses, streamed, responseByteSize, rawHead } = await exchange;
  expect([responses.length, responseByteSize]).toEqual([1000, 6000]);
  expect(streamed).toEqual({ count: 1500, isStopped: false });
  expect(rawHead).toBe('1500 responses on one stream; the first 1000 are kept');
});
