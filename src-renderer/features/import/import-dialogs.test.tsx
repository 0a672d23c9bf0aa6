// The smaller dialogs of an import: what each says, what its answer sends, and that cancelling sends nothing.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { internal } from '../../../src-shared/errors.ts';
import { fakeDropItem } from '../../testing/fake-drop-item.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import {
  accessibilityFaults,
  choose,
  click,
  press,
  renderWithHosts,
  type,
  until,
} from '../../testing/render.tsx';
import { forgetTold, toldOf } from '../../testing/told.ts';
import { ImportHost } from './import-host.tsx';
import type { ConflictAnswer } from './import-store.ts';
import { askConflict, importStore, showDialog, showUpload } from './import-store.ts';

let page: Rendered | undefined;

beforeEach(() => importStore.setState({ dialogs: [], picker: undefined, uploads: [] }));
afterEach(async () => {
  await forgetTold();
  await page?.close();
});

async function start(fake = new FakeEngine()): Promise<Rendered> {
  page = await renderWithHosts(<ImportHost />, fake);
  return page;
}

const isOff = (element: HTMLElement): boolean => element.getAttribute('aria-disabled') === 'true';

const text = (): string => document.body.textContent;

test.each([
  [true, 'conflict-add-version'],
  [false, 'conflict-keep-both'],
])('when the interface fits is %s, the answer at hand is %s', async (hasSameInterface, main) => {
  const taken = fakeDropItem('model', { conflict: { hasSameInterface, nextVersion: '3' } });
  const answer = askConflict(taken, 'simple_2');
  const { get, query } = await start();
  await until(() => get('conflict-dialog'));
  const isMain = (id: string): boolean => get(id).className.includes('bg-accent');
  expect(['conflict-add-version', 'conflict-keep-both', 'conflict-replace'].filter(isMain)).toEqual([main]);
  expect(get('conflict-add-version').textContent).toContain('3');
  expect(get('conflict-keep-both').textContent).toContain('simple_2');
  expect(await accessibilityFaults()).toEqual([]);
  await click(get(main));
  expect(await answer).toBe(main.replace('conflict-', ''));
  await until(() => expect(query('conflict-dialog')).toBeNull());
});

test('Escape answers a taken name with nothing', async () => {
  let answered: ConflictAnswer | 'open' = 'open';
  const taken = fakeDropItem('model', { conflict: { hasSameInterface: true, nextVersion: '3' } });
  void askConflict(taken, 'simple_2').then((answer) => (answered = answer));
  const { get } = await start();
  await until(() => get('conflict-dialog'));
  await press(get('conflict-dialog'), 'Escape');
  await until(() => expect(answered).toBeUndefined());
});

test('a repository is added with what was chosen, and takes the place of another one afterwards', async () => {
  const fake = new FakeEngine();
  fake.overrides['repository/add'] = () => ({ repository: fakeSnapshot().repositories[0]! });
  fake.overrides['repository/remove'] = () => undefined;
  const models = [
    { name: 'good', problem: undefined },
    { name: 'bad', problem: 'no numbered version folder' },
  ];
  const found = fakeDropItem('repository', { models, hasCode: true });
  showDialog({ kind: 'repository', item: found, replaced: '/srv/old' });
  const { get, query } = await start(fake);
  await until(() => get('repository-dialog'));
  expect(text()).toContain('no numbered version folder');
  expect(await accessibilityFaults()).toEqual([]);
  await click(get('repository-load'));
  const before = text();
  await click(get('repository-trust'));
  await until(() => expect(text()).not.toBe(before));
  await click(get('repository-add'));
  await until(() => expect(query('repository-dialog')).toBeNull());
  expect(fake.argsOf('repository/add')).toEqual([{ path: '/drop/repository', load: false, trustCode: true }]);
  expect(fake.argsOf('repository/remove')).toEqual([{ path: '/srv/old' }]);
});

test('code of a repository is not trusted unless somebody says so', async () => {
  const fake = new FakeEngine();
  fake.overrides['repository/add'] = () => ({ repository: fakeSnapshot().repositories[0]! });
  showDialog({ kind: 'repository', item: fakeDropItem('repository', { hasCode: true }) });
  const { get, query } = await start(fake);
  await until(() => get('repository-add'));
  await click(get('repository-add'));
  await until(() => expect(query('repository-dialog')).toBeNull());
  expect(fake.argsOf('repository/add')).toEqual([{ path: '/drop/repository', load: true, trustCode: false }]);
});

test('a repository that cannot be added keeps its dialog, and the other one stays', async () => {
  const fake = new FakeEngine();
  fake.overrides['repository/add'] = () => {
    throw internal('the folder cannot be read.');
  };
  showDialog({ kind: 'repository', item: fakeDropItem('repository'), replaced: '/srv/old' });
  const { get } = await start(fake);
  await until(() => get('repository-add'));
  await click(get('repository-add'));
  await toldOf('the folder cannot be read.');
  await until(() => expect(isOff(get('repository-add'))).toBe(false));
  expect(fake.argsOf('repository/remove')).toEqual([]);
});

function versionFake(): FakeEngine {
  const fake = new FakeEngine();
  const version = fakeModel('x').versions[0]!;
  fake.snapshot = fakeSnapshot([
    fakeModel('other'),
    fakeModel('simple', { versions: [version, { ...version, version: '4' }] }),
  ]);
  fake.overrides['repository/import'] = ({ name, version: added }) => ({ model: name, version: added ?? '' });
  return fake;
}

