import { afterEach, beforeEach, expect, test } from 'vitest';

import { App } from './app.tsx';
import { address, modelAddress } from './lib/address.ts';
import { INITIAL_WORKSPACE, open, workspace } from './lib/workspace-store.ts';
import { FakeEngine } from './testing/fake-engine.ts';
import type { Rendered } from './testing/render.tsx';
import { accessibilityFaults, click, press, render, type, until } from './testing/render.tsx';

let page: Rendered | undefined;

beforeEach(() => workspace.setState(INITIAL_WORKSPACE, true));
afterEach(() => page?.close());

async function start(fake = new FakeEngine()): Promise<Rendered> {
  page = await render((engine) => <App engine={engine} />, fake);
  await until(() => page?.get('models-table'));
  return page;
}

test('every model has a row with its state in text', async () => {
  const { get } = await start();
  await until(() => get('model-row-simple'));
  expect(get('model-state-batch_mlp').dataset['state']).toBe('ready');
  expect(get('model-state-broken_dims').textContent).toContain('Failed');
  expect(get('model-reason-broken_dims').textContent).toContain('The dimensions of INPUT0');
  expect(get('model-state-bert_reranker').dataset['state']).toBe('degraded');
  expect(get('model-state-image_tiny').textContent).toContain('files changed on disk');
  expect(get('model-reason-text_bytes').textContent).toContain('instance 1 of 2');
  expect(get('model-reason-detector_fil').textContent).toContain('backend "fil"');
  expect(get('status-ready').textContent).toBe('Ready 5 of 9');
});

test('loading and unloading by click goes through the engine and shows the result', async () => {
  const { get, fake } = await start();
  await click(await until(() => get('btn-load-simple')));
  await until(() => expect(get('model-state-simple').dataset['state']).toBe('ready'));
  await until(() => get('toast-success'));
  await click(get('btn-unload-simple'));
  await until(() => expect(get('model-state-simple').dataset['state']).toBe('unloaded'));
  expect(fake.argsOf('repository/load')).toEqual([{ model: 'simple' }]);
});

test('a load can be cancelled while it runs', async () => {
  const fake = new FakeEngine();
  let aborted = false;
  fake.overrides['repository/load'] = (_args, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        aborted = true;
        reject(signal.reason as Error);
      });
    });
  const { get } = await start(fake);
  await click(await until(() => get('btn-load-simple')));
  await click(await until(() => get('btn-cancel-simple')));
  await until(() => expect(aborted).toBe(true));
  await until(() => get('btn-load-simple'));
});

test('unloading a step of a loaded ensemble asks first', async () => {
  const { get, fake } = await start();
  await click(await until(() => get('btn-unload-batch_mlp')));
  expect((await until(() => get('confirm'))).textContent).toContain('pipeline');
  await click(get('confirm-all'));
  await until(() =>
    expect(fake.argsOf('repository/unload')).toEqual([
      { model: 'pipeline', unloadDependents: false },
      { model: 'batch_mlp', unloadDependents: false },
    ]),
  );
});

test('keys work in the list: arrows move, L loads, Enter opens', async () => {
  const { get, fake } = await start();
  const first = await until(() => get('model-row-accumulate'));
  first.focus();
  await press(first, 'End');
  await until(() => expect(document.activeElement).toBe(get('model-row-text_bytes')));
  await press(get('model-row-text_bytes'), 'ArrowUp');
  await until(() => expect(document.activeElement).toBe(get('model-row-simple')));
  await press(get('model-row-simple'), 'l');
  await until(() => expect(fake.argsOf('repository/load')).toEqual([{ model: 'simple' }]));
  await press(get('model-row-simple'), 'Enter');
  await until(() => get('model-view-simple'));
});

test('a failed model shows the original text and a fix that writes, reloads and can be undone', async () => {
  const { get, fake } = await start();
  open(modelAddress('broken_dims'));
  const original = await until(() => get('failure-original-broken_dims'));
  expect(original.textContent).toBe(
    fake.snapshot.models.find(({ name }) => name === 'broken_dims')?.failure?.original,
  );
  await click(get('failure-fix-D21'));
  await until(() => expect(fake.argsOf('config/write')).toHaveLength(1));
  await until(() => expect(fake.argsOf('repository/load')).toEqual([{ model: 'broken_dims' }]));
});

test('a stopped server is said in the list, the switch and the status bar, and can be started', async () => {
  const { get, fake } = await start();
  fake.changeServer({ state: 'stopped' });
  const banner = await until(() => get('banner-stopped'));
  expect(get('status-server').dataset['state']).toBe('stopped');
  await click(banner.querySelector('button') as HTMLElement);
  await until(() => expect(get('status-server').dataset['state']).toBe('serving'));
});

test('a lost connection is said, and comes back by itself with fresh state', async () => {
  const { get, query, fake } = await start();
  fake.isDown = true;
  fake.disconnect();
  await until(() => get('connection-lost'));
  fake.isDown = false;
  fake.snapshot = { ...fake.snapshot, models: fake.snapshot.models.slice(0, 2) };
  await until(() => expect(query('connection-lost')).toBeNull());
  await until(() => expect(query('model-row-simple')).toBeNull());
});

