import { afterEach, beforeEach, expect, test } from 'vitest';

import { App } from '../app.tsx';
import { readPastedAddress } from '../engine/page-token.ts';
import { disabledReason, runCommand } from '../lib/command-registry.ts';
import { INITIAL_WORKSPACE, workspace } from '../lib/workspace-store.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, click, render, type, until } from '../testing/render.tsx';

let page: Rendered | undefined;

beforeEach(() => workspace.setState(INITIAL_WORKSPACE, true));
afterEach(() => page?.close());

test('a refused token ends in a page with a field for the right one', async () => {
  const fake = new FakeEngine();
  fake.refusesToken = true;
  page = await render((engine) => <App engine={engine} />, fake);
  const { get, query } = page;
  expect((await until(() => get('token-page'))).textContent).toContain('conch open');
  expect(await accessibilityFaults()).toEqual([]);
  await type(get('token-field'), 'http://127.0.0.1:1/');
  await click(get('token-connect'));
  await until(() => expect(get('token-page').textContent).toContain('no token in this text'));
  fake.refusesToken = false;
  await type(get('token-field'), 'abcdefgh12345678');
  await click(get('token-connect'));
  await until(() => get('models-table'));
  expect(query('token-page')).toBeNull();
  expect(window.localStorage.getItem('conch.token')).toBe('abcdefgh12345678');
});

test('without a server states are the last known ones and their buttons are off', async () => {
  const fake = new FakeEngine();
  page = await render((engine) => <App engine={engine} />, fake);
  const { get } = page;
  await until(() => get('model-row-simple'));
  fake.refusesToken = true;
  fake.disconnect();
  await until(() => get('connection-refused'));
  expect(get('model-state-batch_mlp').textContent).toMatch(/^Last known: Ready/);
  expect(get('btn-unload-batch_mlp').getAttribute('aria-disabled')).toBe('true');
  expect(get('btn-unload-batch_mlp').dataset['tip']).toContain('Not connected');
  const asked = fake.calls.length;
  await click(get('btn-unload-batch_mlp'));
  expect(fake.calls).toHaveLength(asked);
  expect(document.documentElement.hasAttribute('data-offline')).toBe(true);
  expect(get('btn-test-batch_mlp').getAttribute('aria-disabled')).toBe('true');
  expect(disabledReason('model.forceReload', 'batch_mlp')).toContain('Not connected');
  expect(disabledReason('repository.add')).toContain('Not connected');
  expect(runCommand('model.load', 'simple')).toBe(false);
  expect(disabledReason('model.open', 'batch_mlp')).toBeUndefined();
  await click(get('btn-menu-batch_mlp'));
  await until(() => get('menu-open'));
  const off = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')].filter(
    (entry) => entry.getAttribute('aria-disabled') !== 'true',
  );
  expect(off.map(({ dataset }) => dataset['testid'])).toEqual([
    'menu-open',
    'menu-config',
    'menu-reveal',
    'menu-copyName',
  ]);
});

test.each([
  ['http://127.0.0.1:8003/?token=abc', { kind: 'token', token: 'abc' }],
  ['  Window   http://127.0.0.1:8003/?token=abc', { kind: 'token', token: 'abc' }],
  ['http://127.0.0.1:9/?token=abc', { kind: 'elsewhere', url: 'http://127.0.0.1:9/?token=abc' }],
  ['?token=abcdefgh', { kind: 'token', token: 'abcdefgh' }],
  ['abcdefgh', { kind: 'token', token: 'abcdefgh' }],
  ['http://127.0.0.1:8003/', { kind: 'unusable' }],
  ['', { kind: 'unusable' }],
  ['two words', { kind: 'unusable' }],
])('pasted %j is understood', (text, expected) => {
  expect(readPastedAddress(text, 'http://127.0.0.1:8003')).toEqual(expected);
});
