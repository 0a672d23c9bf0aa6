import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { DropItem } from '../../../src-shared/contract/repository-calls.ts';
import { internal, ServerError } from '../../../src-shared/errors.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { readSnapshots, subscribeState } from '../../engine/engine-state.ts';
import { fakeDropItem } from '../../testing/fake-drop-item.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { FAKE_REPOSITORY } from '../../testing/fake-models.ts';
import { forgetTold, allTold, toldOf } from '../../testing/told.ts';
import { fakeInspection } from '../../testing/fake-views.ts';
import type { Rendered } from '../../testing/render.tsx';
import { click, renderView, renderWithHosts, until } from '../../testing/render.tsx';
import { ToastHost } from '../../ui/toast.tsx';
import { importPaths } from './import-flow.ts';
import type { ImportDialog } from './import-store.ts';
import { closeDialog, importStore } from './import-store.ts';

let page: Rendered | undefined;
afterEach(async () => {
  await forgetTold();
  await page?.close();
  page = undefined;
});
beforeEach(() => importStore.setState({ dialogs: [], picker: undefined, uploads: [] }));

async function start(
  items: readonly DropItem[],
): Promise<{ readonly fake: FakeEngine; readonly engine: Engine }> {
  const fake = new FakeEngine();
  fake.overrides['repository/classify'] = ({ paths }) =>
    paths[0]?.startsWith('/drop') === true && paths.length === items.length ? items : [];
  fake.overrides['repository/import'] = ({ name, version }) => ({ model: name, version: version ?? '1' });
  const engine = fake.engine();
  subscribeState(engine.client, engine.state);
  await readSnapshots(engine.client, engine.state);
  return { fake, engine };
}

const copy = { intent: 'copy' } as const;

function openDialog<K extends ImportDialog['kind']>(kind: K): Extract<ImportDialog, { readonly kind: K }> {
  const dialog = importStore.getState().dialogs.find((one) => one.kind === kind);
  if (dialog === undefined) throw new Error(`no dialog '${kind}' is open`);
  return dialog as Extract<ImportDialog, { readonly kind: K }>;
}

test('a new model folder is copied at once into the repository that can be written to', async () => {
  const { fake, engine } = await start([fakeDropItem('model', { name: 'fresh' })]);
  await importPaths(engine, ['/drop/model'], copy);
  expect(fake.argsOf('repository/import')[0]).toMatchObject({
    source: '/drop/model',
    repository: FAKE_REPOSITORY,
    name: 'fresh',
    mode: 'new',
    load: true,
  });
});

test.each([
  ['add-version', { name: 'simple', mode: 'add-version', version: '2' }],
  ['replace', { name: 'simple', mode: 'replace' }],
  ['keep-both', { name: 'simple_2', mode: 'new' }],
] as const)('a taken name is asked about: %s', async (answer, job) => {
  const { fake, engine } = await start([
    fakeDropItem('model', { conflict: { hasSameInterface: true, nextVersion: '2' } }),
  ]);
  const done = importPaths(engine, ['/drop/model'], copy);
  await vi.waitFor(() => openDialog('conflict'));
  openDialog('conflict').answer(answer);
  await done;
  expect(fake.argsOf('repository/import')[0]).toMatchObject(job);
});

test('cancelling the conflict writes nothing', async () => {
  const { fake, engine } = await start([
    fakeDropItem('model', { conflict: { hasSameInterface: false, nextVersion: '2' } }),
  ]);
  const done = importPaths(engine, ['/drop/model'], copy);
  await vi.waitFor(() => openDialog('conflict'));
  openDialog('conflict').answer(undefined);
  await done;
  expect(fake.argsOf('repository/import')).toEqual([]);
});

test('a bare .onnx opens the wizard, and its data file belongs to it', async () => {
  const items = [
    fakeDropItem('onnx', { path: '/drop/big.onnx' }),
    fakeDropItem('input', { path: '/drop/weights.bin' }),
  ];
  const { fake, engine } = await start(items);
  fake.overrides['config/inspectOnnx'] = ({ path }) => ({
    ...fakeInspection(path),
    externalData: [{ name: 'weights.bin', byteSize: 4, isFound: true }],
  });
  await importPaths(
    engine,
    items.map(({ path }) => path),
    copy,
  );
  expect(openDialog('wizard').inspections.map(({ path }) => path)).toEqual(['/drop/big.onnx']);
  expect(importStore.getState().dialogs).toHaveLength(1);
});

test('a repository used in place is confirmed first; copied, each of its models is classified', async () => {
  const { fake, engine } = await start([
    fakeDropItem('repository', { models: [{ name: 'a', problem: undefined }] }),
  ]);
  await importPaths(engine, ['/drop/repository'], { intent: 'link' });
  closeDialog(openDialog('repository'));
  expect(fake.argsOf('repository/import')).toEqual([]);
  await importPaths(engine, ['/drop/repository'], copy);
  expect(fake.argsOf('repository/classify').at(-1)?.paths).toEqual(['/drop/repository/a']);
});

