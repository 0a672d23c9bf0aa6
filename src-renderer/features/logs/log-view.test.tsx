// The log as a user reads it: what the filters leave, what follows, what is folded, and where it leads.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { LogLine } from '../../../src-shared/contract/observe-views.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { internal } from '../../../src-shared/errors.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import type { Rendered } from '../../testing/render.tsx';
import {
  accessibilityFaults,
  choose,
  click,
  renderView,
  renderWithHosts,
  type,
  until,
} from '../../testing/render.tsx';
import { FilteredLog, NO_FILTER } from './log-filter.ts';
import { LogView } from './log-view.tsx';

let page: Rendered | undefined;
beforeEach(() => workspace.setState(INITIAL_WORKSPACE, true));
afterEach(async () => {
  vi.unstubAllGlobals();
  await page?.close();
});

let count = 0;
function line(message: string, changes: Partial<LogLine> = {}): LogLine {
  count += 1;
  return {
    sequence: count,
    atMs: 0,
    pid: 4242,
    level: 'info',
    room: 'repository',
    message,
    model: undefined,
    instance: undefined,
    requestId: undefined,
    ...changes,
  };
}

async function start(
  lines: readonly LogLine[],
  props: { readonly models?: readonly string[]; readonly instances?: readonly string[] } = {},
): Promise<Rendered> {
  const fake = new FakeEngine();
  fake.overrides['observe/logs'] = ({ afterSequence }) =>
    lines.filter(({ sequence }) => sequence > afterSequence);
  page = await renderView(<LogView models={props.models ?? []} instances={props.instances ?? []} />, fake);
  return page;
}

const shown = () => page?.query('log-list')?.textContent ?? '';

test('lines are shown with their writer, and new ones follow', async () => {
  const { fake } = await start([
    line('started'),
    line('loaded', { model: 'm' }),
    line('hello', { model: 'm', instance: 'm_0_1' }),
  ]);
  await until(() => expect(shown()).toContain('started'));
  expect(shown()).toMatch(/repository.*started/);
  expect(shown()).toMatch(/m_0_1.*hello/);
  fake.publish('observe/logLines', { lines: [line('and another')] });
  await until(() => expect(shown()).toContain('and another'));
  expect(await accessibilityFaults()).toEqual([]);
});

test('words leave the lines that have them; an expression that cannot be read is told, and keeps what is shown', async () => {
  const { get } = await start([line('loading a'), line('loaded b'), line('closed')]);
  await until(() => expect(shown()).toContain('closed'));
  await type(get('log-filter'), 'load');
  await until(() => expect(shown()).not.toContain('closed'));
  expect(shown()).toContain('loaded b');
  await type(get('log-filter'), '/load(ed/');
  await until(() => expect(get('log-filter').getAttribute('aria-invalid')).toBe('true'));
  expect(document.body.textContent).toContain('Invalid regular expression');
  expect(shown()).toContain('loaded b');
  await type(get('log-filter'), '/loaded|nothing/');
  await until(() => expect(shown()).not.toContain('loading a'));
});

test('how many lines match is said, and where none does the filters are cleared in one click', async () => {
  const { get, query } = await start([line('loading a'), line('loaded b'), line('closed')]);
  await until(() => expect(shown()).toContain('closed'));
  expect(query('log-count')).toBe(null);
  await type(get('log-filter'), 'load');
  await until(() => expect(get('log-count').textContent).toBe('2 lines match'));
  await type(get('log-filter'), 'nothing has this');
  await click(await until(() => get('log-show-all')));
  await until(() => expect(shown()).toContain('closed'));
  expect((get('log-filter') as HTMLInputElement).value).toBe('');
});

test('the log of a model has its lines and those that name it, and no picker', async () => {
  const { query } = await start(
    [line('x', { model: 'a' }), line("failed to load 'a'"), line('not mine', { model: 'b' })],
    { models: ['a'] },
  );
  await until(() => expect(shown()).toContain("failed to load 'a'"));
  expect(shown()).not.toContain('not mine');
  expect(query('log-model')).toBeNull();
});

test('what is cleared stays away, what comes later is shown', async () => {
  const { get, fake } = await start([line('old')]);
  await until(() => expect(shown()).toContain('old'));
  await click(get('log-clear'));
  await until(() => expect(shown()).not.toContain('old'));
  fake.publish('observe/logLines', { lines: [line('fresh')] });
  await until(() => expect(shown()).toContain('fresh'));
  expect(shown()).not.toContain('old');
  await click(get('log-clear'));
  await click(await until(() => get('log-show-cleared')));
  await until(() => expect(shown()).toContain('old'));
});

test('a message of many lines is folded until it is wanted', async () => {
  await start([line('head\nsecond\nthird')]);
  await until(() => expect(shown()).toContain('head'));
  expect(shown()).not.toContain('third');
  await click(page?.get('log-list').querySelector('button') as HTMLElement);
  await until(() => expect(shown()).toContain('third'));
});

test('of a line of megabytes the beginning is drawn, and how much follows', async () => {
  await start([line(`head ${'x'.repeat(1_000_000)}tail`)]);
  await until(() => expect(shown()).toContain('head xxx'));
  expect(shown()).toContain('980,009 more characters');
  expect(shown()).not.toContain('tail');
});

test('an error of a model that failed leads to its explanation; of one that serves it does not', async () => {
  await start([
    line('it broke', { level: 'error', model: 'broken_dims' }),
    line('one request', { level: 'error', model: 'batch_mlp' }),
  ]);
  await until(() => expect(shown()).toContain('one request'));
  const buttons = await until(() => {
    const found = [...(page?.get('log-list').querySelectorAll('button') ?? [])];
    expect(found).toHaveLength(1);
    return found;
  });
  await click(buttons[0] as HTMLElement);
  expect(activeTab()?.address.model).toBe('broken_dims');
});

