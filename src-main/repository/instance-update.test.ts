// Changing the instances of a model that serves: what is made first, what goes when, and when the load answers.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { LogRecord } from '../base/log.ts';
import { addLogSink, setLogSwitches } from '../base/log.ts';
import { InferenceRequest, InferInput } from '../inference/inference-request.ts';
import { bytesOf } from '../inference/tensor-bytes.ts';
import { FakeBackend } from '../testing/fake-backend.ts';
import type { RepositoryFixture } from '../testing/repository-fixture.ts';
import { echoConfig, repositoryFixture } from '../testing/repository-fixture.ts';
import { END, START } from '../testing/sequence-world.ts';
import type { Model } from './model.ts';

let fixture: RepositoryFixture;
let backend: FakeBackend;
let logged: string[];
let endLog: () => void;

beforeEach(() => {
  backend = new FakeBackend();
  logged = [];
  setLogSwitches({ verboseLevel: 2 });
  endLog = addLogSink(({ message }: LogRecord) => logged.push(message));
});

afterEach(async () => {
  endLog();
  setLogSwitches({ verboseLevel: 0 });
  await fixture[Symbol.asyncDispose]();
  expect(backend.liveInstanceCount).toBe(0);
});

const config = (count: number, extra = '', group = ''): string =>
  `${echoConfig(`instance_group [ { kind: KIND_CPU count: ${count} ${group} } ]`)}\n${extra}`;
const SEQUENCES = 'sequence_batching { max_sequence_idle_microseconds: 60000000 }';

async function start(text: string): Promise<Model> {
  fixture = await repositoryFixture({
    files: { 'm/config.pbtxt': text, 'm/1/': '' },
    backends: [backend],
  });
  await fixture.repository.load('m');
  return fixture.repository.find('m', 1);
}

async function change(text: string): Promise<void> {
  await fixture.folder.write({ 'm/config.pbtxt': text });
  await fixture.folder.touch('m/config.pbtxt');
  await fixture.repository.load('m');
}

/** Sends one request; resolves when it was answered. */
async function send(correlationId = 0n, flags = 0): Promise<void> {
  const use = fixture.repository.use('m', -1);
  const bytes = bytesOf(new Uint8Array(16));
  await new Promise<void>((resolve, reject) => {
    use.infer(
      new InferenceRequest({
        modelName: 'm',
        modelVersion: -1,
        correlationId,
        flags,
        inputs: [new InferInput('INPUT0', 'FP32', [4], bytes)],
        onResponse: (response) => {
          if (response?.error === undefined) resolve();
          else reject(response.error);
        },
      }),
    );
  });
  use.release();
}

const lastInstance = (): string | undefined => backend.executions.at(-1)?.instanceName;
const live = (count: number): Promise<void> =>
  vi.waitFor(() => expect(backend.liveInstanceCount).toBe(count));

/** Whatever can go on without somebody else goes on. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test('an instance without a sequence goes at once, one with a sequence when that ends', async () => {
  await start(config(3, SEQUENCES));
  await send(1n, START);
  const holder = lastInstance();
  await send(2n, START);
  const second = lastInstance();
  await change(config(2, SEQUENCES, 'name: "new" host_policy: "p"'));
  expect(backend.liveInstanceCount).toBe(2 + 2);
  await send(1n);
  expect(lastInstance()).toBe(holder);
  await send(3n, START);
  expect(lastInstance()).toMatch(/^new_/);
  await send(1n, END);
  await live(2 + 1);
  expect(logged).toContain(`Removing slot for batcher ${holder ?? ''}, slot 0`);
  expect(logged).toContain(`Removing batcher ${holder ?? ''}`);
  expect(logged).not.toContain(`Removing batcher ${second ?? ''}`);
  await send(2n, END);
  await live(2);
  await send(3n, END);
});

test('a load answers when what it removed has finished its work and is closed', async () => {
  const gates: (() => void)[] = [];
  backend.scripts.set('m', {
    execute: async ({ requests }) => {
      await new Promise<void>((open) => gates.push(open));
      for (const request of requests) {
        void request.respondOutputs([], true);
        request.release();
      }
    },
  });
  await start(config(2));
  const sent = [send(), send()];
  let isAnswered = false;
  const changed = change(config(1)).then(() => (isAnswered = true));
  await settled();
  expect([isAnswered, backend.liveInstanceCount]).toEqual([false, 2]);
  for (const open of gates) open();
  await changed;
  expect(backend.liveInstanceCount).toBe(1);
  await Promise.all(sent);
});

test('of equal instances the last are kept, with their names', async () => {
  const model = await start(config(3));
  await change(config(2));
  expect(model.instances.map(({ spec }) => spec.name)).toEqual(['m_0_2', 'm_0_1']);
  expect(logged).toContain("Re-using model instance named 'm_0_2' with device id '0'");
  await change(config(3));
  expect(model.instances.map(({ spec }) => spec.name)).toEqual(['m_0_1', 'm_0_2', 'm_0_2']);
});

test('none of the new ones works, and none of the old ones goes, when one of them fails', async () => {
  await start(config(1));
  backend.scripts.set('m', {
    createError: ({ ordinal }) => (ordinal === 2 ? new Error('no room') : undefined),
  });
  await fixture.repository.unload('m', { unloadDependents: false });
  await fixture.repository.load('m');
  const served = fixture.repository.find('m', 1);
  const before = served.instances;
  await expect(change(config(3))).rejects.toThrow('version 1 is at READY state: Internal: no room;');
  expect(served.instances).toBe(before);
  expect(backend.liveInstanceCount).toBe(1);
  expect(logged).toContain('ERROR: Failed to create instance: no room');
  await send();
});
