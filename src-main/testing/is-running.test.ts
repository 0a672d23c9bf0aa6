import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

import { isRunning } from './is-running.ts';

test.skipIf(process.platform !== 'linux')(
  'a process that ended and that nobody buries does not run',
  async () => {
    // The shell becomes `sleep`, which never asks about the child that the shell started before.
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const child = Number(line.toString());
      expect([parent.pid ?? 0, child].map(isRunning)).toEqual([true, true]);
      // As long as it is a shell, it may ask.
      await expect.poll(() => readFile(`/proc/${parent.pid ?? 0}/comm`, 'utf8')).toBe('sleep\n');
      process.kill(child, 'SIGKILL');
      await expect.poll(() => isRunning(child)).toBe(false);
      // It is still listed.
      expect(process.kill(child, 0)).toBe(true);
      const ended = once(parent, 'exit');
      parent.kill('SIGKILL');
      await ended;
      expect(isRunning(parent.pid ?? 0)).toBe(false);
    } finally {
      parent.kill('SIGKILL');
    }
  },
);
