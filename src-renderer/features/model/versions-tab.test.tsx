// The versions of a model: what the table says of each, what its menu does, and two of them beside each other.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { VersionComparison } from '../../../src-shared/contract/folder-calls.ts';
import type { ModelView, VersionView } from '../../../src-shared/contract/model-view.ts';
import { internal } from '../../../src-shared/errors.ts';
import { areas } from '../../lib/areas.ts';
import { modelAddress } from '../../lib/address.ts';
import { registerCommand } from '../../lib/command-registry.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, until } from '../../testing/render.tsx';
import { forgetTold } from '../../testing/told.ts';
import { VersionsTab } from './versions/versions-tab.tsx';

const before = areas.getState();
let fake: FakeEngine;
let page: Rendered | undefined;

beforeEach(() => {
  fake = new FakeEngine();
});

afterEach(async () => {
  // The way back of one test is none of the next.
  await forgetTold();
  await page?.close();
  page = undefined;
  areas.setState(before, true);
});

const version = (name: string, changes: Partial<VersionView> = {}): VersionView => ({
  ...{ version: name, state: 'READY', reason: '', byteSize: 1000, fileCount: 1, modifiedAtMs: 1 },
  ...{ loadMs: 12, memoryBytes: 2000, gpuMemory: [] },
  ...changes,
});

async function show(changes: Partial<ModelView> = {}): Promise<Rendered> {
  const versions = [version('1', { state: 'NOT_SELECTED' }), version('2')];
  const model = fakeModel('m', { state: 'ready', versions, servedVersions: ['2'], ...changes });
  fake.snapshot = { ...fake.snapshot, models: [model] };
  page = await renderWithHosts(
    <VersionsTab model="m" version="" address={modelAddress('m', 'versions')} />,
    fake,
  );
  await until(() => page?.get('model-versions'));
  return page;
}

const told = (): string => document.body.textContent;

function wayBack(): Promise<HTMLElement> {
  return until(() => {
    const found = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Undo');
    if (found === undefined) throw new Error('no way back');
    return found;
  });
}

async function menu(name: string, label: string): Promise<HTMLElement> {
  await click(page?.get(`version-menu-${name}`) as HTMLElement);
  return until(() => {
    const found = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')].find(({ textContent }) =>
      textContent?.startsWith(label),
    );
    if (found === undefined) throw new Error(`no entry '${label}'`);
    return found;
  });
}

test.each<[Partial<VersionView>, string]>([
  [{}, 'Serving'],
  [{ state: 'NOT_SELECTED' }, 'Not selected by policy'],
  [{ state: 'UNAVAILABLE', reason: 'unloaded' }, 'Not loaded'],
  [{ state: 'UNAVAILABLE', reason: 'no such file' }, 'Failedno such file'],
  [{ state: 'UNKNOWN' }, 'Not loaded'],
  [{ state: 'LOADING' }, 'Loading'],
  [{ state: 'UNKNOWN', fileCount: 0 }, 'Empty'],
])('a version that is %j is called %j', async (changes, text) => {
  const { get } = await show({ versions: [version('1', changes)] });
  await until(() => expect(get('version-state-1').textContent).toBe(text));
});

test('the folder of an ensemble is empty on purpose', async () => {
  const versions = [version('1', { state: 'UNAVAILABLE', fileCount: 0, modifiedAtMs: 0, byteSize: 0 })];
  const { get } = await show({ versions, isEnsemble: true });
  await until(() => expect(get('version-state-1').textContent).toBe('Not loaded'));
});

test('the table has files, sizes, load time, weights and inferences of each version', async () => {
  const files = Array.from({ length: 6 }, (_, at) => ({
    path: `2/part${at}.bin`,
    byteSize: 10,
    modifiedAtMs: 0,
  }));
  fake.overrides['repository/files'] = () => [
    { path: '21/other.onnx', byteSize: 1, modifiedAtMs: 0 },
    ...files,
  ];
  const { get } = await show();
  const row = (name: string): string => get(`version-menu-${name}`).closest('tr')?.textContent ?? '';
  await until(() => expect(row('2')).toContain('part0.bin'));
  expect(row('2')).toContain('and 2 more');
  expect(row('2')).not.toContain('other.onnx');
  for (const text of ['12 ms', '18,204']) await until(() => expect(row('2')).toContain(text));
  expect(row('1')).toContain('no files');
  expect(await accessibilityFaults(get('versions-table'))).toEqual([]);
});

test('a model that does not serve is asked for no statistics', async () => {
  await show({ state: 'unloaded', servedVersions: [] });
  expect(fake.argsOf('observe/statistics')).toEqual([]);
});

