// What the tab makes of the text while it is typed, with the checks themselves in place of their worker.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { draftOf, drafts, setDraftText } from '../../config/drafts/config-drafts.ts';
import { fillRequest } from '../../config/drafts/fill-request.ts';
import { ConfigLanguage } from '../../config/language/config-language.ts';
import { fakeRun } from '../../../src-shared/testing/fake-runs.ts';
import { modelAddress } from '../../lib/address.ts';
import { runCommand } from '../../lib/command-registry.ts';
import { forgetLiveIssues } from '../../lib/live-problems.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, choose, click, renderWithHosts, until } from '../../testing/render.tsx';
import { configPanes } from './config-panes.ts';
import { ConfigTab } from './config-tab.tsx';

const language = new ConfigLanguage();

vi.mock('../../config/editor/code-editor.tsx', () => import('../../testing/plain-editors.tsx'));
vi.mock('../../config/editor/text-diff.tsx', () => import('../../testing/plain-editors.tsx'));
vi.mock('../../config/language/config-language-client.ts', () => ({
  configLanguage: {
    setContext: (document: string, context: never) => language.setContext(document, context),
    ask: async (question: 'check', document: string, text: string, ...args: []) =>
      language.answers[question](document, text, ...args),
    forget: () => undefined,
  },
}));

const MODEL = 'batch_mlp';
const TEXT = [
  'name: "batch_mlp"',
  'backend: "onnxruntime"',
  'max_batch_size: 8',
  'input { name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] }',
  'output { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] }',
  '',
].join('\n');

let page: Rendered | undefined;

beforeEach(() => {
  drafts.setState({ byDocument: new Map() });
  configPanes.setState({ side: 'form', isSplit: true, profiles: {}, compareWith: 'disk' });
});
afterEach(async () => {
  forgetLiveIssues(MODEL);
  fillRequest.setState({ model: '' });
  await page?.close();
});

async function start(query: Record<string, string> = {}, fake = new FakeEngine()): Promise<Rendered> {
  const model = fakeModel(MODEL, { maxBatchSize: 8 });
  const [version] = model.versions;
  fake.snapshot = fakeSnapshot([
    { ...model, versions: [version!, { ...version!, version: '2' }], servedVersions: ['2'] },
  ]);
  fake.overrides['config/read'] = () => ({
    exists: true,
    text: TEXT,
    hash: 'h',
    path: '/m/config.pbtxt',
    readOnlyReason: undefined,
    refusal: undefined,
  });
  fake.overrides['config/profiles'] = () => ({ profiles: ['small'], active: undefined });
  fake.overrides['perf/runs'] = () => [{ ...fakeRun('r1', [], { name: 'nightly' }), unstableCount: 0 }];
  page = await renderWithHosts(
    <ConfigTab model={MODEL} version="" address={modelAddress(MODEL, 'config', query)} />,
    fake,
  );
  const { get } = page;
  await until(() => get('config-tab'));
  return page;
}

const textNow = (): string => draftOf(MODEL)?.text ?? '';
const wrongDims = TEXT.replace('dims: [ 16 ]', 'dims: [ -1, 16 ]');

test('a mistake is found as it is typed, repaired by its button, and gone then', async () => {
  const { get, query } = await start();
  await until(() => expect(get('config-problems').dataset['count']).toBe('0'));
  setDraftText(MODEL, wrongDims);
  const problem = await until(() => get('problem-D21'));
  expect(problem.dataset['severity']).toBe('error');
  expect(problem.dataset['line']).toBe('4');
  expect(await accessibilityFaults(get('config-problems'))).toEqual([]);
  await click(get('quickfix-D21'));
  await until(() => expect(textNow()).toContain('dims: [ 16 ]'));
  await until(() => expect(query('problem-D21')).toBeNull());
});

test('several mistakes are repaired at once', async () => {
  const { get } = await start();
  setDraftText(MODEL, wrongDims.replace('dims: [ 4 ]', 'dims: [ -1, 4 ]'));
  await until(() => expect(Number(get('config-problems').dataset['count'])).toBeGreaterThan(1));
  await click(await until(() => get('config-fix-all')));
  await until(() => expect(textNow()).toBe(TEXT));
  await until(() => expect(get('config-problems').dataset['count']).toBe('0'));
});

test.each(['quickfix-D21', 'config-fix-all'])(
  'a repair (%s) that was found in an older text is made at its place in the newer one',
  async (button) => {
    const { get } = await start();
    const wrong = wrongDims.replace('dims: [ 4 ]', 'dims: [ -1, 4 ]');
    setDraftText(MODEL, wrong);
    const repair = await until(() => get(button));
    // Typed since, and not checked yet.
    setDraftText(MODEL, `# kept\n${wrong}`);
    repair.click();
    await until(() => expect(textNow()).toContain('dims: [ 16 ]'));
    if (button === 'quickfix-D21') expect(textNow()).toBe(`# kept\n${wrong.replace('[ -1, 16 ]', '[ 16 ]')}`);
    else expect(textNow()).toBe(`# kept\n${TEXT}`);
  },
);

