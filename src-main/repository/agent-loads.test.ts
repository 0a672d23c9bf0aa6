// Repository agents around a load: they may refuse it, and are told how it went.

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { echoConfig } from '../testing/repository-fixture.ts';
import { echoWorld, served } from '../testing/echo-world.ts';

const world = echoWorld();

describe('agents', () => {
  const withAgent = (name: string, parameters: string): string =>
    echoConfig(`model_repository_agents { agents [ { name: "${name}" ${parameters} } ] }`);
  const md5 = createHash('md5').update('abc').digest('hex');
  const checksum = (digest: string): string =>
    withAgent('checksum', `parameters { key: "MD5:data_file" value: "${digest}" }`);

  it('checks digests before a model loads', async () => {
    const f = await world.start({
      files: { 'm/config.pbtxt': checksum(md5), 'm/1/': '', 'm/data_file': 'abc' },
    });
    await f.repository.load('m');
    await f.folder.write({ 'm/config.pbtxt': checksum('00') });
    await f.folder.touch('m/config.pbtxt');
    await expect(f.repository.load('m')).rejects.toThrow('failed to poll from model repository');
    expect(f.repository.problemOf('m')?.message).toContain('Mismatched MD5 hash for file data_file');
    expect(served(f, 'm')).toBe('1');
  });

  it('are told how the load went and when the model left', async () => {
    const seen: string[] = [];
    const f = await world.start({
      files: { 'm/config.pbtxt': withAgent('spy', ''), 'm/1/': '' },
      deps: { agents: [{ name: 'spy', act: (action) => Promise.resolve(void seen.push(action)) }] },
    });
    await f.repository.load('m');
    await f.repository.load('m');
    await f.repository.unload('m', { unloadDependents: false });
    await f.repository.settled();
    expect(seen).toEqual(['LOAD', 'LOAD_COMPLETE', 'UNLOAD', 'UNLOAD_COMPLETE']);
    world.backend.scripts.set('m', { loadError: new Error('no') });
    await expect(f.repository.load('m')).rejects.toThrow('no');
    expect(seen.slice(4)).toEqual(['LOAD', 'LOAD_FAIL']);
  });
});
