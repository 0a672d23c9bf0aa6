import { expect, test } from 'vitest';

import { answerMessages } from './answer-messages.ts';
import { ConfigLanguage } from './config-language.ts';
import type { WorkerLike } from './language-client.ts';
import { LanguageClient } from './language-client.ts';
import type { FromWorker, LanguageContext, ToWorker } from './language-protocol.ts';

/** A worker that works when told to, one turn at a time. */
class HandWorker implements WorkerLike {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  isTerminated = false;
  readonly received: ToWorker[] = [];
  readonly #turns: (() => void)[] = [];
  readonly #onMessage = answerMessages(
    (data) => this.onmessage?.({ data } as MessageEvent<FromWorker>),
    (drain) => this.#turns.push(drain),
  );

  postMessage(message: ToWorker): void {
    this.received.push(message);
    this.#onMessage(message);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  work(): void {
    for (let turn = this.#turns.shift(); turn !== undefined; turn = this.#turns.shift()) turn();
  }
}

function withWorkers(): { readonly client: LanguageClient; readonly workers: HandWorker[] } {
  const workers: HandWorker[] = [];
  const client = new LanguageClient(() => {
    const worker = new HandWorker();
    workers.push(worker);
    return worker;
  });
  return { client, workers };
}

const CONTEXT = { modelName: 'm', models: [], files: [], versions: [], descriptions: [], gpuIds: [] };

test('of several checks of one document only the newest is made', async () => {
  const { client, workers } = withWorkers();
  const first = client.ask('check', 'm', 'max_batch_size: {');
  const second = client.ask('check', 'm', 'max_batch_size: 1');
  const other = client.ask('format', 'm', 'max_batch_size:1');
  workers[0]?.work();
  await expect(first).resolves.toBeUndefined();
  await expect(second).resolves.toEqual(expect.any(Array));
  await expect(other).resolves.toMatchObject([{ newText: 'max_batch_size: 1\n' }]);
});

test('questions about different documents do not replace each other', async () => {
  const { client, workers } = withWorkers();
  const answers = [client.ask('outline', 'a', 'name: "a"'), client.ask('outline', 'b', 'name: "b"')];
  workers[0]?.work();
  const outlines = await Promise.all(answers);
  expect(outlines.map((items) => items?.[0]?.detail)).toEqual(['a', 'b']);
});

test('a worker that fails is replaced, and the new one is told what the old one knew', async () => {
  const { client, workers } = withWorkers();
  client.setContext('m', CONTEXT as unknown as LanguageContext);
  const lost = client.ask('outline', 'm', 'name: "m"');
  workers[0]?.onerror?.({ message: 'out of memory' } as ErrorEvent);
  await expect(lost).rejects.toThrow('out of memory');
  expect(workers[0]?.isTerminated).toBe(true);
  const next = client.ask('outline', 'm', 'name: "m"');
  workers[1]?.work();
  await expect(next).resolves.toHaveLength(1);
  expect(workers[1]?.received.map(({ type }) => type)).toEqual(['context', 'ask']);
});

test('a forgotten document is not told again', () => {
  const { client, workers } = withWorkers();
  client.setContext('m', CONTEXT as unknown as LanguageContext);
  client.forget('m');
  void client.ask('outline', 'm', '');
  expect(workers[0]?.received.map(({ type }) => type)).toEqual(['ask']);
});

test('findings come before whatever else waits', async () => {
  const { client, workers } = withWorkers();
  const order: string[] = [];
  const asked = (['effective', 'outline', 'check'] as const).map((question) =>
    client.ask(question, 'm', 'max_batch_size: 1').then(() => order.push(question)),
  );
  workers[0]?.work();
  await Promise.all(asked);
  expect(order).toEqual(['check', 'effective', 'outline']);
});

test('an effective text arrives as it was sent, whichever way it travels', async () => {
  const { client, workers } = withWorkers();
  const text = 'name: "m"\nparameters { key: "a" value { string_value: "line\\n\\0end" } }';
  const answer = client.ask('effective', 'm', text);
  workers[0]?.work();
  expect(await answer).toEqual(new ConfigLanguage().answers.effective('m', text));
  expect((await answer)?.lines.length).toBeGreaterThan(4);
  const empty = client.ask('effective', 'm', '');
  workers[0]?.work();
  expect(await empty).toEqual(new ConfigLanguage().answers.effective('m', ''));
});
