// The ways in: a drop, a picker, an upload; what is said when one of them fails, and what is not said when it is cancelled.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { DropItem } from '../../../src-shared/contract/repository-calls.ts';
import { fakeDropItem } from '../../testing/fake-drop-item.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { installShell } from '../../testing/fake-shell.ts';
import { allTold, forgetTold, readyEngine, toldOf, toldTexts } from '../../testing/told.ts';
import type { Dropped } from './dropped-entries.ts';
import { closeDialog, importStore, showDialog } from './import-store.ts';
import { addRepository, importDrop, importFiles, locateFile, pickFolder, upload } from './start-import.ts';

let restore: (() => void) | undefined;

beforeEach(() => importStore.setState({ dialogs: [], picker: undefined, uploads: [] }));
afterEach(async () => {
  await forgetTold();
  restore?.();
  restore = undefined;
});

function classified(kind: DropItem['kind'], changes: Partial<DropItem> = {}): FakeEngine {
  const fake = new FakeEngine();
  fake.overrides['repository/classify'] = ({ paths }) =>
    paths.map((path) => fakeDropItem(kind, { path, name: 'net', ...changes }));
  return fake;
}

/** Answers the page's own picker as soon as it asks. */
function answerPicker(paths: readonly string[]): void {
  restore = importStore.subscribe(({ picker }) => picker?.answer(paths));
}

