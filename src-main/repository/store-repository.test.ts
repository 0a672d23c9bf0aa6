// Repositories in an object store, over a stand-in that speaks S3. Numbers are those of the checklist of the store
// specification.

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';

import { addLogSink, setLogSwitches } from '../base/log.ts';
import { echoWorld, model, served } from '../testing/echo-world.ts';
import { storeWorld } from '../testing/store-world.ts';

const world = echoWorld();
const stores = storeWorld();
const ALL_VERSIONS = 'version_policy { all {} }';

/** The files of a model below `bucket/repo`. */
function stored(files: Readonly<Record<string, string>>, below = 'bucket/repo'): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${below}/${name}`, text]));
}

function errorsOf(): { readonly lines: string[]; end: () => void } {
  const lines: string[] = [];
  const end = addLogSink(({ level, message }) => void (level === 'error' && lines.push(message)));
  return { lines, end };
}

describe('a repository in a store', () => {
  it('1, 9: serves its models from a copy for each version, and leaves nothing behind', async () => {
    stores.store.write(stored({ ...model('m', ALL_VERSIONS), 'm/2/': '', 'm/1/weights': 'abc' }));
    const f = await world.start({ options: { paths: [stores.path('bucket/repo')] } });
    await f.repository.load('m');
    expect(served(f, 'm')).toBe('1,2');
    const copies = await stores.copies();
    expect(copies).toHaveLength(2);
    for (const name of copies) expect(name).toMatch(/^folder\w{6}$/);
    expect(path.dirname(f.repository.find('m', 1).modelDir)).toBe(stores.mount);
    await f.repository.unload('m', { unloadDependents: false });
    await f.repository.settled();
    expect(await stores.copies()).toEqual([]);
  });

  it('2: is found whatever slashes its path has', async () => {
    stores.store.write(stored(model('m')));
    const f = await world.start({ options: { paths: [stores.path('/bucket//repo//')] } });
    await f.repository.start();
    await f.repository.load('m');
    expect(served(f, 'm')).toBe('1');
  });

  it('4: fails the start for a bucket that is not there, in the words of the reference', async () => {
    stores.store.write(stored(model('m')));
    const f = await world.start({ options: { paths: [stores.path('other/repo')] } });
    await expect(f.repository.start()).rejects.toMatchObject({
      code: 'INTERNAL',
      message: expect.stringContaining(
        "Unable to create S3 filesystem client. Check account credentials. Exception: 'NotFound' Message: 'HTTP status 404'",
      ),
    });
    const g = await world.start({ options: { paths: [stores.path('bucket/none')] } });
    await expect(g.repository.start()).rejects.toMatchObject({
      code: 'INVALID_ARG',
      message: 'repository path is not a valid directory',
    });
  });

  it('5: copies more objects than one page of a listing has', async () => {
    stores.store.pageSize = 10;
    const many = Array.from({ length: 24 }, (_, at) => [`m/1/part-${at}`, String(at)]);
    stores.store.write(stored({ ...model('m'), ...Object.fromEntries(many) }));
    const f = await world.start({ options: { paths: [stores.path('bucket/repo')] } });
    await f.repository.load('m');
    const reads = stores.store.requests.filter((line) => line.includes('/part-'));
    expect(reads).toHaveLength(24);
  });

  it('9, 10: leaves no copy of a load that failed, and says that the mount directory is missing', async () => {
    stores.store.write(stored(model('m')));
    world.backend.scripts.set('m', { loadError: new Error('broken') });
    const f = await world.start({ options: { paths: [stores.path('bucket/repo')] } });
    await expect(f.repository.load('m')).rejects.toThrow('broken');
    expect(await stores.copies()).toEqual([]);
    world.backend.scripts.delete('m');
    const missing = path.join(stores.mount, 'none');
    vi.stubEnv('TRITON_AWS_MOUNT_DIRECTORY', missing);
    await expect(f.repository.load('m')).rejects.toThrow(
      `Failed to create local temp folder: ${missing}/folderXXXXXX, errno:No such file or directory`,
    );
  });

  it('11, 12: follows in mode poll what is uploaded, overwritten and removed', async () => {
    stores.store.write(stored({ ...model('m'), 'm/3/': '' }));
    const f = await world.start({
      options: { paths: [stores.path('bucket/repo')], controlMode: 'poll' },
    });
    await f.repository.start();
    expect(served(f, 'm')).toBe('3');
    const loads = world.backend.loadCount;
    await f.repository.poll();
    expect(world.backend.loadCount).toBe(loads);
    stores.store.write(stored({ 'm/4/weights': 'new' }));
    await f.repository.poll();
    await f.repository.settled();
    expect(await f.repository.index({ readyOnly: false })).toMatchObject([
      { name: 'm', version: '3', state: 'UNAVAILABLE', reason: 'unloaded' },
      { name: 'm', version: '4', state: 'READY' },
    ]);
    stores.store.write(stored(model('m', 'max_batch_size: 3')));
    await f.repository.poll();
    expect(f.repository.find('m', -1).config.maxBatchSize).toBe(3);
    stores.store.remove('bucket/repo/m/4/weights');
    await f.repository.poll();
    expect(served(f, 'm')).toBe('3');
  });

  it('13: keeps serving while the store does not answer, says so once a poll, and recovers', async () => {
    stores.store.write(stored(model('m')));
    const root = stores.path('bucket/repo');
    const f = await world.start({ options: { paths: [root], controlMode: 'poll' } });
    await f.repository.start();
    stores.store.isDown = true;
    const errors = errorsOf();
    await f.repository.poll();
    errors.end();
    expect(errors.lines).toEqual([
      expect.stringContaining(`failed to poll model repository '${root}': Unable to create S3`),
    ]);
    expect(served(f, 'm')).toBe('1');
    expect(await f.repository.index({ readyOnly: true })).toMatchObject([{ name: 'm', state: 'READY' }]);
    stores.store.isDown = false;
    stores.store.write(stored(model('later')));
    await f.repository.poll();
    expect([served(f, 'm'), served(f, 'later')]).toEqual(['1', '1']);
  });

  it('14: loads, unloads and loads a changed model by calls', async () => {
    stores.store.write(stored(model('m')));
    const f = await world.start({ options: { paths: [stores.path('bucket/repo')] } });
    await f.repository.load('m');
    const loads = world.backend.loadCount;
    await f.repository.load('m');
    expect(world.backend.loadCount).toBe(loads);
    stores.store.write(stored({ 'm/1/weights': 'new' }));
    await f.repository.load('m');
    expect(world.backend.loadCount).toBe(loads + 1);
    await f.repository.unload('m', { unloadDependents: false });
    await f.repository.settled();
    expect(served(f, 'm')).toBe('has no available versions');
    await expect(f.repository.load('none')).rejects.toThrow("failed to load 'none', failed to poll");
  });

  it('19: counts together with local folders when names must be unique', async () => {
    stores.store.write(stored(model('m')));
    const f = await world.start({ files: model('m') });
    await f.repository.folders.add(stores.path('bucket/repo'));
    await expect(f.repository.load('m')).rejects.toThrow("failed to load 'm', failed to poll");
  });

  it('20: ends a download with the load that it is for', async () => {
    stores.store.write(stored({ ...model('m'), 'm/1/weights': 'abc' }));
    const f = await world.start({ options: { paths: [stores.path('bucket/repo')] } });
    await f.repository.start();
    const gate = Promise.withResolvers<void>();
    const cancel = new AbortController();
    f.repository.events.subscribe('loadPhase', ({ phase }) => {
      if (phase !== 'downloading model') return;
      stores.store.gate = gate.promise;
      cancel.abort(new Error('the user changed their mind'));
    });
    await expect(f.repository.load('m', { signal: cancel.signal })).rejects.toThrow('changed their mind');
    gate.resolve();
    expect(await stores.copies()).toEqual([]);
  });

  it('gives agents a copy that the versions are built from, one for all of them', async () => {
    const digest = createHash('md5').update('abc').digest('hex');
    const agents = (value: string): string =>
      `model_repository_agents { agents [ { name: "checksum" parameters { key: "MD5:data" value: "${value}" } } ] }`;
    stores.store.write(stored({ ...model('m', agents(digest)), 'm/data': 'abc' }));
    const f = await world.start({ options: { paths: [stores.path('bucket/repo')] } });
    await f.repository.load('m');
    expect(await stores.copies()).toHaveLength(1);
    stores.store.write(stored(model('m', agents('00'))));
    await expect(f.repository.load('m')).rejects.toThrow('failed to poll from model repository');
    expect(f.repository.problemOf('m')?.message).toContain('Mismatched MD5 hash for file data');
    expect(served(f, 'm')).toBe('1');
    expect(await stores.copies()).toHaveLength(1);
    await f.repository.unload('m', { unloadDependents: false });
    await f.repository.settled();
    expect(await stores.copies()).toEqual([]);
  });

  it('refuses a key that would leave the copy', async () => {
    stores.store.write(stored({ ...model('m'), 'm/1/../../../outside': 'x', ...model('n'), 'n/1//x': '' }));
    const f = await world.start({ options: { paths: [stores.path('bucket/repo')] } });
    const errors = errorsOf();
    await expect(f.repository.load('m')).rejects.toThrow("failed to load 'm'");
    await expect(f.repository.load('n')).rejects.toThrow("failed to load 'n'");
    errors.end();
    const root = stores.path('bucket/repo');
    expect(errors.lines.join('\n')).toContain(`Cannot handle item with name '..' at ${root}/m/1`);
    expect(errors.lines.join('\n')).toContain(`Cannot handle item with empty name at ${root}/n/1`);
  });
});

describe('credentials of a store', () => {
  it('6, 7, 8, 21: come from the file, which is read again when they are refused, and are told nobody', async () => {
    stores.store.write(stored(model('m')));
    const root = stores.path('bucket/repo');
    const file = path.join(stores.mount, 'credentials.json');
    const write = (entries: object): Promise<void> => writeFile(file, JSON.stringify({ s3: entries }));
    const key = (id: string): object => ({ key_id: id, secret_key: 'file-secret', region: 'us-east-1' });
    vi.stubEnv('TRITON_CLOUD_CREDENTIAL_PATH', file);
    const texts: string[] = [];
    const end = addLogSink(({ message }) => void texts.push(message));
    setLogSwitches({ verboseLevel: 1 });
    await write({ 's3://elsewhere': key('test-key') });
    const f = await world.start({ options: { paths: [root] } });
    await expect(f.repository.start()).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `Cannot match credential for path  ${root}`,
    });
    const long = root.slice(0, -3);
    await write({ '': key('another-key'), [long]: key('test-key') });
    await f.repository.start();
    expect(texts).toContain(`Using credential  ${long}  for path  ${root}`);
    await f.repository.load('m');
    stores.store.keyId = 'rotated-key';
    stores.store.write(stored({ 'm/1/weights': 'new' }));
    await expect(f.repository.load('m')).rejects.toThrow("failed to load 'm'");
    await write({ '': key('rotated-key') });
    await f.repository.load('m');
    await writeFile(file, '{ "s3": { "": { "secret_key": "file-secret" ');
    stores.store.keyId = 'third-key';
    await expect(f.repository.start()).rejects.toThrow('it is no JSON object');
    end();
    setLogSwitches({ verboseLevel: 0 });
    expect(texts.join('\n')).not.toMatch(/file-secret|very-secret/);
  });
});
