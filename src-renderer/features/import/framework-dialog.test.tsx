// Model files of other frameworks: what has to be said by hand, and what is sent then.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { FrameworkInspection } from '../../../src-shared/contract/framework-calls.ts';
import { internal } from '../../../src-shared/errors.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, choose, click, renderWithHosts, type, until } from '../../testing/render.tsx';
import { forgetTold, toldOf } from '../../testing/told.ts';
import { ImportHost } from './import-host.tsx';
import { importStore, showDialog } from './import-store.ts';

let page: Rendered | undefined;

beforeEach(() => importStore.setState({ dialogs: [], picker: undefined, uploads: [] }));
afterEach(async () => {
  await forgetTold();
  await page?.close();
});

const inspection: FrameworkInspection = {
  path: '/drop/net.pt',
  byteSize: 2048,
  backend: 'pytorch',
  title: 'PyTorch',
  platform: 'pytorch_libtorch',
  artefact: 'model.pt',
  suggestedName: 'batch_mlp',
  inputs: [{ name: 'image', datatype: 'FP32', shape: [-1, 3] }],
  outputs: [{ name: 'OUTPUT__0', datatype: null, shape: null }],
  note: 'TorchScript keeps no sizes of outputs.',
  problem: undefined,
  completes: false,
  maxBatchSize: undefined,
  isServable: true,
  needs: undefined,
};

async function start(changes: Partial<FrameworkInspection> = {}, fake = new FakeEngine()): Promise<Rendered> {
  fake.overrides['framework/create'] ??= ({ name }) => ({ model: name });
  showDialog({ kind: 'framework', inspection: { ...inspection, ...changes }, isCode: false });
  page = await renderWithHosts(<ImportHost />, fake);
  const { get } = page;
  await until(() => get('framework-dialog'));
  return page;
}

const isOff = (element: HTMLElement): boolean => element.getAttribute('aria-disabled') === 'true';

test('what the file does not say is asked for, then a model of a free name is made', async () => {
  const { get, query, fake } = await start();
  expect((get('framework-name') as HTMLInputElement).value).toBe('batch_mlp_2');
  expect(get('framework-dialog').textContent).toContain('TorchScript keeps no sizes of outputs.');
  expect(get('framework-obstacle').textContent).toBe('Choose the type of OUTPUT__0.');
  expect(isOff(get('framework-create'))).toBe(true);
  expect(await accessibilityFaults()).toEqual([]);
  await choose(get('framework-outputs-0-type'), 'INT64');
  await until(() => expect(get('framework-obstacle').textContent).toContain('sizes of OUTPUT__0'));
  await type(get('framework-outputs-0-dims'), '10');
  await until(() => expect(query('framework-obstacle')).toBeNull());
  const preview = get('framework-config-preview').textContent;
  await click(get('framework-create-load'));
  await until(() => expect(query('framework-dialog')).toBeNull());
  const [sent] = fake.argsOf('framework/create');
  expect(sent).toMatchObject({ path: '/drop/net.pt', name: 'batch_mlp_2', version: '1', load: true });
  expect(sent?.configText.trim()).toBe(preview.trim());
  expect(sent?.configText).toContain('data_type: TYPE_INT64\n  dims: [10]');
});

test('tensors are added and removed, and two of one name are refused', async () => {
  const { get, query } = await start({ outputs: [{ name: 'y', datatype: 'FP32', shape: [4] }] });
  await until(() => expect(query('framework-obstacle')).toBeNull());
  const buttons = (label: string): readonly HTMLElement[] =>
    [...get('framework-dialog').querySelectorAll<HTMLElement>('button')].filter(
      (button) => (button.getAttribute('aria-label') ?? button.textContent) === label,
    );
  const remove = buttons('Remove tensor');
  // A model without an input or an output is none.
  expect(remove.map(isOff)).toEqual([true, true]);
  await click(buttons('Add tensor')[1]!);
  await until(() => expect(get('framework-obstacle').textContent).toBe('Every tensor needs a name.'));
  await type(get('framework-outputs-1-name'), 'y');
  await choose(get('framework-outputs-1-type'), 'FP32');
  await type(get('framework-outputs-1-dims'), '4');
  await until(() => expect(get('framework-obstacle').textContent).toBe('Two outputs are named y.'));
  await click(buttons('Remove tensor').at(-1)!);
  await until(() => expect(query('framework-obstacle')).toBeNull());
});

