import { expect, test } from 'vitest';
import { invalidArg } from '../../src-shared/errors.ts';
import { InferenceRequest, type ResponseCallback } from './inference-request.ts';
import type { OutputTensor } from './inference-response.ts';
import { ResponseSender } from './response-sender.ts';
import { singleResponse } from './single-response.ts';

const output: OutputTensor = { name: 'OUT', datatype: 'INT8', shape: [1], bytes: Uint8Array.of(7) };

function world(isSingle: boolean): { sender: ResponseSender; log: string[] } {
  const log: string[] = [];
  const take: ResponseCallback = (response, isFinal) => {
    const what =
      response === undefined ? 'flags' : (response.error?.message ?? `${response.outputs.length} out`);
    log.push(isFinal ? `${what} final` : what);
  };
  const request = new InferenceRequest({
    modelName: 'm',
    modelVersion: 1,
    inputs: [],
    onResponse: isSingle ? singleResponse(take) : take,
  });
  return { sender: new ResponseSender(request), log };
}

test('passes every response on in order, then the flag', () => {
  const { sender, log } = world(false);
  void sender.send([output], { isFinal: false });
  void sender.fail(invalidArg('simulated failure'), { isFinal: false });
  void sender.end();
  expect(log).toEqual(['1 out', 'simulated failure', 'flags final']);
  expect(sender.count).toBe(2);
});

test('a receiver of a single response gets it with the final flag', () => {
  const { sender, log } = world(true);
  void sender.send([output], { isFinal: false });
  expect(log).toEqual([]);
  void sender.end();
  expect(log).toEqual(['1 out final']);
});

test.each([0, 2, 3])('a receiver of a single response gets an error for %i of them', (count) => {
  const { sender, log } = world(true);
  for (let i = 0; i < count; i += 1) void sender.send([output], { isFinal: false });
  void sender.end();
  expect(log).toEqual([`expected a single response, got ${count} final`]);
});

test('refuses a response after the final flag', () => {
  const { sender, log } = world(false);
  void sender.end();
  expect(() => sender.send([output], { isFinal: false })).toThrow('after the final flag');
  expect(log).toEqual(['flags final']);
});
