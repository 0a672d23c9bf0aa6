// What a repository in any store must do, over real sockets: serve, follow uploads, load by calls, keep its copies in
// order. Numbers are those of the checklist of the store specification.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { objectStores } from '../../src-main/object-stores/shared-stores.ts';
import { sampleModels } from '../../src-main/samples/sample-repository.ts';
import type { Engine } from '../../src-main/engine.ts';
import { uploadRepository, uploadTarget } from '../../src-main/handover/upload/upload-repository.ts';
import { TempRepository } from '../../src-main/testing/temp-repository.ts';
import { startTestEngine } from '../../src-main/testing/start-test-engine.ts';
import type { Emulator } from './emulators.ts';

const SIMPLE = { inputs: ['INPUT0', 'INPUT1'].map(ofOnes), outputs: [{ name: 'OUTPUT0' }] };

function ofOnes(name: string): object {
  return { name, datatype: 'INT32', shape: [1, 16], data: Array<number>(16).fill(1) };
}

/** The files of the sample `simple` under another name and version. */
function simpleFiles(name: string, version: number): Record<string, string | Uint8Array> {
  const sample = sampleModels().find((model) => model.name === 'simple');
  return Object.fromEntries(
    Object.entries(sample?.files ?? {}).map(([file, content]) => [
      `${name}/${file.replace(/^1\//, `${version}/`)}`,
      typeof content === 'string' ? content.replace(/^name:.*$/m, '') : content,
    ]),
  );
}

async function call(engine: Engine, target: string, body?: object): Promise<Response> {
  return await fetch(`http://127.0.0.1:${engine.ports.http ?? 0}/v2/${target}`, {
    method: 'POST',
    body: JSON.stringify(body ?? {}),
  });
}

async function indexOf(engine: Engine): Promise<unknown> {
  return await (await call(engine, 'repository/index')).json();
}

/** To be called at the top of a test file; `start` undefined tests nothing and says why. */
export function storeScenario(
  title: string,
  start: () => Promise<Emulator | { readonly missing: string }>,
): void {
  describe(title, () => {
    let emulator: Emulator | undefined;
    let missing = '';
    let mount = '';
    beforeEach(async (context) => {
      const started = emulator ?? (await start());
      if ('missing' in started) {
        missing = started.missing;
        context.skip(missing);
        return;
      }
      emulator = started;
      await objectStores.close();
      mount = await mkdtemp(path.join(os.tmpdir(), 'conch-mount-'));
      for (const [name, value] of Object.entries(started.environment)) vi.stubEnv(name, value);
      vi.stubEnv(started.mountVariable, mount);
    });
    afterEach(async () => {
      vi.unstubAllEnvs();
      await rm(mount, { recursive: true, force: true });
    });
    const upload = async (place: string, files: Record<string, string | Uint8Array>): Promise<string> =>
      (await emulator?.upload(place, files)) ?? '';

    it('1, 9: serves from copies, which are gone after the stop', async () => {
      const root = await upload('first', { ...simpleFiles('a', 1), ...simpleFiles('b', 2) });
      await using engine = await startTestEngine(root);
      const answer = await call(engine, 'models/a/infer', SIMPLE);
      expect(await answer.json()).toMatchObject({ outputs: [{ name: 'OUTPUT0', data: Array(16).fill(2) }] });
      expect(await readdir(mount)).toEqual([
        expect.stringMatching(/^folder\w{6}$/),
        expect.stringMatching(/^folder\w{6}$/),
      ]);
      await engine.close();
      expect(await readdir(mount)).toEqual([]);
    });

    it('an uploaded repository serves, and only what was changed is written again', async () => {
      await upload('uploaded/other', { 'kept.txt': 'x' });
      const root = await upload('uploaded', {});
      const files = { ...simpleFiles('a', 1), 'empty/1/': '' };
      const repository = await TempRepository.create(files);
      const run = async (): Promise<readonly string[]> => {
        const target = uploadTarget(root, objectStores);
        const signal = AbortSignal.timeout(60_000);
        const options = { prune: true, isDry: false, signal };
        return (await uploadRepository(repository.path, root, target, options)).puts.map(({ name }) => name);
      };
      const first = await run();
      expect([first.length, first.at(-1)]).toEqual([3, 'a/config.pbtxt']);
      expect(await run()).toEqual([]);
      await repository.write({ 'a/1/note.txt': 'new' });
      expect(await run()).toEqual(['a/1/note.txt']);
      expect((await objectStores.listAll(root)).map(({ name }) => name)).toEqual([
        'a/1/model.onnx',
        'a/1/note.txt',
        'a/config.pbtxt',
        'empty/1/',
      ]);
      await repository.close();
      await using engine = await startTestEngine(root, {
        repository: { controlMode: 'explicit', startupModels: ['a'] },
      });
      const answer = await call(engine, 'models/a/infer', SIMPLE);
      expect(await answer.json()).toMatchObject({ outputs: [{ name: 'OUTPUT0', data: Array(16).fill(2) }] });
    });

    it('11: follows uploads in mode poll', async () => {
      const root = await upload('second', simpleFiles('a', 3));
      await using engine = await startTestEngine(root, { repository: { controlMode: 'poll', pollSec: 1 } });
      expect(await indexOf(engine)).toMatchObject([{ name: 'a', version: '3', state: 'READY' }]);
      await upload('second', simpleFiles('a', 4));
      await vi.waitFor(
        async () =>
          expect(await indexOf(engine)).toMatchObject([
            { name: 'a', version: '3', state: 'UNAVAILABLE', reason: 'unloaded' },
            { name: 'a', version: '4', state: 'READY' },
          ]),
        { timeout: 60_000, interval: 500 },
      );
    });

    it('14: loads, unloads and loads again by calls', async () => {
      const root = await upload('third', simpleFiles('a', 1));
      await using engine = await startTestEngine(root, { repository: { startupModels: [] } });
      expect((await call(engine, 'repository/models/a/load')).status).toBe(200);
      expect((await call(engine, 'models/a/infer', SIMPLE)).status).toBe(200);
      expect((await call(engine, 'repository/models/a/unload')).status).toBe(200);
      await vi.waitFor(async () => expect(await readdir(mount)).toEqual([]), { timeout: 60_000 });
      expect((await call(engine, 'repository/models/a/load')).status).toBe(200);
      const refused = await call(engine, 'repository/models/none/load');
      expect(await refused.text()).toContain("failed to load 'none', failed to poll from model repository");
    });

    it('5: copies more than a page of objects', async () => {
      const parts = Array.from({ length: 1200 }, (_, at) => [`a/1/part-${at}`, 'x']);
      const root = await upload('fourth', { ...simpleFiles('a', 1), ...Object.fromEntries(parts) });
      await using engine = await startTestEngine(root);
      const [copy = ''] = await readdir(mount);
      expect(await readdir(path.join(mount, copy, '1'))).toHaveLength(1201);
      expect(await indexOf(engine)).toMatchObject([{ name: 'a', state: 'READY' }]);
    });

    it('starts with no folder as it does without one on a disk', async () => {
      const root = await upload('fifth', simpleFiles('a', 1));
      await expect(startTestEngine(`${root}/none`)).rejects.toThrow(
        'repository path is not a valid directory',
      );
    });
  });
}