test('a version goes behind the last one of its model, and a number that is taken is refused', async () => {
  const fake = versionFake();
  showDialog({ kind: 'version', item: fakeDropItem('version'), model: 'simple' });
  const { get, query } = await start(fake);
  await until(() => get('version-dialog'));
  const number = (): HTMLInputElement =>
    get('version-dialog').querySelector<HTMLInputElement>('input[inputmode]')!;
  await until(() => expect(number().value).toBe('5'));
  await type(number(), '4');
  await until(() => expect(isOff(get('version-add'))).toBe(true));
  expect(text()).toContain('This version exists already.');
  await click(get('version-add'));
  expect(fake.argsOf('repository/import')).toEqual([]);
  await type(number(), '7');
  await until(() => expect(isOff(get('version-add'))).toBe(false));
  await click(get('version-add'));
  await until(() => expect(query('version-dialog')).toBeNull());
  expect(fake.argsOf('repository/import')).toMatchObject([
    { source: '/drop/version', name: 'simple', mode: 'add-version', version: '7', trustCode: false },
  ]);
  await toldOf('simple was added.');
});

test('a version for a model that is not there is offered for another one', async () => {
  const fake = versionFake();
  showDialog({ kind: 'version', item: fakeDropItem('version'), model: 'gone' });
  const { get, query } = await start(fake);
  await until(() => get('version-dialog'));
  await until(() => expect(get('version-dialog').textContent).toContain('other'));
  await choose(get('version-dialog').querySelector<HTMLElement>('[role="combobox"]')!, 'simple');
  await click(get('version-add'));
  await until(() => expect(query('version-dialog')).toBeNull());
  expect(fake.argsOf('repository/import')).toMatchObject([{ name: 'simple', version: '5' }]);
});

test('without any model there is nothing to add a version to', async () => {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([]);
  showDialog({ kind: 'version', item: fakeDropItem('version'), model: '' });
  const { get } = await start(fake);
  await until(() => expect(isOff(get('version-add'))).toBe(true));
});

test('code in a version is asked about before it is copied, and not copied when it is not trusted', async () => {
  const fake = versionFake();
  showDialog({ kind: 'version', item: fakeDropItem('version', { hasCode: true }), model: 'simple' });
  const { get, query } = await start(fake);
  await until(() => get('version-add'));
  await click(get('version-add'));
  await until(() => get('trust-dialog'));
  await click(get('confirm-cancel'));
  await until(() => expect(query('trust-dialog')).toBeNull());
  expect(fake.argsOf('repository/import')).toEqual([]);
  await until(() => expect(isOff(get('version-add'))).toBe(false));
  await click(get('version-add'));
  await click(await until(() => get('confirm-trust')));
  await until(() => expect(query('version-dialog')).toBeNull());
  expect(fake.argsOf('repository/import')).toMatchObject([{ name: 'simple', trustCode: true }]);
});

test('a look at a file shows what it says, and importing it is one click', async () => {
  const fake = new FakeEngine();
  const onnx = fakeDropItem('onnx', { path: '/drop/mobilenet.onnx' });
  fake.overrides['repository/classify'] = () => [onnx];
  showDialog({ kind: 'inspect', item: onnx });
  const { get } = await start(fake);
  await until(() => expect(text()).toContain('pytorch 2.6.0'));
  expect(text()).toContain('Conv 52');
  expect(await accessibilityFaults()).toEqual([]);
  await click(get('inspect-import'));
  await until(() => get('wizard-dialog'));
});

test.each([
  ['framework', true],
  ['version', true],
  ['config', true],
  ['archive', false],
  ['unknown', false],
] as const)('a look at a thing of kind %s offers its import: %s', async (kind, canImport) => {
  showDialog({ kind: 'inspect', item: fakeDropItem(kind, { message: 'What it is, in one sentence.' }) });
  const { get, query } = await start();
  await until(() => get('inspect-dialog'));
  expect(text()).toContain('What it is, in one sentence.');
  expect(query('inspect-import') !== null).toBe(canImport);
  await click(get('inspect-close'));
  await until(() => expect(query('inspect-dialog')).toBeNull());
});

test('a file that cannot be looked into still says what it is, and why', async () => {
  const fake = new FakeEngine();
  fake.overrides['config/inspectOnnx'] = () => {
    throw internal('the file is locked.');
  };
  showDialog({ kind: 'inspect', item: fakeDropItem('onnx') });
  await start(fake);
  await until(() => expect(text()).toContain('the file is locked.'));
  expect(text()).toContain('/drop/onnx');
});

test('each upload has its own strip, and is cancelled by its own button', async () => {
  const [a, b] = [new AbortController(), new AbortController()];
  showUpload({ name: 'a.onnx', share: 0.254, controller: a });
  showUpload({ name: 'b.onnx', share: 0, controller: b });
  await start();
  const strips = (): readonly HTMLElement[] => [
    ...document.querySelectorAll<HTMLElement>('[data-testid="upload-strip"]'),
  ];
  await until(() => expect(strips()).toHaveLength(2));
  expect(strips()[0]?.textContent).toContain('25 %');
  expect(await accessibilityFaults()).toEqual([]);
  await click(strips()[1]!.querySelector('button')!);
  expect([a.signal.aborted, b.signal.aborted]).toEqual([false, true]);
});
