// Large files of traces are read by a worker, whose answer is taken and which ends in any case.

import { expect, test } from 'vitest';

import { readTraceFile } from './read-trace-file.ts';
import type { ReadAnswer } from './read-answer.ts';

const LARGE = new File([new Uint8Array(2 * 1024 * 1024)], 'trace.json');

function worker() {
  const target = new EventTarget();
  const seen = { posted: [] as unknown[], isEnded: false };
  const create = () => ({
    postMessage: (message: unknown) => void seen.posted.push(message),
    terminate: () => {
      seen.isEnded = true;
    },
    addEventListener: target.addEventListener.bind(target) as Worker['addEventListener'],
  });
  const answer = (data: ReadAnswer): void => void target.dispatchEvent(new MessageEvent('message', { data }));
  return { create, seen, answer };
}

test('rows of a large file come from the worker, and what it is instead, too', async () => {
  const first = worker();
  const reading = readTraceFile(LARGE, new AbortController().signal, first.create);
  first.answer({ rows: [] });
  expect(await reading).toEqual([]);
  expect(first.seen).toEqual({ posted: [LARGE], isEnded: true });
  const second = worker();
  const refused = readTraceFile(LARGE, new AbortController().signal, second.create);
  second.answer({ reason: 'it is no list of trace records' });
  await expect(refused).rejects.toThrow('it is no list of trace records');
});

test('a cancelled reading ends the worker', async () => {
  const { create, seen } = worker();
  const controller = new AbortController();
  const reading = readTraceFile(LARGE, controller.signal, create);
  controller.abort();
  await expect(reading).rejects.toThrow(/abort/i);
  expect(seen.isEnded).toBe(true);
});

test('of a small file nothing comes once its reading was cancelled', async () => {
  const file = new File(['[]'], 'trace.json');
  const { promise, resolve } = Promise.withResolvers<string>();
  file.text = () => promise;
  const controller = new AbortController();
  const reading = readTraceFile(file, controller.signal);
  controller.abort();
  resolve('no JSON');
  await expect(reading).rejects.toThrow(/abort/i);
});
