import { afterEach, expect, test, vi } from 'vitest';

import { ConfirmHost } from '../../ui/confirm.tsx';
import { address } from '../../lib/address.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { FAKE_REPOSITORY } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderView, type, until } from '../../testing/render.tsx';
import { ServerScreen } from './server-view.tsx';

let page: Rendered | undefined;

afterEach(() => page?.close());

async function start(fake = new FakeEngine()): Promise<Rendered> {
  page = await renderView(
    <>
      <ServerScreen address={address('server')} />
      <ConfirmHost />
    </>,
    fake,
  );
  await until(() => page?.get('server-view'));
  return page;
}

test('what keeps the server from being ready is listed in plain words, with those of the server behind them', async () => {
  const fake = new FakeEngine();
  fake.server = {
    ...fake.server,
    notReady: [...fake.server.notReady, { model: 'gone', reason: 'failed to stat file' }],
  };
  const { get } = await start(fake);
  const list = get('not-ready-list');
  await until(() =>
    expect(list.textContent).toContain('broken_dims The dimensions of INPUT0 include the batch dimension'),
  );
  expect(list.querySelector('[title]')?.getAttribute('title')).toBe('unexpected shape for INPUT0');
  expect(list.textContent).toContain('text_bytes is being loaded');
  // Of one that is not known here there are no other words.
  expect(list.textContent).toContain('gone failed to stat file');
});

test('a stop says what it waits for and for how long, and can be cut short', async () => {
  const fake = new FakeEngine();
  fake.server = { ...fake.server, state: 'stopping', exitTimeoutSec: 12 };
  const { get } = await start(fake);
  expect(get('server-stopping').textContent).toContain('at most 12 s');
  await click(get('server-stop-now'));
  await until(() => expect(fake.argsOf('server/stopNow')).toHaveLength(1));
});

test('clients are listed with what they are and what failed', async () => {
  const { get } = await start();
  const table = await until(() => get('server-clients-table'));
  expect(table.textContent).toContain('grpc-python/1.71.0');
  expect(table.textContent).toContain('none sent');
});

test('each endpoint says how fast it answers and how much it is asked, or why it does not', async () => {
  const fake = new FakeEngine();
  const { get } = await start(fake);
  await until(() => expect(get('endpoint-state-http').textContent).toContain('Answers in 1.2 ms'));
  expect(get('endpoint-rate-http').textContent).toBe('212 requests/s');
  fake.overrides['server/check'] = () => [{ kind: 'grpc', isOk: false, tookUs: 9, message: 'refused' }];
  await click(get('endpoints-check'));
  await until(() => expect(get('endpoint-state-grpc').dataset['state']).toBe('failed'));
  expect(get('endpoint-state-grpc').textContent).toBe('Does not answer: refused');
});

test('a repository can be switched off, and the watch taken off it', async () => {
  const fake = new FakeEngine();
  fake.overrides['repository/switch'] = () => undefined;
  const { get } = await start(fake);
  await click(get(`repository-enable-${FAKE_REPOSITORY}`));
  await until(() => expect(fake.argsOf('repository/switch')).toHaveLength(1));
  await click(get(`repository-watch-${FAKE_REPOSITORY}`));
  await until(() => expect(fake.argsOf('repository/switch')).toHaveLength(2));
  expect(fake.argsOf('repository/switch')).toEqual([
    { path: FAKE_REPOSITORY, isEnabled: false },
    { path: FAKE_REPOSITORY, isWatched: false },
  ]);
});

test('a port that this user may not open is explained, and the server can be tried again', async () => {
  const fake = new FakeEngine();
  const error = 'failed to start HTTP service: Unavailable - listen EACCES: permission denied 127.0.0.1:80';
  const endpoints = fake.server.endpoints.map((endpoint) => ({ ...endpoint, isListening: false, error }));
  fake.server = { ...fake.server, state: 'port-problem', endpoints };
  const { get } = await start(fake);
  expect(get('banner-port').textContent).toContain('permission denied 127.0.0.1:80');
  expect(get('banner-port').textContent).toContain('below 1024');
  await click(get('banner-port').querySelector('button') as HTMLElement);
  await until(() => expect(fake.argsOf('server/start')).toHaveLength(1));
});

