// What signals do to a server besides stopping it.

import { describe, expect, test } from 'vitest';

import { endlessWorld, occupy, ServerProcess } from './served-process.ts';

describe.skipIf(process.platform === 'win32')('a signal', () => {
  test('SIGUSR1 ends a server; no debugger is opened', async () => {
    await using world = await endlessWorld();
    await using server = ServerProcess.serve(...world.args);
    await server.http();
    expect(await server.kill('SIGUSR1')).toMatchObject({ code: null, signal: 'SIGUSR1' });
    expect(server.log).not.toContain('Debugger');
  });

  test('SIGUSR2 does nothing', async () => {
    await using world = await endlessWorld();
    await using server = ServerProcess.serve(...world.args);
    const http = await server.http();
    process.kill(server.pid, 'SIGUSR2');
    expect((await fetch(`http://${http}/v2/health/live`)).status).toBe(200);
    expect(await server.kill('SIGTERM')).toMatchObject({ code: 0, signal: null });
  });

  test('to stop, while a server stops already, is told and changes nothing', async () => {
    await using world = await endlessWorld();
    await using server = ServerProcess.serve(...world.args, '--exit-timeout-secs=2');
    await occupy(await server.http());
    process.kill(server.pid, 'SIGINT');
    await server.printed(/Signal \(2\) received\./);
    expect(await server.kill('SIGTERM')).toMatchObject({ code: 1, signal: null });
    expect(server.log).toMatch(/Signal \(2\) received\.[^]*Signal \(15\) received\./);
  });
});
