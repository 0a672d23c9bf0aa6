import { expect, test } from 'vitest';
import { invalidArg } from '../../src-shared/errors.ts';
import { InferenceRequest } from './inference-request.ts';
import type { OutputTensor } from './inference-response.ts';
import { ResponseSender } from './response-sender.ts';

const output: OutputTensor = { name: 'OUT', datatype: 'INT8', shape: [1], bytes: Uint8Array.of(7) };

function world(isDecoupled: boolean): { sender: ResponseSender; log: string[] } {
  const log: string[] = [];
  const request = new InferenceRequest({
    modelName: 'm',
    modelVersion: 1,
    inputs: [],
    onResponse: (response, isFinal) => {
      const what =
        response === undefined ? 'flags' : (response.error?.message ?? `${response.outputs.length} out`);
      log.push(isFinal ? `${what} final` : what);
    },
  });
  return { sender: new ResponseSender(request, { isDecoupled }), log };
}

test('passes every response of a decoupled request on in order, then the flag', () => {
  const { sender, log } = world(true);
  void sender.send([output], { isFinal: false });
  void sender.fail(invalidArg('simulated failure'), { isFinal: false });
  void sender.end();
  expect(log).toEqual(['1 out', 'simulated failure', 'flags final']);
  expect(sender.count).toBe(2);
});

test('joins a response and a separate final flag of a model that is not decoupled', () => {
  const { sender, log } = world(false);
  void sender.send([output], { isFinal: false });
  expect(log).toEqual([]);
  void sender.end();
  expect(log).toEqual(['1 out final']);
});

test.each([0, 2, 3])('refuses %i responses of a model that is not decoupled', (count) => {
  const { sender, log } = world(false);
  for (let i = 0; i < count; i += 1) void sender.send([output], { isFinal: false });
  void sender.end();
  expect(log).toEqual([`expected a single response, got ${count} final`]);
});

test('refuses a response after the final flag', () => {
  const { sender, log } = world(true);
  void sender.end();
  expect(() => sender.send([output], { isFinal: false })).toThrow('after the final flag');
  expect(log).toEqual(['flags final']);
});
