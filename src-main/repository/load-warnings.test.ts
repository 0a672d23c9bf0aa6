import { afterEach, beforeEach, expect, it } from 'vitest';

import { addLogSink } from '../base/log.ts';
import { FakeBackend } from '../testing/fake-backend.ts';
import type { RepositoryFixture } from '../testing/repository-fixture.ts';
import { echoConfig, repositoryFixture } from '../testing/repository-fixture.ts';

let fixture: RepositoryFixture;
let warned: string[];
let endLog: () => void;

beforeEach(() => {
  warned = [];
  endLog = addLogSink(({ level, message, fields }) => {
    if (level === 'warn') warned.push(`${String(fields?.['model'] ?? '')}: ${message}`);
  });
});

afterEach(async () => {
  endLog();
  await fixture[Symbol.asyncDispose]();
});

async function start(text: string): Promise<void> {
  const backend = new FakeBackend();
  const load = backend.load.bind(backend);
  backend.load = async (context) => ({ ...(await load(context)), notices: ['runs elsewhere'] });
  fixture = await repositoryFixture({
    files: { 'm/config.pbtxt': text, 'm/1/': '', 'm/2/': '' },
    backends: [backend],
  });
  await fixture.repository.load('m');
}

const NO_GPU =
  'm: instance group m_0 of model m has kind KIND_GPU but no GPUs are available. ' +
  'It runs on the CPU here; the config is kept as it is for production.';

it('what is configured without effect, and where instances run, is said once for all versions', async () => {
  await start(
    echoConfig('instance_group [ { kind: KIND_GPU } ] version_policy { all {} } dynamic_batching {}'),
  );
  expect(warned).toEqual([
    NO_GPU,
    'm: dynamic_batching has no effect while max_batch_size is 0. Set max_batch_size, or remove dynamic_batching.',
    'm: runs elsewhere',
  ]);
});

it('an update says what it adds', async () => {
  await start(echoConfig());
  warned.length = 0;
  await fixture.folder.write({ 'm/config.pbtxt': echoConfig('instance_group [ { kind: KIND_GPU } ]') });
  await fixture.folder.touch('m/config.pbtxt');
  await fixture.repository.load('m');
  expect(warned).toContain(NO_GPU);
});