test('every crash of the session is listed, the last one first', async () => {
  const fake = new FakeEngine();
  const crash = (atMs: number, detail: string, model: string) => ({ atMs, detail, model });
  fake.server = { ...fake.server, crashes: [crash(1, 'exit 1', 'bert'), crash(2, 'signal SIGSEGV', '')] };
  const { get } = await start(fake);
  expect(get('banner-crash').textContent).toContain('signal SIGSEGV');
  expect(get('crash-list').textContent).toContain('exit 1, while bert was in use');
});

test('the screen can be used without seeing it', async () => {
  await start();
  await until(() => page?.get('server-clients-table'));
  expect(await accessibilityFaults()).toEqual([]);
});

test('an imported command that opens the server to the network is asked about first', async () => {
  const { get, fake } = await start();
  fake.overrides['settings/importCommand'] = () => ({
    changes: { 'server.address': '0.0.0.0' },
    repositories: ['/more/models'],
    ignored: ['--http-thread-count=4'],
  });
  await click(get('import-command'));
  await type(await until(() => get('import-command-text')), 'tritonserver --http-address=0.0.0.0');
  const dialog = get('import-command-dialog');
  await until(() => expect(dialog.textContent).toContain('Bind address: 0.0.0.0'));
  for (const line of ['/more/models', '--http-thread-count=4']) expect(dialog.textContent).toContain(line);
  expect(fake.argsOf('settings/importCommand')).toEqual([{ text: 'tritonserver --http-address=0.0.0.0' }]);
  const apply = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Apply');
  await click(apply as HTMLElement);
  await until(() =>
    expect(document.body.textContent).toContain('Anyone on your network could send requests'),
  );
  expect(fake.argsOf('settings/write')).toEqual([]);
});

test('settings that wait for a restart are named above everything else', async () => {
  const fake = new FakeEngine();
  const settings = fake.settings.settings.map((setting) =>
    setting.key === 'server.httpPort' ? { ...setting, value: 9000, isPending: true } : setting,
  );
  fake.settings = { ...fake.settings, settings };
  const { get } = await start(fake);
  expect((await until(() => get('banner-restart'))).textContent).toContain('HTTP port');
});

test('the address of its card shows where a Python is chosen, also when the server is told later', async () => {
  const shown: (string | null)[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    shown.push(this.querySelector('[data-testid]')?.getAttribute('data-testid') ?? null);
  });
  page = await renderView(<ServerScreen address={address('server', { tab: 'python' })} />, new FakeEngine());
  await until(() => expect(shown).toEqual(['python-card']));
  vi.restoreAllMocks();
});

test('Python programs are listed with what they miss; another one is chosen, or made after a question', async () => {
  const fake = new FakeEngine();
  const { get } = await start(fake);
  const programs = await until(() => {
    const found = [...get('python-card').querySelectorAll('[data-testid=python-program]')];
    expect(found).toHaveLength(2);
    return found;
  });
  expect(programs[0]?.textContent).toContain('has no numpy, which Python models need');
  expect(programs[0]?.querySelector('button')).toBeNull();
  expect(programs[1]?.textContent).toContain('made by Conch · With numpy 2.4.0');
  const own = '/home/ada/.config/conch/python/bin/python3';
  await click(programs[1]?.querySelector('button') as HTMLElement);
  await until(() =>
    expect(fake.argsOf('settings/write')).toEqual([{ changes: { 'server.pythonExecutable': own } }]),
  );
  await click(get('python-set-up'));
  const question = await until(() => get('python-ask'));
  expect(question.textContent).toContain('installs numpy');
  expect(question.textContent).toContain('/home/ada/.config/conch/python');
  expect(fake.argsOf('python/setUp')).toHaveLength(0);
  const yes = [...question.querySelectorAll('button')].find(({ textContent }) => textContent === 'Set up');
  await click(yes as HTMLElement);
  await until(() => expect(fake.argsOf('python/setUp')).toHaveLength(1));
  await until(() => expect(fake.argsOf('settings/write')).toHaveLength(2));
});
