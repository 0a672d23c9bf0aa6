// Cards of the Server screen in the states that a server can be in: taken ports, lost connections, late answers.

import { afterEach, expect, test } from 'vitest';

import type { ServerView } from '../../../src-shared/contract/observe-views.ts';
import { internal } from '../../../src-shared/errors.ts';
import { address } from '../../lib/address.ts';
import { activeTab } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { FAKE_REPOSITORY } from '../../testing/fake-models.ts';
import { installShell } from '../../testing/fake-shell.ts';
import { fakeSample } from '../../testing/fake-views.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, choose, click, renderWithHosts, type, until } from '../../testing/render.tsx';
import { PortConflictDialog } from './port-conflict-dialog.tsx';
import { ServerScreen } from './server-view.tsx';

let page: Rendered | undefined;
let remove: (() => void) | undefined;

afterEach(async () => {
  await page?.close();
  remove?.();
  remove = undefined;
});

async function start(fake = new FakeEngine()): Promise<Rendered> {
  page = await renderWithHosts(
    <>
      <ServerScreen address={address('server')} />
      <PortConflictDialog />
    </>,
    fake,
  );
  const { get } = page;
  await until(() => get('server-view'));
  return page;
}

const text = (): string => document.body.textContent;
const isBusy = (element: HTMLElement): boolean => element.getAttribute('aria-busy') === 'true';

const TAKEN: Partial<ServerView> = {
  state: 'port-problem',
  portConflict: {
    port: 8000,
    holder: 'tritonserver (pid 41)',
    holderCommand: 'tritonserver --model-repository=/srv',
    freePorts: [8010, 8011, 8012],
  },
};

function takenPort(): FakeEngine {
  const fake = new FakeEngine();
  fake.server = { ...fake.server, ...TAKEN };
  return fake;
}

test('a taken port is said with its holder; the holder can be looked at, and free ports are one click away', async () => {
  const fake = takenPort();
  const { get, query } = await start(fake);
  const dialog = await until(() => get('port-conflict'));
  expect(dialog.textContent).toContain('tritonserver (pid 41)');
  expect(await accessibilityFaults(dialog)).toEqual([]);
  await click(get('port-process'));
  await until(() => expect(get('port-process-command').textContent).toContain('--model-repository=/srv'));
  expect(get('port-use-free').textContent).toContain('8010-8012');
  await click(get('port-use-free'));
  await until(() => expect(query('port-conflict')).toBeNull());
  expect(fake.argsOf('server/start')).toMatchObject([{ ports: { http: 8010, grpc: 8011, metrics: 8012 } }]);
});

test('while one start is under way the other one cannot be given', async () => {
  const fake = takenPort();
  const answer = Promise.withResolvers<ServerView>();
  fake.overrides['server/start'] = () => answer.promise;
  const { get } = await start(fake);
  await click(await until(() => get('port-retry')));
  await until(() => expect(isBusy(get('port-use-free'))).toBe(true));
  await click(get('port-use-free'));
  expect(fake.argsOf('server/start')).toHaveLength(1);
  answer.reject(internal('port 8000 is still taken'));
  await until(() => expect(get('toast-error').textContent).toContain('port 8000 is still taken'));
  await until(() => expect(isBusy(get('port-use-free'))).toBe(false));
});

test('a closed question about a port stays closed over news of the server, and comes with the next failure', async () => {
  const fake = takenPort();
  const { get, query } = await start(fake);
  await click(await until(() => get('port-later')));
  await until(() => expect(query('port-conflict')).toBeNull());
  fake.changeServer({ ...structuredClone(TAKEN), notReady: [] });
  await until(() => expect(query('not-ready-list')?.children.length ?? 0).toBe(0));
  expect(query('port-conflict')).toBeNull();
  // The screen keeps saying it.
  expect(get('banner-port').textContent).toContain('8000');
  fake.changeServer({ state: 'serving', portConflict: undefined });
  await until(() => expect(query('banner-port')).toBeNull());
  fake.changeServer(TAKEN);
  await until(() => get('port-conflict'));
});

test('the switch starts a stopped server and stops one that serves', async () => {
  const fake = new FakeEngine();
  const { get } = await start(fake);
  await until(() => expect(get('server-state').dataset['state']).toBe('serving'));
  await click(get('server-toggle'));
  const confirm = page?.query('confirm');
  if (confirm != null) await click(confirm.querySelectorAll<HTMLElement>('footer button')[1]!);
  await until(() => expect(get('server-state').dataset['state']).toBe('stopped'));
  expect(get('health-live').dataset['state']).toBe('false');
  await click(get('server-toggle'));
  await until(() => expect(get('server-state').dataset['state']).toBe('serving'));
});

