// The window's port as a browser and as an attacker see it.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';

import type { Channel } from '../../../src-shared/rpc/channel.ts';
import { socketChannel } from '../../../src-shared/rpc/socket-channel.ts';
import type { WireMessage } from '../../../src-shared/rpc/wire.ts';
import { StaticFiles } from './static-files.ts';
import { UiServer } from './ui-server.ts';
import { UploadStore } from './upload-store.ts';

let folder: string;
let server: UiServer;
let base: string;
let channels: Channel[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-ui-'));
  await mkdir(path.join(folder, 'page', 'assets'), { recursive: true });
  await writeFile(path.join(folder, 'page', 'index.html'), '<title>page</title>');
  await writeFile(path.join(folder, 'page', 'assets', 'a-1.js'), 'export {};');
  await writeFile(path.join(folder, 'secret.txt'), 'secret');
  channels = [];
  server = new UiServer({
    address: '127.0.0.1',
    token: 'right',
    files: await StaticFiles.open(path.join(folder, 'page')),
    uploads: new UploadStore(folder),
    onChannel: (channel) => channels.push(channel),
  });
  base = `http://127.0.0.1:${await server.listen([0])}`;
});

afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** `fetch` may set neither Host nor Origin; an attacker's client may. */
function statusWith(headers: Record<string, string>, pathname = '/'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${base}${pathname}`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.once('error', reject).end();
  });
}

function openSocket(query: string, headers: Record<string, string> = {}): Promise<WebSocket | string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${base.replace('http', 'ws')}/rpc${query}`, { headers });
    socket.once('open', () => resolve(socket));
    socket.once('error', (error) => resolve(error.message));
  });
}

test('the page comes with a strict content policy', async () => {
  const response = await fetch(`${base}/?token=right`);
  expect(await response.text()).toBe('<title>page</title>');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'self'");
  expect(policy).toContain(`connect-src 'self' ${base.replace('http', 'ws')}`);
  expect(policy).not.toContain('unsafe-eval');
  expect(response.headers.get('cache-control')).toBe('no-cache');
});

test('hashed assets are cached for good', async () => {
  const response = await fetch(`${base}/assets/a-1.js`);
  expect(response.headers.get('cache-control')).toContain('immutable');
  expect(response.headers.get('content-type')).toContain('text/javascript');
});

test('texts are sent compressed to those who take it', async () => {
  const text = 'const word = 1;\n'.repeat(500);
  await writeFile(path.join(folder, 'page', 'assets', 'b-1.js'), text);
  const files = await StaticFiles.open(path.join(folder, 'page'));
  const other = new UiServer({
    address: '127.0.0.1',
    token: 't',
    files,
    uploads: new UploadStore(folder),
    onChannel: () => undefined,
  });
  const url = `http://127.0.0.1:${await other.listen([0])}/assets/b-1.js`;
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', null],
  ] as const) {
    const response = await fetch(url, { headers: { 'accept-encoding': accepted } });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toBe('accept-encoding');
    expect(await response.text()).toBe(text);
    if (encoding !== null) expect(Number(response.headers.get('content-length'))).toBeLessThan(200);
  }
  await other.close();
});

test('what the build has compressed already is sent as it is, and is no file of its own', async () => {
  const assets = path.join(folder, 'page', 'assets');
  await writeFile(path.join(assets, 'c-1.js'), 'export const written = 1;');
  await writeFile(path.join(assets, 'c-1.js.br'), brotliCompressSync('export const packed = 1;'));
  const files = await StaticFiles.open(path.join(folder, 'page'));
  const uploads = new UploadStore(folder);
  const other = new UiServer({
    address: '127.0.0.1',
    token: 't',
    files,
    uploads,
    onChannel: () => undefined,
  });
  const url = `http://127.0.0.1:${await other.listen([0])}/assets/c-1.js`;
  const textFor = async (accepted: string): Promise<string> =>
    (await fetch(url, { headers: { 'accept-encoding': accepted } })).text();
  expect(await textFor('br')).toBe('export const packed = 1;');
  // Other forms are made of what is held, which is the compressed one.
  expect(await textFor('gzip')).toBe('export const packed = 1;');
  expect((await fetch(`${url}.br`)).status).toBe(404);
  await other.close();
});

test('a build that is replaced or removed meanwhile is served as it was at the start', async () => {
  const assets = path.join(folder, 'page', 'assets');
  await writeFile(path.join(assets, 'plain-1.js'), 'export {};');
  await writeFile(path.join(assets, 'packed-1.js'), 'export const packed = 1;');
  await writeFile(path.join(assets, 'packed-1.js.br'), brotliCompressSync('export const packed = 1;'));
  const files = await StaticFiles.open(path.join(folder, 'page'));
  const uploads = new UploadStore(folder);
  const other = new UiServer({
    address: '127.0.0.1',
    token: 't',
    files,
    uploads,
    onChannel: () => undefined,
  });
  const page = `http://127.0.0.1:${await other.listen([0])}`;
  const before = await (await fetch(page)).text();
  await rm(assets, { recursive: true });
  await writeFile(path.join(folder, 'page', 'index.html'), 'the page of another build');
  expect(await (await fetch(page)).text()).toBe(before);
  for (const accepted of ['identity', 'gzip', 'br']) {
    for (const [name, text] of [
      ['plain-1.js', 'export {};'],
      ['packed-1.js', 'export const packed = 1;'],
    ] as const) {
      const response = await fetch(`${page}/assets/${name}`, { headers: { 'accept-encoding': accepted } });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-encoding')).toBe(accepted === 'identity' ? null : accepted);
      expect(await response.text()).toBe(text);
    }
  }
  const head = await fetch(`${page}/assets/packed-1.js`, {
    method: 'HEAD',
    headers: { 'accept-encoding': 'identity' },
  });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '24']);
  await other.close();
});

