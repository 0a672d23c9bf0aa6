// Reading the graph of a file: once per file, given up when nobody waits, and said why when it fails.

import { afterEach, expect, test, vi } from 'vitest';

import { internal, notFound } from '../../../src-shared/errors.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { answerGraph, fakeChain } from '../../testing/fake-graph.ts';
import { graphSources, openGraph } from './graph-source.ts';

afterEach(() => graphSources.setState({ byFile: new Map() }));

const target = { model: 'm', version: '' };
const sourceOf = (key: string) => graphSources.getState().byFile.get(key);

function start() {
  const fake = new FakeEngine();
  answerGraph(fake, () => fakeChain(3));
  const { client } = fake.engine();
  const controller = new AbortController();
  const read = (key = 'k', signal = controller.signal) => openGraph(client, key, target, signal);
  return { fake, controller, read };
}

test('the graph is read once, and its blob is given back', async () => {
  const { fake, read } = start();
  await read();
  expect(sourceOf('k')).toMatchObject({ state: 'ready', fileName: 'model.onnx', progress: 1 });
  expect(sourceOf('k')?.index?.data.operators).toHaveLength(3);
  await read();
  expect(fake.argsOf('graph/onnx')).toEqual([target]);
  await vi.waitFor(() => expect(fake.argsOf('blob/release')).toEqual([{ blob: 'graph-0' }]));
});

test('a file that is missing is told from one that cannot be read, and both are read again when asked', async () => {
  const { fake, read } = start();
  answerGraph(fake, () => {
    throw notFound("version 1 of 'm' has no file");
  });
  await read();
  expect(sourceOf('k')).toMatchObject({ state: 'missing', error: "version 1 of 'm' has no file" });
  answerGraph(fake, () => {
    throw internal('broken');
  });
  await read();
  expect(sourceOf('k')).toMatchObject({ state: 'failed' });
  answerGraph(fake, () => fakeChain(1));
  await read();
  expect(sourceOf('k')).toMatchObject({ state: 'ready', error: undefined });
});

test('bytes that are no graph are a failure, and their blob is given back', async () => {
  const { fake, read } = start();
  fake.overrides['blob/read'] = () => ({ base64: btoa('not packed'), totalByteSize: 10 });
  await read();
  expect(sourceOf('k')?.state).toBe('failed');
  await vi.waitFor(() => expect(fake.argsOf('blob/release')).toHaveLength(1));
});

test('a reading that was given up says nothing over a later one', async () => {
  const { fake, controller, read } = start();
  const gate = Promise.withResolvers<never>();
  fake.overrides['graph/onnx'] = () => gate.promise;
  const first = read();
  await vi.waitFor(() => expect(fake.argsOf('graph/onnx')).toHaveLength(1));
  expect(sourceOf('k')?.state).toBe('reading');
  controller.abort();
  answerGraph(fake, () => fakeChain(2));
  await read('k', new AbortController().signal);
  gate.reject(internal('too late'));
  await first;
  expect(sourceOf('k')).toMatchObject({ state: 'ready', error: undefined });
});

test('four files are kept, and the one that was looked at last is among them', async () => {
  const { fake, read } = start();
  for (const key of ['a', 'b', 'c', 'd']) await read(key);
  await read('a');
  await read('e');
  expect([...graphSources.getState().byFile.keys()]).toEqual(['c', 'd', 'a', 'e']);
  await read('a');
  expect(fake.argsOf('graph/onnx')).toHaveLength(5);
});
