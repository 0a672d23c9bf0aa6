// A hosted app as the process above it starts it: what settings do to the listeners.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { channelPair } from '../../../src-shared/rpc/channel.ts';
import { RpcClient } from '../../../src-shared/rpc/rpc-client.ts';
import type { FromEngine, OpenWork, StartMessage } from '../supervision/engine-messages.ts';
import { CHECK_AGENT, checkEndpoint } from './endpoint-check.ts';
import { HostedApp } from './hosted-app.ts';

let userDataPath: string;
let sent: FromEngine[];

beforeEach(async () => {
  userDataPath = await mkdtemp(path.join(os.tmpdir(), 'conch-app-'));
  sent = [];
});
afterEach(() => rm(userDataPath, { recursive: true }));

async function createApp(
  settings: object,
  work?: OpenWork,
  repository = ['--no-repository'],
): Promise<HostedApp> {
  await writeFile(path.join(userDataPath, 'settings.json'), JSON.stringify(settings));
  const start: StartMessage = {
    type: 'start',
    args: ['--ui', ...repository, '--http-port=0', '--grpc-port=0', '--metrics-port=0'],
    userDataPath,
    token: 'token',
    ports: {},
    work,
    quarantined: [],
    leftOut: [],
    isCareful: false,
    crashes: [],
  };
  return HostedApp.create(start, {}, (message) => sent.push(message));
}

const announced = () => sent.flatMap((message) => (message.type === 'listening' ? [message.ports] : []));

test('an app that was told to wait opens no port until somebody starts the server', async () => {
  const app = await createApp({ 'general.startAtLaunch': false });
  await app.start();
  expect(announced()).toEqual([{ http: undefined, grpc: undefined, metrics: undefined, ui: undefined }]);
  const { http } = await app.server.engine.openListeners();
  expect((await fetch(`http://127.0.0.1:${http}/v2/health/live`)).status).toBe(200);
  expect(announced().at(-1)?.http).toBe(http);
  await app.stop();
});

test('after a restart it serves again', async () => {
  const app = await createApp(
    { 'general.startAtLaunch': false },
    { repositories: [], loaded: [], unloaded: [] },
  );
  await app.start();
  expect(announced().at(-1)?.http).toBeGreaterThan(0);
  await app.stop();
});

test('settings of tracing and of repositories are what the server says of itself', async () => {
  const app = await createApp({
    'server.traceLevel': 'TIMESTAMPS',
    'server.traceRate': 7,
    'server.traceFile': path.join(userDataPath, 'trace.json'),
    'experimental.modelNamespacing': true,
  });
  await app.start();
  const { http } = app.server.engine.ports;
  const answer = await fetch(`http://127.0.0.1:${http}/v2/trace/setting`);
  expect(await answer.json()).toMatchObject({
    trace_level: ['TIMESTAMPS'],
    trace_rate: '7',
    trace_file: path.join(userDataPath, 'trace.json'),
  });
  expect(app.options.engine.repository.namespacing).toBe(true);
  await app.stop();
});

test('each endpoint is asked as a client would, and one that is gone says why', async () => {
  const app = await createApp({});
  await app.start();
  const { ports } = app.server.engine;
  const check = (kind: 'http' | 'grpc' | 'metrics', isTls = false) =>
    checkEndpoint({ kind, address: `127.0.0.1:${ports[kind]}`, isTls });
  const answers = await Promise.all([check('http'), check('grpc'), check('metrics'), check('grpc', true)]);
  expect(answers.map(({ kind, isOk, message }) => [kind, isOk, message])).toEqual([
    ['http', true, undefined],
    ['grpc', true, undefined],
    ['metrics', true, undefined],
    ['grpc', true, undefined],
  ]);
  expect(app.server.engine.clients.every(({ userAgent }) => userAgent.startsWith(CHECK_AGENT))).toBe(true);
  const gone = ports.http ?? 0;
  await app.stop();
  const after = await checkEndpoint({ kind: 'http', address: `127.0.0.1:${gone}`, isTls: false });
  expect(after).toMatchObject({ isOk: false, message: expect.stringContaining('ECONNREFUSED') as string });
});

test('a repository that was switched off stays off over a restart, and a command line that names it has the say', async () => {
  const root = path.join(userDataPath, 'models');
  await mkdir(root);
  const named = [`--model-repository=${root}`];
  const app = await createApp({}, undefined, named);
  await app.start();
  const { folders } = app.server.engine.repository;
  await folders.setEnabled(root, false);
  folders.setWatched(root, false);
  await app.stop();

  const work = { repositories: [root], loaded: [], unloaded: [] };
  const restarted = await createApp({}, work, named);
  expect(restarted.server.engine.repository.folders.switches).toEqual({
    disabled: [root],
    unwatched: [root],
    untrusted: [],
  });
  expect(restarted.server.engine.repository.roots).toEqual([]);
  await restarted.stop();
  const anew = await createApp({}, undefined, named);
  expect(anew.server.engine.repository.roots).toEqual([root]);
  await anew.stop();
});

test('a page that comes before the repositories are open is told that they are being opened', async () => {
  const root = path.join(userDataPath, 'models');
  await mkdir(root);
  const app = await createApp({}, undefined, [`--model-repository=${root}`]);
  const [page, here] = channelPair();
  app.attach(here);
  const client = new RpcClient(page);
  expect(await client.call('repository/snapshot', {})).toMatchObject({ repositories: [], isScanning: true });
  const listed = new Promise((resolve) => client.subscribe('repository/list', resolve));
  await app.start();
  expect(await listed).toMatchObject({ repositories: [{ path: root }], isScanning: false });
  page.close();
  await app.stop();
});