test('a preview of a text with mistakes says that it will not load', async () => {
  const fake = new FakeEngine();
  fake.overrides['config/previewReload'] = () => ({ kind: 'full', sentence: 'Anew.', changedPaths: [] });
  const { get } = await start({ view: 'preview' }, fake);
  await until(() => expect(get('config-preview').textContent).toContain('Anew.'));
  const before = get('config-preview').textContent;
  setDraftText(MODEL, wrongDims);
  await until(() => expect(get('config-preview').textContent.length).toBeGreaterThan(before.length));
});

test('what the text completes to is shown with where each line comes from', async () => {
  const { get } = await start({ view: 'effective' });
  setDraftText(MODEL, TEXT.replace('max_batch_size: 8', 'max_batch_size: 3'));
  await until(() => expect(get('config-effective').dataset['source']).toBe('text'));
  await until(() => expect(get('config-effective').textContent).toContain('max_batch_size: 3'));
  const origins = (): readonly (string | undefined)[] =>
    [...get('config-effective').querySelectorAll<HTMLElement>('[data-origin]')].map(
      ({ dataset }) => dataset['origin'],
    );
  expect(new Set(origins()).has('file')).toBe(true);
  const all = origins().length;
  await choose(get('effective-filter'), (text) => /^file|^your file|config\.pbtxt/i.test(text));
  await until(() => expect(origins().length).toBeLessThan(all));
  expect(origins().every((origin) => origin === 'file')).toBe(true);
});

test('completed fields are written into the text only when they are chosen, and nothing is saved by it', async () => {
  const { get, query, fake } = await start();
  runCommand('config.writeEffective');
  const dialog = await until(() => get('fill-dialog'));
  const boxes = await until(() => {
    const found = [...dialog.querySelectorAll<HTMLElement>('[role="checkbox"]')];
    expect(found.length).toBeGreaterThan(0);
    return found;
  });
  expect(await accessibilityFaults(dialog)).toEqual([]);
  for (const box of boxes) if (box.getAttribute('aria-checked') === 'true') await click(box);
  await until(() => expect(get('fill-write').getAttribute('aria-disabled')).toBe('true'));
  await click(get('fill-write'));
  expect(textNow()).toBe(TEXT);
  await click(boxes[0]!);
  await click(get('fill-write'));
  await until(() => expect(query('fill-dialog')).toBeNull());
  expect(textNow()).not.toBe(TEXT);
  expect(textNow()).toContain('max_batch_size: 8');
  expect(fake.argsOf('config/write')).toEqual([]);
});

test('another screen asks for the fields, once', async () => {
  fillRequest.setState({ model: MODEL });
  const { get, query } = await start();
  await until(() => get('fill-dialog'));
  await click(
    [...get('fill-dialog').querySelectorAll('button')].find((one) => one.textContent === 'Cancel')!,
  );
  await until(() => expect(query('fill-dialog')).toBeNull());
  expect(fillRequest.getState().model).toBe('');
});

test.each([
  ['effective', 'instance_group'],
  ['running', 'runs: now'],
  ['version:1', 'of version: 1'],
  ['run:r1', 'max_batch_size: 8'],
])('the text is compared with %s', async (target, part) => {
  const fake = new FakeEngine();
  fake.overrides['config/effective'] = ({ version }) => ({
    text: version === undefined ? '# runs: now' : `# of version: ${version}`,
    origins: [],
    json: '{}',
    error: undefined,
  });
  fake.overrides['perf/run'] = ({ run }) => fakeRun(run, []);
  const { get } = await start({ with: target }, fake);
  await until(() => expect(get('text-diff').textContent).toContain(part));
  // Every text ends its last line, so that the end alone is no difference.
  expect(get('text-diff').textContent.endsWith('\n')).toBe(true);
});

test('a target that is gone, such as a deleted run, falls back to the file', async () => {
  const { get } = await start({ with: 'run:deleted' });
  await until(() => expect(get('text-diff').textContent).toBe(TEXT));
});

test('a profile is made the one that the server reads, after its next start', async () => {
  const fake = new FakeEngine();
  fake.overrides['config/readProfile'] = () => ({ text: 'max_batch_size: 1\n' });
  const { get } = await start({}, fake);
  await choose(get('config-file'), (text) => text.includes('small'));
  await until(() => expect(get('code-editor').textContent).toBe('max_batch_size: 1\n'));
  await click(get('config-menu'));
  const entry = await until(() => {
    const found = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    const use = found.find(
      ({ textContent }) => /profile|file/i.test(textContent) && /use|serve/i.test(textContent),
    );
    if (use === undefined) throw new Error(found.map(({ textContent }) => textContent).join(' | '));
    return use;
  });
  await click(entry);
  await until(() =>
    expect(fake.argsOf('settings/write')).toEqual([{ changes: { 'server.configProfile': 'small' } }]),
  );
});

test('the view beside the text is put away and comes back', async () => {
  const { get, query } = await start();
  await click(get('config-split'));
  await until(() => expect(query('config-form')).toBeNull());
  runCommand('editor.split');
  await until(() => expect(query('config-form')).not.toBeNull());
  await click(get('config-side-effective'));
  await until(() => get('config-effective'));
});