test('what cannot run here can be kept, not loaded; the reason is in sight', async () => {
  const { get } = await start({
    outputs: [{ name: 'y', datatype: 'FP32', shape: [4] }],
    needs: 'PyTorch is not installed here.',
  });
  expect(get('framework-dialog').textContent).toContain('PyTorch is not installed here.');
  expect(isOff(get('framework-create'))).toBe(false);
  expect(isOff(get('framework-create-load'))).toBe(true);
});

test('a file that a load completes needs nothing typed, and the preview says so', async () => {
  const { get, query, fake } = await start({ inputs: [], outputs: [], completes: true });
  expect(query('framework-obstacle')).toBeNull();
  expect(get('framework-left-open').textContent).toContain('is read from the file when');
  await click(get('framework-create'));
  await until(() => expect(query('framework-dialog')).toBeNull());
  expect(fake.argsOf('framework/create')[0]?.configText).not.toContain('input');
});

test('a file that can never be served cannot be made a model, and says what to do instead', async () => {
  const { get, query } = await start({
    inputs: [],
    outputs: [],
    isServable: false,
    problem: 'These are weights.',
  });
  expect(get('framework-problem').textContent).toBe('These are weights.');
  expect(query('framework-obstacle')).toBeNull();
  expect(isOff(get('framework-create'))).toBe(true);
});

test('a file that could not be read is described by hand', async () => {
  const { get } = await start({ inputs: [], outputs: [], problem: 'The file is encrypted.' });
  expect(get('framework-problem').textContent).toContain('The file is encrypted.');
  expect(get('framework-obstacle').textContent).toBe('Every tensor needs a name.');
});

test('a failure is told and leaves what was typed', async () => {
  const fake = new FakeEngine();
  fake.overrides['framework/create'] = () => {
    throw internal('the disk is full.');
  };
  const { get } = await start({ outputs: [{ name: 'y', datatype: 'FP32', shape: [4] }] }, fake);
  await type(get('framework-name'), 'fresh');
  await click(get('framework-create'));
  await toldOf('the disk is full.');
  await until(() => expect(isOff(get('framework-create'))).toBe(false));
  expect((get('framework-name') as HTMLInputElement).value).toBe('fresh');
  expect(fake.argsOf('framework/create')).toMatchObject([{ name: 'fresh', load: false }]);
});

const NO_TORCH = 'PyTorch is missing: run `/usr/bin/python3 -m pip install torch` and try it again.';

test('a command in the words of a problem is code, and can be copied', async () => {
  const { get } = await start({ problem: NO_TORCH });
  const shown = get('framework-problem');
  expect(shown.querySelector('code')?.textContent).toBe('/usr/bin/python3 -m pip install torch');
  expect(shown.textContent).not.toContain('`');
  expect(get('framework-copy-command')).not.toBeNull();
  expect(await accessibilityFaults()).toEqual([]);
});

test('once the package is there, the file is read again from the dialog, and what was typed stays', async () => {
  const fake = new FakeEngine();
  const unread = { ...inspection, inputs: [], outputs: [], problem: NO_TORCH };
  fake.overrides['framework/inspect'] = () => unread;
  const { get, query } = await start(unread, fake);
  await type(get('framework-name'), 'mine');
  await type(get('framework-inputs-0-name'), 'typed');
  await click(get('framework-check-again'));
  await until(() => expect(get('framework-problem').textContent).toContain('it is still so'));
  expect((get('framework-inputs-0-name') as HTMLInputElement).value).toBe('typed');
  fake.overrides['framework/inspect'] = () => inspection;
  await click(get('framework-check-again'));
  await until(() => expect(query('framework-problem')).toBeNull());
  expect((get('framework-inputs-0-name') as HTMLInputElement).value).toBe('image');
  expect((get('framework-name') as HTMLInputElement).value).toBe('mine');
  expect(fake.argsOf('framework/inspect')).toEqual([{ path: '/drop/net.pt' }, { path: '/drop/net.pt' }]);
});
