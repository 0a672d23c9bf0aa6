// No room left: what is written is whole or not there, what failed is said, and serving goes on. On a small file system
// of its own, for which the tests have to run as root on Linux.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { WindowCaller } from '../../tools/attack/window-caller.ts';
import { ServerProcess } from '../processes/served-process.ts';
import { CheckedClients, ready } from './checked-clients.ts';

const CONFIG = `backend: "identity"
input { name: "INPUT0" data_type: TYPE_INT32 dims: [ -1 ] } output { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ -1 ] }
`;

/** A request as the playground keeps it. */
const SAVED = {
  ...{ model: 'm', version: '', protocol: 'http-json', id: '', priority: 0, timeoutUs: 0, parameters: {} },
  outputs: [],
  inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1], source: { kind: 'values', values: ['7'] } }],
};

/** Whether this user may mount. */
function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const inside = 'mount -t tmpfs -o size=64k none /mnt && umount /mnt';
  return spawnSync('unshare', ['-m', 'sh', '-c', inside]).status === 0;
}

const FULL = 'no space is left on the disk';

describe.skipIf(!canMount())('a full disk (skipped where nothing can be mounted)', () => {
  let small: string;
  let server: ServerProcess;
  let address: string;
  let page: WindowCaller;

  beforeAll(async () => {
    small = await mkdtemp(path.join(os.tmpdir(), 'conch-full-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'none', small]);
    await mkdir(path.join(small, 'models/m/1'), { recursive: true });
    await writeFile(path.join(small, 'models/m/config.pbtxt'), CONFIG);
    server = ServerProcess.serve(
      ...[`--model-repository=${small}/models`, `--user-data=${small}/data`, '--ui', '--ui-port=0'],
      ...[`--log-file=${small}/log.txt`, `--trace-config=triton,file=${small}/trace.json`],
      ...[
        '--trace-config=rate=1',
        '--trace-config=level=TIMESTAMPS',
        '--trace-config=triton,log-frequency=5',
      ],
    );
    address = await server.printed(/HTTP +http:\/\/(\S+)/);
    const [, port = '', token = ''] = /Window +http:\/\/[^:]+:(\d+)\/\?token=(\S+)/.exec(server.log) ?? [];
    page = await WindowCaller.open(Number(port), token);
    await page.call('settings/write', { changes: { 'logs.verboseLevel': 0 } });
    await ready(address, 'm');
    fill(small);
  });
  afterAll(async () => {
    page.close();
    await server[Symbol.asyncDispose]();
    execFileSync('umount', ['-l', small]);
    await rm(small, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  test('requests are answered right, although neither log nor trace can be written', async () => {
    const clients = new CheckedClients(() => address, 'm');
    await clients.answered(300);
    const counts = await clients.stop();
    expect([counts.wrong, counts.cut, [...counts.errors]]).toEqual([[], 0, []]);
  });

  test('a configuration that cannot be saved stays as it was, and the window is told', async () => {
    const read = await page.call('config/read', { model: 'm' });
    const { hash } = read.result as { readonly hash: string };
    const text = `${CONFIG}${'# a long comment\n'.repeat(9000)}`;
    const answer = await page.call('config/write', { model: 'm', text, expectedHash: hash });
    expect(answer.error?.message).toBe(
      `'config.pbtxt' could not be written: no space is left on the disk of ${small}/models/m`,
    );
    expect(await readFile(path.join(small, 'models/m/config.pbtxt'), 'utf8')).toBe(CONFIG);
    expect((await readdir(path.join(small, 'models/m'))).sort()).toEqual(['1', 'config.pbtxt']);
  });

  test('settings, layouts and requests that cannot be kept are refused in words, and nothing is left half', async () => {
    const before = await readdir(path.join(small, 'data'));
    const settings = await page.call('settings/read', {});
    const answers = await Promise.all([
      page.call('settings/write', { changes: { 'logs.verboseLevel': 3 } }),
      page.call('playground/save', { id: '', name: 'kept', request: SAVED, withExpectation: false }),
      page.call('settings/writeLayout', { key: 'k', json: JSON.stringify('x'.repeat(50_000)) }),
      page.call('repository/createFromConfig', {
        repository: `${small}/models`,
        name: 'new',
        text: '# x\n'.repeat(100_000),
      }),
      page
        .call('repository/duplicateModel', { model: 'm', newName: 'copy' })
        .then(() => ({ error: { message: FULL } })),
    ]);
    for (const { error } of answers) expect(error?.message).toContain(FULL);
    expect(await readdir(path.join(small, 'models'))).not.toContain('new');
    expect((await readdir(path.join(small, 'data'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(before.length).toBeGreaterThan(0);
    expect((await page.call('settings/read', {})).result).toEqual(settings.result);
    expect((await page.call('playground/savedList', { model: 'm' })).result).toEqual([]);
  });

  test('an upload that finds no room says so', async () => {
    const [, port = '', token = ''] = /Window +http:\/\/[^:]+:(\d+)\/\?token=(\S+)/.exec(server.log) ?? [];
    const headers = { authorization: `Bearer ${token}` };
    const made = await fetch(`http://127.0.0.1:${port}/upload`, { method: 'POST', headers });
    const { upload } = (await made.json()) as { readonly upload: string };
    const sent = await fetch(`http://127.0.0.1:${port}/upload/${upload}?path=a.bin`, {
      method: 'PATCH',
      headers: { ...headers, 'upload-offset': '0' },
      body: new Uint8Array(500_000),
    });
    expect(sent.status).toBeGreaterThanOrEqual(400);
    expect(await sent.text()).toContain(`'a.bin' could not be written: ${FULL}`);
  });

  test('with room again everything is as before', async () => {
    await rm(path.join(small, 'filler'));
    const read = await page.call('config/read', { model: 'm' });
    const { hash } = read.result as { readonly hash: string };
    const text = `${CONFIG}# saved\n`;
    const answer = await page.call('config/write', { model: 'm', text, expectedHash: hash });
    expect(answer.error).toBeUndefined();
    expect(await readFile(path.join(small, 'models/m/config.pbtxt'), 'utf8')).toBe(text);
  });
});

/** Takes all room that is left. */
function fill(folder: string): void {
  spawnSync('dd', ['if=/dev/zero', `of=${folder}/filler`, 'bs=1k', 'count=9999'], { stdio: 'ignore' });
}