test('an answer to an old question about endpoints does not take the place of a newer one', async () => {
  const fake = new FakeEngine();
  const slow = Promise.withResolvers<never>();
  const old = [{ kind: 'http', isOk: false, tookUs: 0, message: 'the old port' }];
  const { get } = await start(fake);
  await until(() => expect(get('endpoint-state-http').textContent).toContain('Answers in'));
  const answer = fake.overrides['server/check'];
  fake.overrides['server/check'] = () => slow.promise;
  await click(get('endpoints-check'));
  await until(() => expect(isBusy(get('endpoints-check'))).toBe(true));
  if (answer === undefined) delete fake.overrides['server/check'];
  const moved = fake.server.endpoints.map((one) =>
    one.kind === 'http' ? { ...one, address: '127.0.0.1:9000' } : one,
  );
  const asked = fake.argsOf('server/check').length;
  fake.changeServer({ endpoints: moved });
  await until(() => expect(fake.argsOf('server/check').length).toBe(asked + 1));
  slow.resolve(old as never);
  await until(() => expect(isBusy(get('endpoints-check'))).toBe(false));
  expect(get('endpoint-state-http').textContent).toContain('Answers in');
});

test('an endpoint that does not listen says so; without any there is nothing to check', async () => {
  const fake = new FakeEngine();
  fake.server = {
    ...fake.server,
    endpoints: fake.server.endpoints.map((one) => ({
      ...one,
      address: one.kind === 'grpc' ? one.address : undefined,
      isListening: false,
      error: one.kind === 'grpc' ? 'EADDRINUSE' : undefined,
    })),
  };
  fake.overrides['playground/serverSnippets'] = () => [];
  const { get } = await start(fake);
  await until(() => expect(get('endpoint-state-grpc').textContent).toContain('EADDRINUSE'));
  expect(get('endpoint-state-grpc').dataset['state']).toBe('failed');
  expect(get('endpoint-state-http').dataset['state']).toBe('unloaded');
  await click(get('endpoints-check'));
  expect(fake.argsOf('server/check')).toEqual([]);
  // No address, no code that would ask it.
  await until(() => expect(get('server-snippets').textContent).toContain('Requests appear once'));
  expect(get('server-snippets').querySelectorAll('pre')).toHaveLength(0);
  expect(get('endpoint-http').textContent).toContain('off');
});

test('clients that were listed stay while the server cannot be asked, and are not said to be none', async () => {
  const fake = new FakeEngine();
  const { get } = await start(fake);
  await until(() => get('server-clients-table'));
  expect(get('server-clients-table').textContent).toContain(
    'Last error: NOT_FOUND Request for unknown model',
  );
  fake.overrides['server/clients'] = () => {
    throw internal('the connection was lost');
  };
  const asked = fake.argsOf('server/clients').length;
  fake.publish('observe/sample', fakeSample(Date.now() + 5000));
  await until(() => expect(fake.argsOf('server/clients').length).toBeGreaterThan(asked));
  await until(() => expect(get('server-clients').textContent).toContain('grpc-python'));
});

test('a server that nobody called, and one that cannot say who did, are told apart', async () => {
  const fake = new FakeEngine();
  fake.overrides['server/clients'] = () => [];
  const { get } = await start(fake);
  await until(() => expect(get('server-clients').textContent).toMatch(/no client|nobody|none/i));
  await page?.close();
  const failing = new FakeEngine();
  failing.overrides['server/clients'] = () => {
    throw internal('the server is busy');
  };
  const other = await start(failing);
  await until(() => expect(other.get('server-clients').textContent).toContain('the server is busy'));
});

test('a repository leaves the list after a question, and stays when that is refused', async () => {
  const fake = new FakeEngine();
  fake.overrides['repository/remove'] = () => {
    throw internal('its models are in use');
  };
  const { get } = await start(fake);
  const row = get(`repository-${FAKE_REPOSITORY}`);
  await click(row.querySelector<HTMLElement>('[aria-label^="Remove"]')!);
  const question = await until(() => get('confirm'));
  expect(question.textContent).toContain(FAKE_REPOSITORY);
  await click(get('confirm-cancel'));
  expect(fake.argsOf('repository/remove')).toEqual([]);
  await click(row.querySelector<HTMLElement>('[aria-label^="Remove"]')!);
  await click(await until(() => get('confirm-remove')));
  await until(() => expect(get('toast-error').textContent).toContain('its models are in use'));
  expect(fake.argsOf('repository/remove')).toEqual([{ path: FAKE_REPOSITORY }]);
});

