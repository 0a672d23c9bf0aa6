// Starting, stopping and restarting the server, what is asked while requests are in flight, and what depends on a start.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { unavailable } from '../../src-shared/errors.ts';
import type { ActionPage } from '../testing/action-page.tsx';
import { actionPage } from '../testing/action-page.tsx';
import { FakeEngine } from '../testing/fake-engine.ts';
import type { FakeShell } from '../testing/fake-shell.ts';
import { installShell } from '../testing/fake-shell.ts';
import { fakeSample, fakeServer } from '../testing/fake-views.ts';
import { until } from '../testing/render.tsx';
import { beStrictAboutGpus } from './gpu-policy.ts';
import {
  endpointOf,
  endpointUrl,
  exportDiagnostics,
  isRunning,
  restartServer,
  startServer,
  stopServer,
} from './server-actions.ts';

let page: ActionPage;
let fake: FakeEngine;
let shell: FakeShell | undefined;

beforeEach(() => {
  fake = new FakeEngine();
});
afterEach(async () => {
  vi.useRealTimers();
  shell?.remove();
  shell = undefined;
  await page.close();
});

async function start(inFlight: number): Promise<void> {
  fake.overrides['observe/sample'] = () => fakeSample(1_000_000, { inFlight });
  page = await actionPage(fake);
  await until(() => expect(page.engine.state.samples.getState().server?.inFlight).toBe(inFlight));
}

test('a server with nothing to do stops at once, and the window knows', async () => {
  await start(0);
  expect(await stopServer(page.engine)).toBe(true);
  expect(page.engine.state.server.getState().view?.state).toBe('stopped');
});

test('requests in flight are asked about with their number; the safe answer keeps the server running', async () => {
  await start(12);
  const kept = stopServer(page.engine);
  expect(await page.answer('cancel')).toContain('12 requests are being worked on');
  expect(await kept).toBe(false);
  expect(fake.argsOf('server/stop')).toEqual([]);
  const stopped = stopServer(page.engine);
  await page.answer('stop');
  expect(await stopped).toBe(true);
});

test('a restart asks the same, and tells why it did not happen', async () => {
  await start(1);
  const kept = restartServer(page.engine);
  expect(await page.answer('cancel')).toContain('1 request is being worked on');
  await kept;
  expect(fake.argsOf('server/restart')).toEqual([]);
  fake.overrides['server/restart'] = () => {
    throw unavailable('another one is going on');
  };
  const failed = restartServer(page.engine);
  await page.answer('stop');
  await failed;
  await page.told('error', 'another one is going on');
});

test('a start sends the ports that were chosen, and none when none were', async () => {
  await start(0);
  await startServer(page.engine);
  await startServer(page.engine, { http: 9000, grpc: 9001, metrics: 9002 });
  expect(fake.argsOf('server/start')).toEqual([{}, { ports: { http: 9000, grpc: 9001, metrics: 9002 } }]);
});

test('a start and a stop that fail are told, and the view stays', async () => {
  await start(0);
  const before = page.engine.state.server.getState().view;
  fake.overrides['server/start'] = () => {
    throw unavailable('port 8000 is in use');
  };
  fake.overrides['server/stop'] = () => {
    throw unavailable('not now');
  };
  await startServer(page.engine);
  await page.told('error', 'port 8000 is in use');
  expect(await stopServer(page.engine)).toBe(false);
  await page.told('error', 'not now');
  expect(page.engine.state.server.getState().view).toBe(before);
});

test('addresses of endpoints as clients write them', async () => {
  await start(0);
  const view = fakeServer();
  expect(endpointUrl(endpointOf(view, 'http'))).toBe('http://127.0.0.1:8000');
  expect(endpointUrl(endpointOf(view, 'grpc'))).toBe('127.0.0.1:8001');
  expect(endpointUrl(endpointOf(view, 'metrics'))).toBe('http://127.0.0.1:8002/metrics');
  expect(endpointUrl(endpointOf(view, 'ui'))).toBeUndefined();
  expect(endpointOf(undefined, 'http')).toBeUndefined();
  const off = { ...view.endpoints[0], address: undefined } as (typeof view.endpoints)[number];
  expect(endpointUrl(off)).toBeUndefined();
  expect(isRunning(undefined)).toBe(false);
  expect(
    (['serving', 'starting', 'stopped', 'stopping'] as const).map((state) => isRunning({ ...view, state })),
  ).toEqual([true, true, false, false]);
});

test('diagnostics become a file with the time in its name, without what file systems refuse', async () => {
  await start(0);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 4, 4, 12, 5, 9) });
  fake.overrides['server/diagnostics'] = () => ({ json: '{"a":1}' });
  shell = installShell({ 'shell/saveText': () => ({ path: '' }) });
  await exportDiagnostics(page.engine);
  const name = 'conch-diagnostics-2026-05-04T120509.json';
  expect(shell.calls[0]?.args).toEqual({ title: name, defaultName: name, text: '{"a":1}' });
  fake.overrides['server/diagnostics'] = () => {
    throw unavailable('no diagnostics');
  };
  await exportDiagnostics(page.engine);
  await page.told('error', 'no diagnostics');
});

test('being strict names the models it would stop, and waits for the next start when that is wanted', async () => {
  await start(0);
  const later = beStrictAboutGpus(page.engine);
  expect(await page.answer('later')).toContain('bert_reranker runs on the CPU now');
  await later;
  expect(fake.argsOf('settings/write')).toEqual([{ changes: { 'server.gpuPolicy': 'strict' } }]);
  expect(fake.argsOf('server/restart')).toEqual([]);
  await page.told('info', 'From the next start of the server on');
});

test('being strict now restarts the server; thinking better of it writes nothing', async () => {
  await start(0);
  const closed = beStrictAboutGpus(page.engine);
  await page.answer('cancel');
  await closed;
  expect(fake.argsOf('settings/write')).toEqual([]);
  const now = beStrictAboutGpus(page.engine);
  await page.answer('now');
  await now;
  expect(fake.argsOf('server/restart')).toHaveLength(1);
});

test('a policy of the command line outranks the setting, which is said instead of asked', async () => {
  fake.settings = {
    ...fake.settings,
    settings: fake.settings.settings.map((setting) =>
      setting.key === 'server.gpuPolicy' ? { ...setting, flag: 'gpu-policy' } : setting,
    ),
  };
  await start(0);
  await beStrictAboutGpus(page.engine);
  await page.told('warning', 'The server was started with --gpu-policy');
  expect(page.query('strict-dialog')).toBeNull();
});
