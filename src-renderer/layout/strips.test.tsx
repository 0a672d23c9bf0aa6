// What stands above the screens when the server process is lost, has crashed or stops, and what the user can do about it.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { useServer } from '../engine/engine-context.tsx';
import { address } from '../lib/address.ts';
import { activeTab, INITIAL_WORKSPACE, open, useWorkspace, workspace } from '../lib/workspace-store.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import { fakeModel } from '../testing/fake-models.ts';
import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, until } from '../testing/render.tsx';
import { ConnectionStrip } from './connection-strip.tsx';
import { CrashStrip } from './crash-strip.tsx';
import { StoppingStrip } from './stopping-strip.tsx';

let fake: FakeEngine;
let page: Rendered;

beforeEach(() => {
  workspace.setState(INITIAL_WORKSPACE, true);
  fake = new FakeEngine();
});
afterEach(() => page.close());

/** In a second, so that it is later than the opening of the window whatever the clock's grain. */
const crash = (detail: string, atMs = Date.now() + 1000) => ({ atMs, detail, model: undefined });

function button(label: string): HTMLElement {
  const found = [...page.get('banner-crashed').querySelectorAll<HTMLElement>('button')];
  const one = found.find(({ textContent }) => textContent === label);
  if (one === undefined) throw new Error(`no '${label}' but ${found.map((b) => b.textContent).join()}`);
  return one;
}

test('while connected there is no strip', async () => {
  page = await renderWithHosts(<ConnectionStrip />, fake);
  await until(() => expect(fake.calls.length).toBeGreaterThan(0));
  expect(page.query('connection-lost')).toBeNull();
  expect(page.query('connection-connecting')).toBeNull();
});

test('a lost server is told with its time, and forgotten when it is back', async () => {
  page = await renderWithHosts(<ConnectionStrip />, fake);
  await until(() => expect(fake.calls.length).toBeGreaterThan(0));
  fake.isDown = true;
  fake.disconnect();
  await until(() => expect(page.get('connection-lost').textContent).toMatch(/\d\d:\d\d/));
  expect(await accessibilityFaults()).toEqual([]);
  fake.isDown = false;
  await until(() => expect(page.query('connection-lost')).toBeNull());
});

test('a server with another token is asked for by its address, in a dialog that can be left', async () => {
  page = await renderWithHosts(<ConnectionStrip />, fake);
  await until(() => expect(fake.calls.length).toBeGreaterThan(0));
  fake.refusesToken = true;
  fake.disconnect();
  await until(() => page.get('connection-refused'));
  expect(page.query('token-field')).toBeNull();
  await click(page.get('connection-enter'));
  await until(() => page.get('token-field'));
  expect(await accessibilityFaults()).toEqual([]);
});

test('a crash from before the window was opened is not told again', async () => {
  fake.server = { ...fake.server, crashes: [crash('signal SIGSEGV', Date.now() - 60_000)] };
  page = await renderWithHosts(<CrashStrip />, fake);
  await until(() => expect(fake.calls.some(({ name }) => name === 'server/view')).toBe(true));
  expect(page.query('banner-crashed')).toBeNull();
});

test('a crash is told with its cause and with what is loaded again, until it was seen', async () => {
  fake.snapshot = { ...fake.snapshot, models: [fakeModel('simple', { state: 'ready' })] };
  page = await renderWithHosts(<CrashStrip />, fake);
  fake.changeServer({ crashes: [crash('signal SIGSEGV')] });
  fake.change('simple', { state: 'loading' });
  await until(() => expect(page.get('banner-crashed').textContent).toContain('signal SIGSEGV'));
  await until(() => expect(page.get('banner-crashed').textContent).toContain('1 model is loading again.'));
  fake.change('simple', { state: 'ready' });
  await until(() => expect(page.get('banner-crashed').textContent).not.toContain('loading again'));
  await click(button('Close'));
  expect(page.query('banner-crashed')).toBeNull();
});

test('the next crash is told although an earlier one was seen', async () => {
  page = await renderWithHosts(<CrashStrip />, fake);
  const first = crash('signal SIGSEGV');
  fake.changeServer({ crashes: [first] });
  await until(() => page.get('banner-crashed'));
  await click(button('Close'));
  fake.changeServer({ crashes: [first, crash('exit code 5', first.atMs + 1)] });
  await until(() => expect(page.get('banner-crashed').textContent).toContain('exit code 5'));
});

test('its buttons lead to the report and to the log', async () => {
  page = await renderWithHosts(<CrashStrip />, fake);
  fake.changeServer({ crashes: [crash('exit code 5')] });
  await until(() => page.get('banner-crashed'));
  await click(button('Logs'));
  expect(workspace.getState()).toMatchObject({ isBottomOpen: true, bottomTab: 'logs' });
  await click(button('Crash report'));
  expect(workspace.getState().tabs.some(({ address }) => address.area === 'server')).toBe(true);
});

test('on the Server screen, which tells it itself, there is no strip; nor afterwards, as it was seen there', async () => {
  open(address('server'));
  const Shown = () => {
    const area = useWorkspace((state) => activeTab(state)?.address.area);
    return <p data-testid="shown">{`${useServer((view) => view?.crashes.length)} on ${area}`}</p>;
  };
  page = await renderWithHosts([<CrashStrip key="strip" />, <Shown key="shown" />], fake);
  const first = crash('exit code 5');
  fake.changeServer({ crashes: [first] });
  await until(() => expect(page.get('shown').textContent).toBe('1 on server'));
  expect(page.query('banner-crashed')).toBeNull();
  open(address('models'));
  await until(() => expect(page.get('shown').textContent).toBe('1 on models'));
  expect(page.query('banner-crashed')).toBeNull();
  fake.changeServer({ crashes: [first, crash('exit code 6', first.atMs + 1)] });
  await until(() => expect(page.get('banner-crashed').textContent).toContain('exit code 6'));
});

test('a stop that waits for requests says so above every screen, and can be cut short there', async () => {
  page = await renderWithHosts(<StoppingStrip />, fake);
  await until(() => expect(fake.calls.length).toBeGreaterThan(0));
  expect(page.query('banner-stopping')).toBeNull();
  fake.changeServer({ state: 'stopping', exitTimeoutSec: 12 });
  const strip = await until(() => page.get('banner-stopping'));
  expect(strip.textContent).toContain('Stopping. Waiting for 12 requests to finish, at most 12 s.');
  expect(await accessibilityFaults()).toEqual([]);
  await click(page.get('strip-stop-now'));
  await until(() => expect(fake.argsOf('server/stopNow')).toHaveLength(1));
  open(address('server'));
  await until(() => expect(page.query('banner-stopping')).toBeNull());
});
