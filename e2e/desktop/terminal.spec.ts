// What the terminal in which the app was started does to it: Ctrl+C, and its end, reach all processes of a group.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { expect, test } from '../harness/app-test.ts';
import { sampleFiles, TempRepository } from '../harness/fixture-models.ts';
import { isolatedArguments, newUserDataFolder, removeUserDataFolder } from '../harness/serve-app.ts';

const START = path.resolve(import.meta.dirname, '../../tools/start.mjs');

test('a terminal that closes lets the app unload its models', async () => {
  test.skip(process.platform === 'win32', 'there are no groups of processes');
  test.setTimeout(180_000);
  await using repository = await TempRepository.create(sampleFiles('simple', 'simple'));
  const userDataPath = await newUserDataFolder();
  const args = isolatedArguments(userDataPath, [`--model-repository=${repository.path}`]);
  const started = spawn(process.execPath, [START, ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: path.dirname(process.env['CONCH_ELECTRON'] ?? '') },
  });
  const exited = once(started, 'exit');
  let output = '';
  for (const stream of [started.stdout, started.stderr])
    stream.on('data', (piece: Buffer) => (output += piece.toString()));
  try {
    await expect.poll(() => output, { timeout: 120_000 }).toContain("successfully loaded 'simple'");
    process.kill(-(started.pid ?? 0), 'SIGHUP');
    expect(await exited).toEqual([0, null]);
    expect(output).toContain("successfully unloaded 'simple' version 1");
  } finally {
    if (started.exitCode === null && started.signalCode === null) started.kill('SIGTERM');
    await exited;
    await removeUserDataFolder(userDataPath);
  }
});
