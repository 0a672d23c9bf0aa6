// Python models that hang wherever they can: other models answer meanwhile, what waits for them is told, an unload ends,
// and no process is left.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { needsPython, testPython } from '../../src-main/testing/test-python.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { ACTOR, isRunning, PythonTarget, pythonModel } from '../hostile/python/python-target.ts';

const indented = (text: string): string => `    ${text.replaceAll('\n', '\n    ')}\n`;

/** Writes its process id into a file of the folder that is named after the model, and hangs. */
const hanging = (method: string, file: string): string =>
  ACTOR + indented(`${method}\n    open("${file}", "w").write(str(os.getpid()))\n    time.sleep(600)`);

function modelsIn(folder: string): RepositoryFiles {
  const hangs = (name: string, method: string): RepositoryFiles =>
    pythonModel(name, hanging(method, path.join(folder, name)));
  return {
    ...hangs('begins', 'def initialize(self, args):'),
    ...hangs('completes', '@staticmethod\ndef auto_complete_config(config):'),
    ...hangs('ends', 'def finalize(self):'),
    ...hangs('asks', 'def is_ready(self):'),
    ...pythonModel('runs', ACTOR),
    ...pythonModel('circle_a', ACTOR),
    ...pythonModel('circle_b', ACTOR),
  };
}

const call = (model: string, text: string): string =>
  `return [InferenceRequest(model_name="${model}", requested_output_names=["OUTPUT0"], parameters={"do": ${JSON.stringify(text)}}, inputs=[Tensor("INPUT0", np.ones(2, np.float32))]).exec()]`;

describe.skipIf(testPython() === undefined || process.platform !== 'linux')(
  needsPython('Python models that hang'),
  () => {
    let server: PythonTarget;
    let folder = '';
    beforeAll(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'conch-hangs-'));
      server = await PythonTarget.start(modelsIn(folder));
    });
    afterAll(async () => {
      const pids = await Promise.all(
        (await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')),
      );
      const running = (await Promise.all(pids.map((pid) => isRunning(Number(pid))))).filter(Boolean);
      await server[Symbol.asyncDispose]();
      // Those of the two loads, and the one whose execute goes on: all others are gone by now.
      expect(running).toHaveLength(3);
      await vi.waitFor(async () => {
        for (const pid of pids) expect(await isRunning(Number(pid))).toBe(false);
      });
      await rm(folder, { recursive: true });
    });

    const isServing = async (): Promise<void> => {
      expect(await server.act('bystander', '')).toMatchObject({ status: 200, values: [1, 2] });
    };
    const gone = (model: string) =>
      vi.waitFor(async () => expect(await server.states(model)).toEqual(['UNAVAILABLE']), {
        timeout: 60_000,
        interval: 200,
      });

    test.concurrent('in finalize: the unload ends', async ({ expect: own }) => {
      own(await server.load('ends')).toBe('');
      await server.unload('ends');
      await isServing();
      await gone('ends');
    });

    test.concurrent('in execute: what was accepted has no limit, but the model can be loaded again', async ({
      expect: own,
    }) => {
      own(await server.load('runs')).toBe('');
      const hung = server.act(
        'runs',
        `open("${path.join(folder, 'runs')}", "w").write(str(os.getpid())); time.sleep(600)`,
      );
      hung.catch(() => undefined);
      await vi.waitFor(() => readFile(path.join(folder, 'runs')));
      await isServing();
      await server.unload('runs');
      own(await server.load('runs')).toBe('');
      own(await server.act('runs', '')).toMatchObject({ status: 200, values: [1, 2] });
    });

    test.concurrent('in a circle of calls: both models can be loaded again', async ({ expect: own }) => {
      own(await server.load('circle_a')).toBe('');
      own(await server.load('circle_b')).toBe('');
      const circle = server.act('circle_a', call('circle_b', call('circle_a', 'pass')));
      circle.catch(() => undefined);
      await isServing();
      await server.unload('circle_a');
      await server.unload('circle_b');
      own(await server.load('circle_a')).toBe('');
      own(await server.load('circle_b')).toBe('');
      own(await server.act('circle_a', call('circle_b', ''))).toMatchObject({ status: 200 });
    });

    test.concurrent('in is_ready: it is not ready, and answers', async ({ expect: own }) => {
      own(await server.load('asks')).toBe('');
      const [status] = await server.call('models/asks/ready');
      own(status).toBe(400);
      own((await server.act('asks', '')).status).toBe(200);
      await server.unload('asks');
      await gone('asks');
    });

    test.concurrent.each(['begins', 'completes'])('in the load of a model that %s', async (model) => {
      const loading = server.load(model);
      loading.catch(() => undefined);
      await vi.waitFor(() => readFile(path.join(folder, model)), { timeout: 20_000 });
      await isServing();
    });
  },
);