test('inspecting writes nothing', async () => {
  const { fake, engine } = await start([fakeDropItem('model')]);
  await importPaths(engine, ['/drop/model'], { intent: 'inspect' });
  expect(openDialog('inspect').item.kind).toBe('model');
  expect(fake.calls.map(({ name }) => name)).not.toContain('repository/import');
});

test('a version folder asks for the model it belongs to', async () => {
  const { engine } = await start([fakeDropItem('version', { name: 'resnet' })]);
  await importPaths(engine, ['/drop/version'], copy);
  expect(openDialog('version').model).toBe('resnet');
});

test('a mixed drop ends in one line', async () => {
  const { engine } = await start([
    fakeDropItem('model', { path: '/drop/a', name: 'a' }),
    fakeDropItem('model', { path: '/drop/b', name: 'b' }),
    fakeDropItem('version', { path: '/drop/1', name: 'simple' }),
    fakeDropItem('unknown', { path: '/drop/x.txt' }),
  ]);
  page = await renderView(<ToastHost />);
  await importPaths(engine, ['/drop/a', '/drop/b', '/drop/1', '/drop/x.txt'], copy);
  const texts = (): readonly string[] =>
    [...document.querySelectorAll('[data-sonner-toast]')].map(({ textContent }) => textContent);
  await until(() =>
    expect(texts()).toContainEqual(
      expect.stringContaining('2 models added, 1 needs your input, 1 not recognised'),
    ),
  );
  expect(texts().filter((text) => /^[ab] was added/.test(text))).toEqual([]);
});

test('one thing that fails is told, and the others are imported all the same', async () => {
  const { fake, engine } = await start(
    ['a', 'b', 'c'].map((name) => fakeDropItem('model', { path: `/drop/${name}`, name })),
  );
  fake.overrides['repository/import'] = ({ name }) => {
    if (name === 'b') throw internal("'b' cannot be read");
    return { model: name, version: '1' };
  };
  await importPaths(engine, ['/drop/a', '/drop/b', '/drop/c'], copy);
  expect(fake.argsOf('repository/import').map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  await toldOf("'b' cannot be read");
  await toldOf('2 models added');
});

test('an import that was cancelled in the list of tasks is no failure', async () => {
  const { fake, engine } = await start([fakeDropItem('model', { name: 'fresh' })]);
  fake.overrides['repository/import'] = () => {
    throw new ServerError('CANCELLED', 'cancelled: Importing fresh');
  };
  await importPaths(engine, ['/drop/model'], copy);
  expect(await allTold()).toEqual([]);
});

test.each([
  ['confirm-trust', [{ name: 'coded', trustCode: true }]],
  ['confirm-cancel', []],
])('code is asked about before it is copied: %s', async (button, sent) => {
  const { fake, engine } = await start([fakeDropItem('model', { name: 'coded', hasCode: true })]);
  page = await renderWithHosts(null, fake);
  const done = importPaths(engine, ['/drop/model'], copy);
  await click(await until(() => page!.get(button)));
  await done;
  expect(fake.argsOf('repository/import')).toMatchObject(sent);
});

test('code of a folder that is trusted already is not asked about again', async () => {
  const { fake, engine } = await start([
    fakeDropItem('model', { name: 'coded', hasCode: true, isTrusted: true }),
  ]);
  await importPaths(engine, ['/drop/model'], copy);
  expect(fake.argsOf('repository/import')).toMatchObject([{ name: 'coded', trustCode: true }]);
});

test('loading after an import can be switched off', async () => {
  const { fake, engine } = await start([fakeDropItem('model', { name: 'fresh' })]);
  const off = {
    ...fake.settings.settings.find(({ key }) => key === 'general.loadAfterImport')!,
    value: false,
  };
  engine.state.settings.setState({ view: { ...fake.settings, settings: [off] } });
  await importPaths(engine, ['/drop/model'], copy);
  expect(fake.argsOf('repository/import')).toMatchObject([{ name: 'fresh', load: false }]);
});

test('a file of another framework is read and gets its own wizard', async () => {
  const { fake, engine } = await start([fakeDropItem('framework', { path: '/drop/net.pt' })]);
  fake.overrides['framework/inspect'] = ({ path }) => ({ path }) as never;
  await importPaths(engine, ['/drop/net.pt'], copy);
  expect(openDialog('framework').inspection.path).toBe('/drop/net.pt');
});

test('a file that is being read is shown meanwhile, and reading it can be cancelled', async () => {
  const { engine } = await start([fakeDropItem('framework', { path: '/drop/net.pt' })]);
  const { client } = engine;
  const call = client.call.bind(client);
  client.call = ((name: string, args: unknown, options?: { readonly signal?: AbortSignal }) =>
    name === 'framework/inspect'
      ? new Promise((_resolve, reject) =>
          options?.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error)),
        )
      : call(name as never, args as never, options)) as never;
  const imported = importPaths(engine, ['/drop/net.pt'], copy);
  await until(() => expect(importStore.getState().readings).toMatchObject([{ name: 'net.pt' }]));
  importStore.getState().readings[0]?.controller.abort(new DOMException('cancelled', 'AbortError'));
  await imported;
  expect(importStore.getState()).toMatchObject({ readings: [], dialogs: [] });
});