test('one version is served alone with a way back; the one that is alone already says so', async () => {
  let text = 'name: "m"\n';
  const file = () => ({
    ...{ exists: true, text, hash: String(text.length), path: '/m/config.pbtxt', readOnlyReason: undefined },
    refusal: undefined,
  });
  fake.overrides['config/read'] = file;
  fake.overrides['config/write'] = ({ text: next }) => {
    text = next;
    return file();
  };
  await show();
  expect((await menu('2', 'Serve only this')).getAttribute('aria-disabled')).toBe('true');
  await click(document.body);
  await click(await menu('1', 'Serve only this'));
  await until(() => expect(text).toContain('specific'));
  expect(text).toMatch(/versions\s*:?\s*\[?\s*1/);
  // The message goes by itself: its button is taken before anything else is waited for.
  await click(await wayBack());
  await until(() => expect(fake.argsOf('repository/reload').length).toBeGreaterThan(0));
  await until(() => expect(text).toBe('name: "m"\n'));
});

test('a version is duplicated under the next number, and a failure is told', async () => {
  fake.overrides['repository/duplicateVersion'] = () => ({ version: '3' });
  await show();
  await click(await menu('1', 'Duplicate'));
  await until(() => expect(told()).toContain('Copied version 1 to version 3.'));
  fake.overrides['repository/duplicateVersion'] = () => {
    throw internal('no room left');
  };
  await click(await menu('1', 'Duplicate'));
  await until(() => expect(told()).toContain('no room left'));
});

test('a version goes to the bin after a question, and comes back', async () => {
  fake.overrides['repository/trashVersion'] = () => ({ movedTo: 'the bin', undo: 'u1' });
  fake.overrides['repository/restore'] = () => undefined;
  await show();
  await click(await menu('1', 'Move to bin'));
  await until(() => expect(told()).toContain('Move version 1 of m to the bin?'));
  expect(fake.argsOf('repository/trashVersion')).toEqual([]);
  const yes = [...document.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Move to bin',
  );
  await click(yes as HTMLElement);
  await until(() => expect(fake.argsOf('repository/trashVersion')).toEqual([{ model: 'm', version: '1' }]));
  await click(await wayBack());
  await until(() => expect(fake.argsOf('repository/restore')).toEqual([{ undo: 'u1' }]));
});

test('a folder for the next version is made, and the first one where there is none', async () => {
  fake.overrides['repository/createVersionFolder'] = () => undefined;
  const first = await show({ versions: [version('2'), version('10')] });
  const create = [...first.get('model-versions').querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Create folder 11',
  );
  await click(create as HTMLElement);
  await until(() =>
    expect(fake.argsOf('repository/createVersionFolder')).toEqual([{ model: 'm', version: '11' }]),
  );
  await first.close();
  const { get, query } = await show({ versions: [] });
  expect(query('policy-save')).toBeNull();
  await click(get('versions-create-first'));
  await until(() =>
    expect(fake.argsOf('repository/createVersionFolder').at(-1)).toEqual({ model: 'm', version: '1' }),
  );
});

test('a version is added from a file by the command for it', async () => {
  const asked: unknown[] = [];
  const off = registerCommand('repository.importOnnx', {
    run: (name) => void asked.push(name),
    disabledReason: () => undefined,
  });
  const { get } = await show();
  await click(get('versions-add'));
  expect(asked).toEqual(['m']);
  off();
});

const COMPARISON: VersionComparison = {
  tensors: [{ side: 'input', name: 'X', a: 'FP32 [4]', b: undefined }],
  operators: [{ type: 'Relu', a: 2, b: 3 }],
  parameterCount: { a: 1000, b: 2000 },
  parity: { verdict: 'differ', message: 'They answer differently.', outputs: [] },
};

test('two versions are put beside each other, the older one first, and others can be chosen', async () => {
  fake.overrides['repository/compareVersions'] = () => COMPARISON;
  const { get } = await show({ versions: [version('1'), version('2'), version('10')] });
  await click(get('versions-compare'));
  await until(() => expect(get('compare-parity').textContent).toContain('They answer differently.'));
  expect(fake.argsOf('repository/compareVersions')).toEqual([{ model: 'm', a: '2', b: '10' }]);
  expect(get('compare-tensors').textContent).toContain('–');
  expect(get('compare-operators').textContent).toContain('Relu');
  expect(get('compare-dialog').textContent).toContain('Parameters: 1,000 and 2,000.');
  await click(get('compare-a'));
  const option = await until(() => {
    const found = [...document.querySelectorAll<HTMLElement>('[role="option"]')].find(
      ({ textContent }) => textContent === 'v1',
    );
    if (found === undefined) throw new Error('no v1');
    return found;
  });
  await click(option);
  await until(() =>
    expect(fake.argsOf('repository/compareVersions').at(-1)).toEqual({ model: 'm', a: '1', b: '10' }),
  );
});

test('versions that are alike say so; a comparison that fails says why', async () => {
  fake.overrides['repository/compareVersions'] = () => ({ ...COMPARISON, tensors: [], operators: [] });
  const first = await show();
  await click(first.get('versions-compare'));
  await until(() =>
    expect(first.get('compare-dialog').textContent?.match(/No difference\./g)).toHaveLength(2),
  );
  await first.close();
  fake.overrides['repository/compareVersions'] = () => {
    throw internal('version 1 has no file');
  };
  const { get } = await show();
  await click(get('versions-compare'));
  await until(() => expect(get('compare-dialog').textContent).toContain('version 1 has no file'));
});

test('the speed of two is compared only where both are served', async () => {
  areas.setState({ ...before, screens: new Set(['perf']) });
  fake.overrides['repository/compareVersions'] = () => COMPARISON;
  const { get } = await show();
  await click(get('versions-compare'));
  await until(() => get('compare-speed'));
  expect(get('compare-speed').getAttribute('aria-disabled')).toBe('true');
  fake.change('m', { servedVersions: ['1', '2'] });
  await until(() => expect(get('compare-speed').getAttribute('aria-disabled')).toBeNull());
});