test('a page can ask whether its token is the right one', async () => {
  const ask = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${base}/session`, { headers })).status;
  expect(await ask({ authorization: 'Bearer right' })).toBe(204);
  expect(await ask({ authorization: 'Bearer wrong' })).toBe(401);
  expect(await ask({})).toBe(401);
});

test.each(['/../secret.txt', '/..%2fsecret.txt', '/assets/', '/nothing'])(
  '%s is not found',
  async (pathname) => {
    expect(await statusWith({}, pathname)).toBe(404);
  },
);

test.each([
  [{ host: 'evil.example' }, 403],
  [{ origin: 'http://evil.example' }, 403],
  [{ origin: 'null' }, 403],
  [{ host: 'app.localhost:1' }, 200],
  [{}, 200],
])('request with %j answers %i', async (headers, status) => {
  expect(await statusWith(headers)).toBe(status);
});

test('the contract needs token and same origin', async () => {
  expect(await openSocket('')).toContain('401');
  expect(await openSocket('?token=wrong')).toContain('401');
  expect(await openSocket('?token=right', { origin: 'http://evil.example' })).toContain('403');
  expect(channels).toHaveLength(0);
  const socket = await openSocket('?token=right', { origin: base });
  expect(socket).toBeInstanceOf(WebSocket);
  (socket as WebSocket).close();
});

test('messages pass both ways, and closing the server closes the channel', async () => {
  const socket = (await openSocket('?token=right')) as WebSocket;
  const page = socketChannel(socket as never);
  const engine = channels[0] as Channel;
  const hello: WireMessage = { type: 'hello', version: 1 };
  const received = new Promise((resolve) => engine.onMessage(resolve));
  page.send(hello);
  expect(await received).toEqual(hello);
  const answered = new Promise((resolve) => page.onMessage(resolve));
  engine.send({ type: 'reply', id: 1, result: 2 });
  expect(await answered).toEqual({ type: 'reply', id: 1, result: 2 });
  const closed = new Promise<void>((resolve) => engine.onClose(resolve));
  await server.close();
  await closed;
});

test('an upload goes on where it stopped', async () => {
  const headers = { authorization: 'Bearer right' };
  const created = await fetch(`${base}/upload`, { method: 'POST', headers });
  const { upload, path: uploadPath } = (await created.json()) as { upload: string; path: string };
  const url = `${base}/upload/${upload}?path=${encodeURIComponent('m/1/model.onnx')}`;
  const patch = (offset: string, body: string) =>
    fetch(url, { method: 'PATCH', headers: { ...headers, 'upload-offset': offset }, body });
  expect((await patch('0', 'abc')).headers.get('upload-offset')).toBe('3');
  expect((await patch('0', 'abc')).status).toBe(409);
  expect((await fetch(url, { method: 'HEAD', headers })).headers.get('upload-offset')).toBe('3');
  expect((await patch('3', 'def')).status).toBe(204);
  expect(await readFile(path.join(uploadPath, 'm', '1', 'model.onnx'), 'utf8')).toBe('abcdef');
  expect((await fetch(`${base}/upload/${upload}`, { method: 'DELETE', headers })).status).toBe(204);
  await expect(readFile(path.join(uploadPath, 'm', '1', 'model.onnx'))).rejects.toThrow('ENOENT');
});

test.each([['../x'], ['/etc/passwd'], ['a//b'], ['a\\b'], ['']])(
  'an upload cannot write to %j',
  async (name) => {
    const headers = { authorization: 'Bearer right', 'upload-offset': '0' };
    const created = await fetch(`${base}/upload`, { method: 'POST', headers });
    const { upload } = (await created.json()) as { upload: string };
    const url = `${base}/upload/${upload}?path=${encodeURIComponent(name)}`;
    expect((await fetch(url, { method: 'PATCH', headers, body: 'x' })).status).toBe(409);
  },
);

test('an upload needs the token', async () => {
  expect((await fetch(`${base}/upload`, { method: 'POST' })).status).toBe(401);
  const headers = { authorization: 'Bearer wrong' };
  expect((await fetch(`${base}/upload/../../x`, { method: 'DELETE', headers })).status).toBe(404);
  expect((await fetch(`${base}/upload/x`, { method: 'DELETE', headers })).status).toBe(401);
});

test('a taken port falls through to the next one', async () => {
  const second = new UiServer({
    address: '127.0.0.1',
    token: 't',
    files: await StaticFiles.open(path.join(folder, 'page')),
    uploads: new UploadStore(folder),
    onChannel: () => undefined,
  });
  const taken = Number(new URL(base).port);
  await expect(second.listen([taken])).rejects.toThrow(`Socket '127.0.0.1:${taken}' already in use`);
  expect(await second.listen([taken, 0])).not.toBe(taken);
  await second.close();
});
