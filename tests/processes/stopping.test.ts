// A server ends when it is told to, within its exit timeout, whatever its models do; and with whoever started it.

import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import {
  conchProgram,
  endlessWorld,
  enginePid,
  hasGone,
  infer,
  occupy,
  serveArguments,
  ServerProcess,
} from './served-process.ts';

/** Between its exit timeout and this a server has to be gone. */
const LATE_MS = 15_000;
/** A parent gives an engine that does not answer this much more. */
const GRACE_MS = 5000;

const isWindows = process.platform === 'win32';

describe.skipIf(isWindows)('the exit timeout', () => {
  test('ends a server whose model never leaves native code, with exit code 1', async () => {
    await using world = await endlessWorld();
    await using server = ServerProcess.serve(...world.args, '--exit-timeout-secs=1');
    const http = await server.http();
    expect(await infer(http, 1)).toBe(200);
    await occupy(http);
    const ended = await server.kill('SIGTERM');
    expect(ended).toMatchObject({ code: 1, signal: null });
    expect(ended.afterMs).toBeGreaterThan(900);
    expect(ended.afterMs).toBeLessThan(1000 + LATE_MS);
    expect(server.log).toContain('Signal (15) received.');
    expect(server.log).toContain("Model 'endless' (version 1) has 1 in-flight inferences");
    expect(server.log).toContain(
      'failed to stop server: Internal - Exit timeout expired. Exiting immediately.',
    );
  });

  test('of less than nothing is none: an idle server ends well', async () => {
    await using world = await endlessWorld();
    await using server = ServerProcess.serve(...world.args, '--exit-timeout-secs=-5');
    await server.http();
    expect(await server.kill('SIGTERM')).toMatchObject({ code: 0, signal: null });
  });

  test('holds below the parent too, and the parent says the same exit code', async () => {
    await using world = await endlessWorld();
    await using server = ServerProcess.serve(...world.args, '--ui', '--ui-port=0', '--exit-timeout-secs=1');
    await occupy(await server.http());
    const engine = enginePid(server.pid);
    const ended = await server.kill('SIGTERM');
    expect(ended).toMatchObject({ code: 1, signal: null });
    expect(ended.afterMs).toBeLessThan(1000 + LATE_MS);
    expect(await hasGone(engine, 100)).toBe(true);
  });

  test('and a grace are all that a hung engine gets', async () => {
    await using world = await endlessWorld();
    await using server = ServerProcess.serve(...world.args, '--ui', '--ui-port=0', '--exit-timeout-secs=1');
    await server.http();
    const engine = enginePid(server.pid);
    process.kill(engine, 'SIGSTOP');
    const ended = await server.kill('SIGTERM');
    expect(ended).toMatchObject({ code: 1, signal: null });
    expect(ended.afterMs).toBeLessThan(1000 + GRACE_MS + LATE_MS);
    expect(await hasGone(engine, 100)).toBe(true);
    expect(server.log).toContain('conch: the engine did not end within 6 s; ending it by force');
  });
});

describe.skipIf(isWindows)('a server started by npm', () => {
  const serve = (args: readonly string[]): string =>
    [process.execPath, conchProgram, ...serveArguments(...args)].map((word) => `'${word}'`).join(' ');

  test.each([
    ['SIGTERM', []],
    ['SIGKILL', []],
    ['SIGTERM', ['--ui', '--ui-port=0']],
  ] as const)('ends after npm got %s (%j)', async (signal, more) => {
    await using world = await endlessWorld();
    const scripts = { serve: serve([...world.args, ...more]) };
    await writeFile(path.join(world.folder, 'package.json'), JSON.stringify({ name: 'x', scripts }));
    await using npm = new ServerProcess('npm', ['run', 'serve'], { cwd: world.folder });
    const http = await npm.http();
    const server = Number(execFileSync('pgrep', ['-n', '-f', `main.ts serve .*${world.folder}/models`]));
    await npm.kill(signal);
    expect(await hasGone(server, 10_000)).toBe(true);
    expect(await infer(http, 1)).toBeUndefined();
    expect(npm.log).toContain('the program that started this server has ended; stopping');
  });

  test('and put into the background on purpose stays', async () => {
    await using world = await endlessWorld();
    const scripts = { serve: `setsid ${serve(world.args)} & sleep 60` };
    await writeFile(path.join(world.folder, 'package.json'), JSON.stringify({ name: 'x', scripts }));
    await using npm = new ServerProcess('npm', ['run', 'serve'], { cwd: world.folder });
    const http = await npm.http();
    const server = Number(execFileSync('pgrep', ['-n', '-f', `main.ts serve .*${world.folder}/models`]));
    try {
      await npm.kill('SIGTERM');
      expect(await hasGone(server, 2500)).toBe(false);
      expect(await infer(http, 1)).toBe(200);
    } finally {
      process.kill(server, 'SIGKILL');
    }
  });
});
