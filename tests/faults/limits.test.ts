// What the system refuses: ports that are taken, descriptors that are used up, memory that is not there; clocks that
// jump, and signals in the middle of traffic.

import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import net from 'node:net';
import { describe, expect, test, vi } from 'vitest';

import { floatTensor } from '../../src-main/onnx/onnx-writer.ts';
import { graphModel, value } from '../../src-main/testing/onnx-test-models.ts';
import { TempRepository } from '../../src-main/testing/temp-repository.ts';
import { echo } from '../conformance/checklist/checklist-models.ts';
import {
  conchProgram,
  enginePid,
  hasGone,
  pause,
  serveArguments,
  ServerProcess,
} from '../processes/served-process.ts';
import { CheckedClients, ready } from './checked-clients.ts';

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const isLinux = process.platform === 'linux';

/** A server that a shell starts, after a limit was set. */
function limited(limit: string, ...args: readonly string[]): ServerProcess {
  const words = [process.execPath, conchProgram, ...serveArguments(...args)].map((word) => `'${word}'`);
  return new ServerProcess('bash', ['-c', `${limit}; exec ${words.join(' ')}`]);
}

test('a port that is taken is named, and the server ends', async () => {
  await using repository = await TempRepository.create(echo('m', 'INT32', [-1]));
  const other = net.createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as net.AddressInfo;
  await using server = ServerProcess.serve(`--model-repository=${repository.path}`, `--http-port=${port}`);
  expect(await server.ended()).toMatchObject({ code: 1 });
  expect(server.log).toMatch(
    new RegExp(`${port}.*(?:in use|EADDRINUSE)|(?:in use|EADDRINUSE).*${port}`, 'i'),
  );
  other.close();
});

describe.skipIf(!isLinux)('limits of the system', () => {
  test('no descriptors left: connections wait or end, and are served again afterwards', async () => {
    await using repository = await TempRepository.create(echo('m', 'INT32', [-1]));
    await using server = limited('ulimit -n 140', `--model-repository=${repository.path}`);
    const address = await server.http();
    await ready(address, 'm');
    const clients = new CheckedClients(() => address, 'm', { count: 3 });
    await clients.answered(20);
    const sockets = Array.from({ length: 300 }, () => {
      const socket = net.connect(Number(address.split(':')[1]), '127.0.0.1');
      socket.on('error', () => undefined);
      return socket;
    });
    await pause(1500);
    await clients.answered(20);
    for (const socket of sockets) socket.destroy();
    // Until the server has closed its ends, a new connection may still be ended at once.
    await vi.waitFor(() => expect(readdirSync(`/proc/${server.pid}/fd`).length).toBeLessThan(100), {
      timeout: 20_000,
    });
    const late = new CheckedClients(() => address, 'm', { count: 3 });
    await late.answered(50);
    const [before, after] = await Promise.all([clients.stop(), late.stop()]);
    expect([before.wrong, after.wrong, after.cut, [...after.errors]]).toEqual([[], [], 0, []]);
    expect(server.child.exitCode).toBe(null);
  });

  test('a model that asks for more memory than there may be fails alone', async () => {
    await using repository = await TempRepository.create({
      ...echo('m', 'INT32', [-1]),
      'big/1/model.onnx': graphModel(
        [{ opType: 'Expand', inputs: ['one', 'SIZE'], outputs: ['OUTPUT'] }],
        [value('SIZE', 'INT64', [1])],
        [value('OUTPUT', 'FP32', [-1])],
        { initializers: [floatTensor('one', [1], [1])] },
      ),
    });
    await using server = limited(`ulimit -v ${60 * 1024 * 1024}`, `--model-repository=${repository.path}`);
    const address = await server.http();
    await ready(address, 'm');
    const clients = new CheckedClients(() => address, 'm', { count: 3 });
    const body = JSON.stringify({
      inputs: [{ name: 'SIZE', datatype: 'INT64', shape: [1], data: [20_000_000_000] }],
    });
    for (let round = 0; round < 3; round += 1) {
      const answer = await fetch(`http://${address}/v2/models/big/infer`, { method: 'POST', body });
      expect([answer.status, await answer.text()]).toEqual([
        expect.any(Number),
        expect.stringMatching(/"error":".*(?:alloc|memory)/i),
      ]);
    }
    await clients.answered(50);
    const counts = await clients.stop();
    expect([counts.wrong, counts.cut, [...counts.errors]]).toEqual([[], 0, []]);
  });

  test.skipIf(!existsSync(FAKETIME))('a clock that jumps a day either way changes no answer', async () => {
    await using repository = await TempRepository.create(echo('m', 'INT32', [-1]));
    const file = repository.at('clock');
    await writeFile(file, '+0');
    const fake = `export LD_PRELOAD=${FAKETIME} FAKETIME_TIMESTAMP_FILE=${file} FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1`;
    await using server = limited(
      fake,
      `--model-repository=${repository.path}`,
      '--model-control-mode=explicit',
      '--load-model=m',
    );
    const address = await server.http();
    await ready(address, 'm');
    const clients = new CheckedClients(() => address, 'm');
    for (const jump of ['+1d', '-1d', '+0', '+400d', '-30d']) {
      await writeFile(file, jump);
      await clients.answered(100);
      await pause(300);
    }
    const counts = await clients.stop();
    expect([counts.wrong, counts.cut, [...counts.errors]]).toEqual([[], 0, []]);
    const metrics = await server.printed(/Started Metrics Service at ([^"\s]+)/);
    expect(await (await fetch(`http://${metrics}/metrics`)).text()).not.toMatch(/ -\d/);
  });
});

describe.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s in traffic',
  (signal) => {
    test.each([[[]], [['--ui', '--ui-port=0']]])('%j', async (more) => {
      await using repository = await TempRepository.create(echo('m', 'INT32', [-1]));
      await using data = await TempRepository.create();
      const args = [`--model-repository=${repository.path}`, `--user-data=${data.path}`, ...more];
      await using server = ServerProcess.serve(...args);
      const address = await server.http();
      await ready(address, 'm');
      const clients = new CheckedClients(() => address, 'm');
      await clients.answered(100);
      const engine = more.length === 0 ? server.pid : enginePid(server.pid);
      const ended = await server.kill(signal);
      expect(await hasGone(engine, 10_000)).toBe(true);
      const counts = await clients.stop();
      expect(counts.wrong).toEqual([]);
      if (signal !== 'SIGHUP') expect(ended).toMatchObject({ code: 0, signal: null });
    });
  },
);