test('the code of a model is read and run after its user said so', async () => {
  const { fake, engine } = await start([
    fakeDropItem('framework', { path: '/drop/model.py', hasCode: true }),
  ]);
  fake.overrides['framework/inspect'] = ({ path }) => ({ path }) as never;
  page = await renderWithHosts(<></>, fake);
  const imported = importPaths(engine, ['/drop/model.py'], copy);
  await click(await until(() => page!.get('confirm-trust')));
  await imported;
  expect(openDialog('framework')).toMatchObject({ inspection: { path: '/drop/model.py' }, isCode: true });
});

test('a single file for a model that is not there yet gets its name; one that is there keeps its own', async () => {
  const { engine } = await start([fakeDropItem('onnx', { path: '/drop/a.onnx' })]);
  await importPaths(engine, ['/drop/a.onnx'], { intent: 'copy', model: 'wanted' });
  expect(openDialog('wizard').inspections[0]?.suggestedName).toBe('wanted');
  importStore.setState({ dialogs: [] });
  await importPaths(engine, ['/drop/a.onnx'], { intent: 'copy', model: 'simple' });
  expect(openDialog('wizard').inspections[0]?.suggestedName).toBe('mobilenet');
});

test('a model used in place is used through the folder around it', async () => {
  const { engine } = await start([fakeDropItem('model', { path: 'C:\\models\\net\\' })]);
  engine.client.call = (async () => [fakeDropItem('model', { path: 'C:\\models\\net\\' })]) as never;
  await importPaths(engine, ['C:\\models\\net\\'], { intent: 'link' });
  expect(openDialog('repository').item.path).toBe('C:\\models');
});

test('of a model used in place everything that lies beside it is shown, and asked about its code', async () => {
  const { fake, engine } = await start([]);
  const models = ['net', 'other'].map((name) => ({ name, problem: undefined }));
  fake.overrides['repository/classify'] = ({ paths: [path = ''] }) => [
    path === '/drop/net'
      ? fakeDropItem('model', { path, name: 'net' })
      : fakeDropItem('repository', { path, models, hasCode: true }),
  ];
  await importPaths(engine, ['/drop/net'], { intent: 'link' });
  expect(openDialog('repository').item).toMatchObject({ path: '/drop', models, hasCode: true });
});

test.each([
  ['archive', '', 'Archives are not opened'],
  ['unknown', '', 'not recognised'],
  ['other-format', 'TensorFlow Lite cannot run here.', 'TensorFlow Lite cannot run here.'],
] as const)('a thing of kind %s alone is told in words of its own', async (kind, message, part) => {
  const { fake, engine } = await start([fakeDropItem(kind, { message })]);
  await importPaths(engine, [`/drop/${kind}`], copy);
  await vi.waitFor(async () =>
    expect((await allTold()).join(' ').toLowerCase()).toContain(part.toLowerCase()),
  );
  expect(fake.argsOf('repository/import')).toEqual([]);
});

test('without a repository that takes it a model is not copied, and that is told', async () => {
  const { fake, engine } = await start([fakeDropItem('model', { name: 'fresh' })]);
  engine.state.models.setState({ repositories: [] });
  engine.state.server.setState({ view: undefined });
  await importPaths(engine, ['/drop/model'], copy);
  expect(fake.argsOf('repository/import')).toEqual([]);
  expect(await allTold()).toHaveLength(1);
});

test('an import that cannot even look is told', async () => {
  const { fake, engine } = await start([]);
  fake.overrides['repository/classify'] = () => {
    throw internal('the server may not read /drop');
  };
  await importPaths(engine, ['/drop/x'], copy);
  await toldOf('the server may not read /drop');
});

test('the weights beside an OpenVINO model are part of it, and no file of their own', async () => {
  const { fake, engine } = await start([
    fakeDropItem('framework', { path: '/drop/net.xml' }),
    fakeDropItem('unknown', { path: '/drop/net.bin' }),
  ]);
  fake.overrides['framework/inspect'] = () => Promise.reject(new ServerError('CANCELLED', 'cancelled'));
  await importPaths(engine, ['/drop/net.xml', '/drop/net.bin'], copy);
  expect(await allTold()).toEqual([]);
});
