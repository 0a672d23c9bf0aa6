// What a server that cannot run prints before it ends, in the order of the reference.

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

import { endlessWorld, ServerProcess } from './served-process.ts';

/** Titles of the tables, and other lines of interest, in the order printed. */
function outline(log: string): readonly string[] {
  const known =
    /^\| (Repository Agent|Backend|Model|Option) +\||Waiting for in-flight|No server context|^error: .*$|E\d{4} .*"Internal: .*"/gm;
  return [...log.matchAll(known)].map(([line, title]) => title ?? line.replace(/^E.*\] /, ''));
}

test('a model that cannot be loaded: all tables, then a stop', async () => {
  await using world = await endlessWorld();
  await mkdir(path.join(world.folder, 'models/broken'));
  await writeFile(path.join(world.folder, 'models/broken/config.pbtxt'), 'max_batch_size: -1');
  await using server = ServerProcess.serve(...world.args);
  expect(await server.ended()).toMatchObject({ code: 1 });
  expect(outline(server.log)).toEqual([
    'Repository Agent',
    'Backend',
    'Model',
    'Option',
    'Waiting for in-flight',
    'error: creating server: Internal - failed to load all models',
  ]);
  expect(server.log).toMatch(/^\| endless \| 1 +\| READY/m);
});

test('with --exit-on-error=false it is said, and what is there is served', async () => {
  await using world = await endlessWorld();
  await mkdir(path.join(world.folder, 'models/broken'));
  await writeFile(path.join(world.folder, 'models/broken/config.pbtxt'), 'max_batch_size: -1');
  await using server = ServerProcess.serve(...world.args, '--exit-on-error=false');
  await server.http();
  expect(outline(server.log)).toEqual([
    'Repository Agent',
    'Backend',
    'Model',
    'Option',
    '"Internal: failed to load all models"',
  ]);
});

test('a repository that is not there: the options alone', async () => {
  await using server = ServerProcess.serve('--model-repository=/nowhere/at/all');
  expect(await server.ended()).toMatchObject({ code: 1 });
  expect(outline(server.log)).toEqual([
    'Option',
    'No server context',
    'error: creating server: Internal - failed to stat file /nowhere/at/all',
  ]);
});

test('an endpoint that cannot start is a record of the log', async () => {
  await using world = await endlessWorld();
  await using server = ServerProcess.serve(...world.args, '--grpc-use-ssl=true');
  expect(await server.ended()).toMatchObject({ code: 1 });
  expect(server.log).toMatch(/^E\d{4} .* "failed to start GRPC service: Unavailable - .*"$/m);
});

test('a server without any endpoint waits for its signal', async () => {
  await using world = await endlessWorld();
  const off = ['http', 'grpc', 'metrics'].map((name) => `--allow-${name}=false`);
  await using server = ServerProcess.serve(...world.args, ...off);
  await expect.poll(() => server.log, { timeout: 20_000 }).toContain('| endless | 1 ');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
});