test('what is shown is copied as Triton prints it', async () => {
  const copied: string[] = [];
  vi.stubGlobal(
    'navigator',
    Object.assign(Object.create(navigator) as Navigator, {
      clipboard: { writeText: (text: string) => Promise.resolve(void copied.push(text)) },
    }),
  );
  const { get } = await start([line('first'), line('other')]);
  await until(() => expect(shown()).toContain('other'));
  await type(get('log-filter'), 'first');
  await until(() => expect(shown()).not.toContain('other'));
  await click(document.querySelector('[aria-label="Copy lines"]') as HTMLElement);
  await until(() => expect(copied).toEqual(['I0101 00:00:00.000000 4242 repository:0] "first"']));
});

test('lines that the window no longer keeps leave the view, all of them too', () => {
  const lines = Array.from({ length: 20 }, (_, index) =>
    line(`line ${index}`, { level: index < 5 ? 'error' : 'info' }),
  );
  const view = new FilteredLog();
  expect(view.setFilter({ ...NO_FILTER, minLevel: 'error' }, lines)).toHaveLength(5);
  expect(view.update(lines.slice(3))).toHaveLength(2);
  expect(view.update(lines.slice(10))).toEqual([]);
});

test('new lines go through what was shown last while an expression cannot be read, which stays said', async () => {
  const { get, fake } = await start([line('loading a'), line('closed')]);
  await until(() => expect(shown()).toContain('closed'));
  await type(get('log-filter'), 'load');
  await until(() => expect(shown()).not.toContain('closed'));
  await type(get('log-filter'), '/load(/');
  await until(() => expect(get('log-filter').getAttribute('aria-invalid')).toBe('true'));
  fake.publish('observe/logLines', { lines: [line('closed again'), line('loading b')] });
  await until(() => expect(shown()).toContain('loading b'));
  expect(shown()).not.toContain('closed');
  expect(get('log-filter').getAttribute('aria-invalid')).toBe('true');
  await type(get('log-filter'), '');
  await until(() => expect(shown()).toContain('closed again'));
  expect(get('log-filter').getAttribute('aria-invalid')).not.toBe('true');
});

test('lines are told apart by their level; a log without lines is not said to be filtered away', async () => {
  const { get, fake } = await start([]);
  await until(() => expect(document.body.textContent).toContain('No log lines yet.'));
  fake.publish('observe/logLines', {
    lines: [line('detail', { level: 'verbose' }), line('careful', { level: 'warn' }), line('notice')],
  });
  await until(() => expect(shown()).toContain('notice'));
  await choose(get('log-level'), 'Warnings and above');
  await until(() => expect(shown()).not.toContain('notice'));
  expect(shown()).toContain('careful');
  await choose(get('log-level'), 'Errors');
  await until(() => expect(document.body.textContent).toContain('No line matches the filter.'));
});

test('one instance of several is looked at alone, and one model of all', async () => {
  const lines = [
    line('one', { model: 'simple', instance: 's_0' }),
    line('two', { model: 'other', instance: 's_1' }),
  ];
  const { get } = await start(lines, { models: [], instances: ['s_0', 's_1'] });
  await until(() => expect(shown()).toContain('two'));
  await choose(get('log-instance'), 's_0');
  await until(() => expect(shown()).not.toContain('two'));
  await choose(get('log-instance'), 'All instances');
  await until(() => expect(shown()).toContain('two'));
  await choose(get('log-model'), 'batch_mlp');
  await until(() => expect(document.body.textContent).toContain('No line matches the filter.'));
});

test('whoever reads older lines is not carried away by new ones, and gets to them by one click', async () => {
  const { get, query, fake } = await start(Array.from({ length: 60 }, (_, index) => line(`line ${index}`)));
  await until(() => expect(shown()).toContain('line 1'));
  expect(query('log-jump')).toBeNull();
  get('log-list').dispatchEvent(new WheelEvent('wheel', { deltaY: -40, bubbles: true }));
  await until(() => expect(get('log-jump').textContent).toBe('Jump to latest'));
  fake.publish('observe/logLines', { lines: [line('new 1'), line('new 2')] });
  await until(() => expect(get('log-jump').textContent).toBe('Jump to latest, 2 new'));
  await click(get('log-jump'));
  await until(() => expect(query('log-jump')).toBeNull());
});

test('a server that refuses to log more says why', async () => {
  const fake = new FakeEngine();
  fake.overrides['settings/write'] = () => {
    throw internal('the level is fixed by the command line');
  };
  page = await renderWithHosts(<LogView models={[]} />, fake);
  const { get } = page;
  await choose(get('log-verbose'), 'Verbose log: level 2');
  await until(() => expect(get('toast-error').textContent).toContain('fixed by the command line'));
  expect(fake.argsOf('settings/write')[0]).toEqual({ changes: { 'logs.verboseLevel': 2 } });
});

test('the picker of the verbose level shows what holds, whoever set it', async () => {
  const fake = new FakeEngine();
  fake.server = { ...fake.server, logVerboseLevel: 1 };
  page = await renderWithHosts(<LogView models={[]} />, fake);
  const { get } = page;
  await until(() => expect(get('log-verbose').textContent).toBe('Verbose log: level 1'));
  fake.changeServer({ logVerboseLevel: 4 });
  await until(() => expect(get('log-verbose').textContent).toBe('Verbose log: level 4'));
  fake.changeServer({ logVerboseLevel: 0 });
  await until(() => expect(get('log-verbose').textContent).toBe('Verbose log: off'));
});