test('a taken port names its holder and offers free ones', async () => {
  const { get, fake } = await start();
  fake.changeServer({
    state: 'port-problem',
    portConflict: {
      port: 8000,
      holder: 'python (pid 4242)',
      holderCommand: 'python -m http.server 8000',
      freePorts: [8010, 8011, 8012],
    },
  });
  const dialog = await until(() => get('port-conflict'));
  expect(dialog.textContent).toContain('Port 8000 is used by python (pid 4242)');
  await click(get('port-use-free'));
  await until(() =>
    expect(fake.argsOf('server/start')).toEqual([{ ports: { http: 8010, grpc: 8011, metrics: 8012 } }]),
  );
});

test('the palette lists commands with the reason when they cannot run, and runs them', async () => {
  const { get, fake } = await start();
  await until(() => get('model-row-simple'));
  await press(window, 'P', { ctrlKey: true, shiftKey: true, code: 'KeyP' });
  const palette = await until(() => get('palette'));
  await type(palette.querySelector('input') as HTMLElement, 'load batch_mlp');
  expect((await until(() => get('palette-item-model.load batch_mlp'))).textContent).toContain(
    'Already loaded',
  );
  await type(palette.querySelector('input') as HTMLElement, 'load simple');
  await click(await until(() => get('palette-item-model.load simple')));
  await until(() => expect(fake.argsOf('repository/load')).toEqual([{ model: 'simple' }]));
});

test('tabs, panel and theme survive a restart', async () => {
  const fake = new FakeEngine();
  const first = await start(fake);
  await until(() => first.get('model-row-simple'));
  open(modelAddress('simple', 'versions'));
  workspace.setState({ isBottomOpen: true, bottomTab: 'tasks' });
  await until(() => expect([...fake.layouts.values()].join()).toContain('wb://models/simple/versions'));
  await first.close();
  workspace.setState(INITIAL_WORKSPACE, true);
  page = await render((engine) => <App engine={engine} />, fake);
  await until(() => page?.get('model-versions'));
  expect(page.get('bottom-panel')).toBeDefined();
});

test('in a low window the panel covers the view, until something is opened', async () => {
  const wide = window.matchMedia;
  window.matchMedia = (query) => ({ ...wide(query), matches: query.includes('max-height') });
  try {
    const { get } = await start();
    await until(() => get('model-row-simple'));
    expect(get('models-view').closest('[inert]')).toBeNull();
    await press(window, 'j', { ctrlKey: true, code: 'KeyJ' });
    const panel = await until(() => get('bottom-panel'));
    expect(panel.closest('#rows')).toBeNull();
    expect(get('models-view').closest('[inert]')).not.toBeNull();
    open(modelAddress('simple', 'versions'));
    await until(() => expect(get('model-versions').closest('[inert]')).toBeNull());
    expect(document.querySelector('[data-testid="bottom-panel"]')).toBeNull();
  } finally {
    window.matchMedia = wide;
  }
});

test('without a repository the welcome page opens', async () => {
  const fake = new FakeEngine();
  fake.snapshot = { repositories: [], models: [], isScanning: false };
  page = await render((engine) => <App engine={engine} />, fake);
  await until(() => page?.get('first-run'));
});

test('while repositories are being opened the welcome page stays away', async () => {
  const fake = new FakeEngine();
  const { repositories } = fake.snapshot;
  fake.snapshot = { repositories: [], models: [], isScanning: true };
  page = await render((engine) => <App engine={engine} />, fake);
  await until(() => page?.get('models-view'));
  expect([page.query('first-run'), page.query('models-table')]).toEqual([null, null]);
  fake.publish('repository/list', { repositories, isScanning: false });
  await until(() => page?.get('models-table'));
  expect(page.query('first-run')).toBeNull();
});

test.each([
  ['models', address('models'), 'model-row-simple'],
  ['a model', modelAddress('batch_mlp'), 'scheduling-sentence'],
  ['a failed model', modelAddress('broken_dims'), 'failure-broken_dims'],
  ['versions', modelAddress('batch_mlp', 'versions'), 'model-versions'],
  ['logs of a model', modelAddress('batch_mlp', 'logs'), 'log-filter'],
  ['server', address('server'), 'server-endpoints'],
  ['settings', address('settings', { tab: 'appearance' }), 'setting-appearance.theme'],
  ['shortcuts', address('settings', { tab: 'shortcuts' }), 'shortcut-palette.open'],
  ['welcome', address('first-run'), 'first-run'],
])('no serious accessibility fault: %s', async (_name, target, testId) => {
  const { get } = await start();
  open(target);
  workspace.setState({ isBottomOpen: true, bottomTab: 'problems', isInspectorOpen: true });
  await until(() => get(testId));
  expect(await accessibilityFaults()).toEqual([]);
});

test('no serious accessibility fault: import wizard', async () => {
  const { get } = await start();
  await press(window, 'O', { ctrlKey: true, shiftKey: true, code: 'KeyO' });
  await click(await until(() => get('picker-entry-mobilenet.onnx')));
  await click(get('picker-choose'));
  await until(() => get('wizard-config-preview'));
  expect(await accessibilityFaults()).toEqual([]);
});