test('a repository says that it is off, cannot be written to, or cannot be read', async () => {
  const fake = new FakeEngine();
  const [one] = fake.snapshot.repositories;
  fake.snapshot = {
    ...fake.snapshot,
    repositories: [
      { ...one!, path: '/off', isEnabled: false },
      { ...one!, path: '/fixed', isWritable: false },
      { ...one!, path: '/gone', isWritable: false, error: 'ENOENT' },
    ],
  };
  const { get } = await start(fake);
  await until(() => expect(get('repository-/off').dataset['state']).toBe('off'));
  expect(get('repository-/fixed').textContent).toContain('read-only');
  // One reason is enough.
  expect(get('repository-/gone').textContent).toContain('Folder not found');
  expect(get('repository-/gone').textContent).not.toContain('read-only');
});

async function importCommand(fake: FakeEngine, line: string): Promise<Rendered> {
  const shown = await start(fake);
  await click(shown.get('import-command'));
  await type(await until(() => shown.get('import-command-text')), line);
  return shown;
}

test('a command line is imported whole: settings first, then its repositories', async () => {
  const fake = new FakeEngine();
  fake.overrides['settings/importCommand'] = () => ({
    changes: { 'logs.verboseLevel': 1 },
    repositories: ['/more/models', '/other'],
    ignored: [],
  });
  fake.overrides['repository/add'] = () => ({ repository: fake.snapshot.repositories[0]! });
  const { get, query } = await importCommand(fake, 'tritonserver --log-verbose=1');
  await until(() => expect(get('import-command-dialog').textContent).toContain('Verbose level: 1'));
  await click(get('import-command-apply'));
  await until(() => expect(query('import-command-dialog')).toBeNull());
  expect(fake.argsOf('settings/write')).toEqual([{ changes: { 'logs.verboseLevel': 1 } }]);
  expect(fake.argsOf('repository/add')).toEqual([
    { path: '/more/models', load: true, trustCode: false },
    { path: '/other', load: true, trustCode: false },
  ]);
});

test.each([
  ['says nothing new', () => ({ changes: {}, repositories: [], ignored: ['--what'] }), '--what'],
  [
    'cannot be read',
    () => {
      throw internal('a quote is not closed');
    },
    'a quote is not closed',
  ],
])('a command line that %s cannot be applied', async (_name, answer, part) => {
  const fake = new FakeEngine();
  fake.overrides['settings/importCommand'] = answer;
  const { get } = await importCommand(fake, "tritonserver '");
  await until(() => expect(get('import-command-dialog').textContent).toContain(part));
  await click(get('import-command-apply'));
  expect(get('import-command-apply').getAttribute('aria-disabled')).toBe('true');
  expect(fake.argsOf('settings/write')).toEqual([]);
});

test('code is shown for the chosen language and model, and definitions of the service are saved', async () => {
  const shell = installShell({ 'shell/saveText': () => undefined });
  remove = shell.remove;
  const { get } = await start();
  const snippets = get('server-snippets');
  await until(() => expect(snippets.textContent).toContain('curl -i http://127.0.0.1:8000/v2/health/ready'));
  await choose(get('server-snippets-model'), 'image_tiny');
  await until(() => expect(snippets.textContent).toContain('/v2/models/image_tiny/stats'));
  await choose(get('server-snippets-language'), 'Python (gRPC)');
  await until(() => expect(snippets.textContent).toContain('import tritonclient.grpc as triton'));
  await click(get('save-proto-files'));
  await until(() => expect(shell.calls).toMatchObject([{ args: { defaultName: 'grpc_service.proto' } }]));
});

test('a model that keeps the server from being ready is one click away', async () => {
  const { get } = await start();
  await click(get('not-ready-list').querySelector('button')!);
  expect(activeTab()?.address.model).toBe('broken_dims');
});

test('Python that cannot be looked for says why', async () => {
  const fake = new FakeEngine();
  fake.overrides['python/view'] = () => {
    throw internal('no right to read /usr/bin');
  };
  const { get } = await start(fake);
  await until(() => expect(get('python-card').textContent).toContain('no right to read /usr/bin'));
  expect(text()).toContain('AMD Ryzen 7 7840U');
});
