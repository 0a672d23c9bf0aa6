// A JavaScript model whose code never returns can still be unloaded.
import { expect, it } from 'vitest';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';

it('unloads a model that hangs in execute, and fails its request', async () => {
  await using repository = await TempRepository.create({
    'stuck/config.pbtxt': `backend: "javascript" max_batch_size: 0
      input [ { name: "X" data_type: TYPE_INT32 dims: [ 1 ] } ]
      output [ { name: "Y" data_type: TYPE_INT32 dims: [ 1 ] } ]
      parameters { key: "unload_timeout_ms" value { string_value: "100" } }`,
    'stuck/1/model.js': `export function execute() { for (;;); }`,
  });
  await using engine = await startTestEngine(repository.path);
  const request = fetch(`http://127.0.0.1:${engine.ports.http}/v2/models/stuck/infer`, {
    method: 'POST',
    body: JSON.stringify({ inputs: [{ name: 'X', datatype: 'INT32', shape: [1], data: [1] }] }),
  });
  const isBusy = (): boolean =>
    [...engine.repository.ready()].some(({ runtime }) => runtime.slots.some(({ state }) => state === 'busy'));
  await expect.poll(isBusy).toBe(true);
  await engine.service.unloadModel('stuck', { unloadDependents: false });
  const response = await request;
  expect(response.status).toBe(503);
  expect(((await response.json()) as { error: string }).error).toContain(
    'was not done within unload_timeout_ms = 100',
  );
});
