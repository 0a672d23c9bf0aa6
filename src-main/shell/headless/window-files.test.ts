// The token that browsers keep, and `conch open`, with a window's port of their own.

import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { runOpen } from './open-command.ts';
import { StaticFiles } from './static-files.ts';
import { UiServer } from './ui-server.ts';
import { UploadStore } from './upload-store.ts';
import { forgetWindowAddress, keptToken, readWindowAddress, writeWindowAddress } from './window-files.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-window-files-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function open(args: readonly string[] = []) {
  const said = { printed: '', failed: '', opened: [] as string[] };
  const exitCode = await runOpen([`--user-data=${folder}`, ...args], {
    print: (text) => (said.printed += text),
    printError: (text) => (said.failed += text),
    openBrowser: (address) => said.opened.push(address),
  });
  return { exitCode, ...said };
}

test('the token stays the same over restarts, for its owner only', async () => {
  const user = path.join(folder, 'new');
  const token = await keptToken(user);
  expect(token).toMatch(/^[\w-]{32}$/);
  expect(await keptToken(user)).toBe(token);
  if (process.platform !== 'win32') {
    expect((await stat(path.join(user, 'window-token'))).mode & 0o777).toBe(0o600);
  }
});

test.each(['', 'short', 'not a token but as long as one is'])(
  'a damaged token %j is replaced',
  async (text) => {
    await writeFile(path.join(folder, 'window-token'), text, { mode: 0o644 });
    const token = await keptToken(folder);
    expect(token).not.toBe(text);
    expect((await readFile(path.join(folder, 'window-token'), 'utf8')).trim()).toBe(token);
    if (process.platform !== 'win32') {
      expect((await stat(path.join(folder, 'window-token'))).mode & 0o777).toBe(0o600);
    }
  },
);

test('a server forgets only its own address', async () => {
  await writeWindowAddress(folder, 'http://127.0.0.1:1/?token=a');
  await writeWindowAddress(folder, 'http://127.0.0.1:2/?token=a');
  await forgetWindowAddress(folder, 'http://127.0.0.1:1/?token=a');
  expect(await readWindowAddress(folder)).toBe('http://127.0.0.1:2/?token=a');
  await forgetWindowAddress(folder, 'http://127.0.0.1:2/?token=a');
  expect(await readWindowAddress(folder)).toBeUndefined();
});

test('conch open finds the running window, and says when there is none', async () => {
  expect(await open()).toMatchObject({ exitCode: 1, opened: [], printed: '' });
  await mkdir(path.join(folder, 'page'));
  await writeFile(path.join(folder, 'page', 'index.html'), '<title>page</title>');
  const server = new UiServer({
    address: '127.0.0.1',
    token: await keptToken(folder),
    files: await StaticFiles.open(path.join(folder, 'page')),
    uploads: new UploadStore(folder),
    onChannel: () => undefined,
  });
  const address = `http://127.0.0.1:${await server.listen([0])}/?token=${await keptToken(folder)}`;
  await writeWindowAddress(folder, address);
  expect(await open()).toEqual({ exitCode: 0, printed: `${address}\n`, failed: '', opened: [address] });
  expect(await open(['--print'])).toMatchObject({ exitCode: 0, opened: [] });
  await server.close();
  const gone = await open();
  expect(gone.exitCode).toBe(1);
  expect(gone.failed).toContain('conch serve --ui');
  expect((await open(['--what'])).failed).toContain('Usage: conch open');
});
