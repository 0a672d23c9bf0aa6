// What the Server screen offers: it leads where it says, or tells why it did not.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { internal } from '../../../src-shared/errors.ts';
import { address } from '../../lib/address.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { FAKE_REPOSITORY, fakeSnapshot } from '../../testing/fake-models.ts';
import { installShell } from '../../testing/fake-shell.ts';
import type { Rendered } from '../../testing/render.tsx';
import { click, renderWithHosts, until } from '../../testing/render.tsx';
import { PortConflictDialog } from './port-conflict-dialog.tsx';
import { ServerScreen } from './server-view.tsx';

let page: Rendered | undefined;
let remove: (() => void) | undefined;
beforeEach(() => workspace.setState(INITIAL_WORKSPACE, true));
afterEach(async () => {
  await page?.close();
  remove?.();
  remove = undefined;
});

async function start(fake = new FakeEngine()): Promise<Rendered> {
  const view = (
    <>
      <ServerScreen address={address('server')} />
      <PortConflictDialog />
    </>
  );
  page = await renderWithHosts(view, fake);
  const { get } = page;
  await until(() => get('server-view'));
  return page;
}

const isOff = (element: HTMLElement): boolean => element.getAttribute('aria-disabled') === 'true';

test('a port that nobody is known to hold, without free ones beside it, leaves trying again', async () => {
  const fake = new FakeEngine();
  const portConflict = { port: 8000, holder: undefined, holderCommand: undefined, freePorts: [] };
  fake.server = { ...fake.server, state: 'port-problem', portConflict };
  const { get, query } = await start(fake);
  expect((await until(() => get('port-conflict'))).textContent).toContain('used by another program');
  expect([query('port-process'), query('port-use-free'), query('banner-port-use')]).toEqual([
    null,
    null,
    null,
  ]);
  await click(get('port-retry'));
  await until(() => expect(query('port-conflict')).toBeNull());
  expect(fake.argsOf('server/start')).toHaveLength(1);
});

test('free ports can be used from the screen as well', async () => {
  const fake = new FakeEngine();
  const portConflict = { port: 8000, holder: 'x', holderCommand: undefined, freePorts: [8010, 8020, 8030] };
  fake.server = { ...fake.server, state: 'port-problem', portConflict };
  const { get } = await start(fake);
  await click(await until(() => get('port-later')));
  expect(get('banner-port-use').textContent).toContain('8010, 8020, 8030');
  await click(get('banner-port-use'));
  await until(() => expect(get('server-state').dataset['state']).toBe('serving'));
  expect(fake.argsOf('server/start')).toMatchObject([{ ports: { http: 8010, grpc: 8020, metrics: 8030 } }]);
});

test('a repository leads to its models; without one the list says so', async () => {
  const fake = new FakeEngine();
  const { get } = await start(fake);
  const [name] = [...get(`repository-${FAKE_REPOSITORY}`).querySelectorAll('button')].filter(
    ({ textContent }) => textContent === FAKE_REPOSITORY,
  );
  await click(name as HTMLElement);
  expect(activeTab()?.address).toMatchObject({ area: 'models', query: { repository: FAKE_REPOSITORY } });
  await page?.close();
  const empty = new FakeEngine();
  empty.snapshot = { ...fakeSnapshot([]), repositories: [] };
  const none = await start(empty);
  expect(none.get('server-repositories').textContent).toContain('No repository is open.');
  // Code for a server without models names none, and there is none to choose.
  expect(none.query('server-snippets-model')).toBeNull();
  await until(() =>
    expect(empty.argsOf('playground/serverSnippets').at(-1)).toEqual({ language: 'curl', model: 'MODEL' }),
  );
});

test('what the server refuses is told: a repository that cannot be switched, a stop that cannot be cut short', async () => {
  const fake = new FakeEngine();
  fake.server = { ...fake.server, state: 'stopping' };
  fake.overrides['server/stopNow'] = () => {
    throw internal('it has ended already');
  };
  fake.overrides['repository/switch'] = () => {
    throw internal('its folder is gone');
  };
  const { get } = await start(fake);
  await click(get('server-stop-now'));
  await until(() => expect(get('toast-error').textContent).toContain('it has ended already'));
  await click(get(`repository-enable-${FAKE_REPOSITORY}`));
  await until(() => expect(document.body.textContent).toContain('its folder is gone'));
  expect(get(`repository-${FAKE_REPOSITORY}`).dataset['state']).toBe('on');
});

test('definitions that could not be written are not said to be saved', async () => {
  const refuse = (): never => {
    throw internal('the disk is full');
  };
  const shell = installShell({ 'shell/saveText': refuse });
  remove = shell.remove;
  const { get, query } = await start();
  await click(get('save-proto-files'));
  await until(() => expect(get('toast-error').textContent).toContain('the disk is full'));
  expect(query('toast-success')).toBeNull();
});

test('Python is made only after a yes; where it cannot be made, the button says why', async () => {
  const fake = new FakeEngine();
  const { get, query } = await start(fake);
  await until(() => expect(isOff(get('python-set-up'))).toBe(false));
  await click(get('python-set-up'));
  await until(() => get('python-ask'));
  await click(get('confirm-cancel'));
  await until(() => expect(query('python-ask')).toBeNull());
  expect(fake.argsOf('python/setUp')).toEqual([]);
  fake.overrides['python/setUp'] = () => {
    throw internal('no connection to the package index');
  };
  await click(get('python-set-up'));
  const question = await until(() => get('python-ask'));
  const yes = [...question.querySelectorAll('button')].find(({ textContent }) => textContent === 'Set up');
  await click(yes as HTMLElement);
  await until(() => expect(get('toast-error').textContent).toContain('no connection to the package index'));
  // What was not made is not used.
  expect(fake.argsOf('settings/write')).toEqual([]);
});

test('making Python again says that what was installed into it goes', async () => {
  const fake = new FakeEngine();
  const view = await fake.engine().client.call('python/view', {});
  fake.overrides['python/view'] = () => ({ ...view, setup: { ...view.setup, isDone: true } });
  const { get } = await start(fake);
  await until(() => expect(get('python-set-up').textContent).toContain('again'));
  await click(get('python-set-up'));
  expect((await until(() => get('python-ask'))).textContent).toContain(
    'What was installed into the present one goes',
  );
  await click(get('confirm-cancel'));
});

test('Python is set up also by a click that comes before the machine was looked at', async () => {
  const fake = new FakeEngine();
  const first = Promise.withResolvers<never>();
  const client = fake.engine().client;
  const found = await client.call('python/view', {});
  let asked = 0;
  fake.overrides['python/view'] = () => (asked++ === 0 ? first.promise : found);
  const { get } = await start(fake);
  await click(await until(() => get('python-set-up')));
  const question = await until(() => get('python-ask'));
  expect(question.textContent).toContain(found.setup.folder);
  await click(get('confirm-cancel'));
});