/** An upload endpoint; `hang` never answers a piece and ends with its signal. */
function serveUploads(answer: 'take' | 'refuse' | 'hang'): void {
  vi.stubGlobal('fetch', (_url: string, { method, signal }: RequestInit) => {
    if (method === 'POST') return Promise.resolve(Response.json({ upload: 'u1', path: '/data/u1' }));
    if (method === 'PATCH' && answer === 'refuse')
      return Promise.resolve(new Response('the disk is full', { status: 507 }));
    if (method === 'HEAD' && answer === 'refuse') return Promise.resolve(new Response(null, { status: 404 }));
    if (method === 'PATCH' && answer === 'hang')
      return new Promise((_resolve, reject) =>
        signal?.aborted === true
          ? reject(signal.reason as Error)
          : signal?.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    return Promise.resolve(new Response(null, { status: 204 }));
  });
  restore = () => vi.unstubAllGlobals();
}

const files = [
  { path: 'net/config.pbtxt', file: new Blob(['name: "net"']) },
  { path: 'other.onnx', file: new Blob(['x']) },
];

const dropOf = (changes: Partial<Dropped>): Dropped => ({
  paths: [],
  files: () => Promise.resolve([]),
  names: [],
  ...changes,
});

const dialogs = (): readonly unknown[] => importStore.getState().dialogs.map(({ kind }) => kind);

test('dropped paths are imported where they are, for what the zone said', async () => {
  const fake = classified('model');
  await importDrop(await readyEngine(fake), dropOf({ paths: ['/drop/net'] }), 'inspect');
  expect(dialogs()).toEqual(['inspect']);
  expect(fake.calls.map(({ name }) => name)).not.toContain('repository/import');
});

test('files of a browser are uploaded, and what arrived is imported by its top folders', async () => {
  serveUploads('take');
  const fake = classified('config');
  await importDrop(await readyEngine(fake), dropOf({ files: () => Promise.resolve(files) }), 'copy');
  expect(fake.argsOf('repository/classify')[0]?.paths).toEqual(['/data/u1/net', '/data/u1/other.onnx']);
  expect(importStore.getState().uploads).toEqual([]);
});

test('a folder without a file is told, and nothing is asked of the server', async () => {
  const fake = classified('folder');
  await importDrop(await readyEngine(fake), dropOf({ files: () => Promise.resolve([]) }), 'copy');
  await toldOf('There is no file in what was dropped');
  expect(fake.argsOf('repository/classify')).toEqual([]);
});

test('a drop that the browser cannot read is told', async () => {
  const engine = await readyEngine(classified('model'));
  const unreadable = (): Promise<never> => Promise.reject(new Error('the file is gone'));
  await importDrop(engine, dropOf({ files: unreadable }), 'copy');
  await toldOf('could not be read: the file is gone');
});

test('a browser cannot use a drop in place: it says so and asks for the folder', async () => {
  answerPicker(['/srv/models']);
  const fake = classified('repository');
  const read = vi.fn(() => Promise.resolve(files));
  await importDrop(await readyEngine(fake), dropOf({ files: read }), 'link');
  expect(read).not.toHaveBeenCalled();
  expect(dialogs()).toEqual(['repository']);
  await vi.waitFor(() => expect(toldTexts()).toHaveLength(1));
});

test('an upload shows how far it is, can be cancelled, and says nothing then', async () => {
  serveUploads('hang');
  const done = upload(files);
  await vi.waitFor(() => expect(importStore.getState().uploads[0]?.name).toBe('net +1'));
  importStore.getState().uploads[0]?.controller.abort(new DOMException('cancelled', 'AbortError'));
  expect(await done).toEqual([]);
  expect(importStore.getState().uploads).toEqual([]);
  expect(await allTold()).toEqual([]);
});

test('an upload that fails says why and gives no paths', async () => {
  serveUploads('refuse');
  expect(await upload(files)).toEqual([]);
  await toldOf('The upload broke off: ');
  expect(importStore.getState().uploads).toEqual([]);
});

test('nothing to upload asks the server for nothing', async () => {
  const request = vi.fn();
  vi.stubGlobal('fetch', request);
  restore = () => vi.unstubAllGlobals();
  expect(await upload([])).toEqual([]);
  expect(request).not.toHaveBeenCalled();
});

test.each([
  ['repository', ['repository']],
  // An empty folder is where a repository begins.
  ['folder', ['repository']],
  // A model is used through the folder around it.
  ['model', ['repository']],
  ['archive', []],
] as const)('what adding a folder that holds a %s opens', async (kind, expected) => {
  answerPicker(['/srv/models/net']);
  const engine = await readyEngine(classified(kind, { message: 'Archives are not opened.' }));
  await addRepository(engine, '/srv/old');
  expect(dialogs()).toEqual(expected);
  const [dialog] = importStore.getState().dialogs;
  if (kind === 'model' && dialog?.kind === 'repository') expect(dialog.item.path).toBe('/srv/models');
  if (kind === 'repository') expect(dialog).toMatchObject({ replaced: '/srv/old' });
  if (kind === 'archive') await toldOf('Archives are not opened.');
});

test('cancelled pickers ask the server nothing', async () => {
  answerPicker([]);
  const fake = classified('repository');
  const engine = await readyEngine(fake);
  await addRepository(engine);
  await importFiles(engine, { intent: 'copy' });
  expect(await locateFile('Locate')).toBeUndefined();
  expect(fake.argsOf('repository/classify')).toEqual([]);
});

test('the desktop app asks with the dialogs of the system', async () => {
  const shell = installShell({
    'shell/pickFolders': () => ['/home/ada/models'],
    'shell/pickFiles': () => ['/home/ada/net.onnx', '/home/ada/b.onnx'],
  });
  restore = shell.remove;
  expect(await pickFolder('Folder')).toEqual(['/home/ada/models']);
  expect(await locateFile('Weights')).toBe('/home/ada/net.onnx');
  const fake = classified('unknown');
  await importFiles(await readyEngine(fake), { intent: 'copy' });
  expect(fake.argsOf('repository/classify')[0]?.paths).toEqual(['/home/ada/net.onnx', '/home/ada/b.onnx']);
  const asked = shell.calls.map(({ args }) => args) as { filters?: { extensions: string[] }[] }[];
  // Weights may be of any kind, a model is one of few.
  expect(asked[1]?.filters).toEqual([]);
  expect(asked[2]?.filters?.[0]?.extensions).toContain('onnx');
  expect(importStore.getState().picker).toBeUndefined();
});

test('what was uploaded goes from the server once its dialog is closed, not before', async () => {
  const dropped: string[] = [];
  vi.stubGlobal('fetch', (url: string, { method }: RequestInit) => {
    if (method === 'POST') return Promise.resolve(Response.json({ upload: 'u7', path: '/data/u7' }));
    if (method === 'DELETE') dropped.push(url);
    return Promise.resolve(new Response(null, { status: 204 }));
  });
  restore = () => vi.unstubAllGlobals();
  const engine = await readyEngine(classified('config'));
  await importDrop(engine, dropOf({ files: () => Promise.resolve(files.slice(0, 1)) }), 'copy');
  const [dialog] = importStore.getState().dialogs;
  expect(dialog).toMatchObject({ kind: 'config', item: { path: '/data/u7/net' } });
  expect(dropped).toEqual([]);
  closeDialog(dialog!);
  await vi.waitFor(() => expect(dropped).toEqual(['/upload/u7']));
});

test('a file that was uploaded to be located stays', async () => {
  const dropped: string[] = [];
  vi.stubGlobal('fetch', (url: string, { method }: RequestInit) => {
    if (method === 'POST') return Promise.resolve(Response.json({ upload: 'u8', path: '/data/u8' }));
    if (method === 'DELETE') dropped.push(url);
    return Promise.resolve(new Response(null, { status: 204 }));
  });
  restore = () => vi.unstubAllGlobals();
  expect(await upload(files.slice(1))).toEqual(['/data/u8/other.onnx']);
  const item = fakeDropItem('config', { path: '/elsewhere/config.pbtxt', name: 'net' });
  showDialog({ kind: 'config', item });
  closeDialog(importStore.getState().dialogs[0]!);
  await Promise.resolve();
  expect(dropped).toEqual([]);
});
