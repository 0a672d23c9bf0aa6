import { afterEach, expect, test, vi } from 'vitest';

import { internal } from '../../../src-shared/errors.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, press, renderView, type, until } from '../../testing/render.tsx';
import { PathPicker } from './components/path-picker.tsx';
import { askPath, importStore } from './import-store.ts';

let page: Rendered | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await page?.close();
});

async function open(mode: 'folder' | 'any') {
  const fake = new FakeEngine();
  fake.server = { ...fake.server, uiRoot: '/home/ada' };
  fake.overrides['repository/browse'] = ({ path }) => ({
    path: path === '' ? '/home/ada' : path,
    parent: '',
    entries: [
      { name: 'models', isFolder: true, byteSize: 0, looksLike: 'repository' },
      { name: 'net.onnx', isFolder: false, byteSize: 1, looksLike: 'onnx' },
      { name: 'server.pid', isFolder: false, byteSize: 1, looksLike: 'unknown' },
    ],
  });
  fake.overrides['repository/createFolder'] = ({ parent, name }) => ({ path: `${parent}/${name}` });
  const answer = askPath('Choose', mode);
  page = await renderView(<PathPicker />, fake);
  await until(() => page?.get('picker-entry-models'));
  return { ...page, answer };
}

test('a folder is made and used where none fits', async () => {
  const { get, fake, answer } = await open('folder');
  expect(await accessibilityFaults()).toEqual([]);
  await click(get('picker-new-folder'));
  await type(get('picker-text'), 'new');
  await click(get('picker-text-done'));
  await until(() => expect(get('picker-path').textContent).toBe('/home/ada/new'));
  expect(fake.argsOf('repository/createFolder')).toEqual([{ parent: '/home/ada', name: 'new' }]);
  await click(get('picker-choose'));
  expect(await answer).toEqual(['/home/ada/new']);
});

test('a path can be typed, and only models are listed unless all files are asked for', async () => {
  const { get, query } = await open('any');
  expect(query('picker-entry-net.onnx')).not.toBeNull();
  expect(query('picker-entry-server.pid')).toBeNull();
  await click(get('picker-all'));
  await until(() => get('picker-entry-server.pid'));
  await click(get('picker-type'));
  await type(get('picker-text'), '/home/ada/models');
  await click(get('picker-text-done'));
  await until(() => expect(get('picker-path').textContent).toBe('/home/ada/models'));
});

test('a file whose path is typed is chosen, whatever it looks like', async () => {
  const { get, fake, answer } = await open('any');
  const file = { name: 'server.pid', isFolder: false, byteSize: 1, looksLike: 'unknown' } as const;
  fake.overrides['repository/browse'] = () => ({
    path: '/home/ada',
    parent: '',
    entries: [file],
    file: 'server.pid',
  });
  await click(get('picker-type'));
  await type(get('picker-text'), '/home/ada/server.pid');
  await click(get('picker-text-done'));
  await until(() => get('picker-entry-server.pid'));
  await click(get('picker-choose'));
  expect(await answer).toEqual(['/home/ada/server.pid']);
});

const isOff = (element: HTMLElement): boolean => element.getAttribute('aria-disabled') === 'true';

test('a folder that cannot be read says why, is no answer, and leads back', async () => {
  const { get, query, fake, answer } = await open('folder');
  const browse = fake.overrides['repository/browse'];
  fake.overrides['repository/browse'] = (args, context) => {
    if (args.path === '/root') throw internal('/root: permission denied');
    return browse!(args, context);
  };
  await click(get('picker-type'));
  await type(get('picker-text'), '/root');
  await click(get('picker-text-done'));
  await until(() => expect(get('path-picker').textContent).toContain('/root: permission denied'));
  expect(get('path-picker').textContent).not.toContain('This folder is empty.');
  // What was typed can be mended at once.
  const typed = await until(() => get('picker-text') as HTMLInputElement);
  expect(typed.value).toBe('/root');
  await until(() => expect(document.activeElement).toBe(typed));
  await click(get('picker-choose'));
  expect(importStore.getState().picker).toBeDefined();
  await click(get('picker-up'));
  await until(() => get('picker-entry-models'));
  expect(query('picker-text')).toBeNull();
  await until(() => expect(isOff(get('picker-up'))).toBe(true));
  expect(query('picker-choose')?.textContent).toBe('Use this folder');
  await click(get('picker-choose'));
  expect(await answer).toEqual(['/home/ada']);
});

test('folders are entered with the arrow key and with two clicks, files are answered with two', async () => {
  const { get, answer } = await open('any');
  await press(get('picker-entry-models'), 'ArrowRight');
  await until(() => expect(get('picker-path').textContent).toBe('/home/ada/models'));
  get('picker-entry-models').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
  await until(() => expect(get('picker-path').textContent).toBe('/home/ada/models/models'));
  // What was chosen in one folder is not chosen in the next.
  await until(() => expect(isOff(get('picker-choose'))).toBe(true));
  get('picker-entry-net.onnx').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
  expect(await answer).toEqual(['/home/ada/models/models/net.onnx']);
});

test('Escape in the typed path ends the typing, in the picker it cancels', async () => {
  const { get, query, answer } = await open('folder');
  await click(get('picker-type'));
  await press(get('picker-text'), 'Escape');
  await until(() => expect(query('picker-text')).toBeNull());
  expect(importStore.getState().picker).toBeDefined();
  await press(get('path-picker'), 'Escape');
  expect(await answer).toEqual([]);
});

test('a folder that cannot be made is told, and what was typed stays', async () => {
  const { get, fake } = await open('folder');
  fake.overrides['repository/createFolder'] = () => {
    throw internal('it is there already');
  };
  await click(get('picker-new-folder'));
  await type(get('picker-text'), 'models');
  await click(get('picker-text-done'));
  await until(() => expect(isOff(get('picker-text-done'))).toBe(false));
  expect((get('picker-text') as HTMLInputElement).value).toBe('models');
  expect(importStore.getState().picker).toBeDefined();
});

test('a page that may not look at folders says so, and can upload', async () => {
  const fake = new FakeEngine();
  fake.server = { ...fake.server, uiRoot: undefined };
  void askPath('Choose', 'any');
  page = await renderView(<PathPicker />, fake);
  const { get } = page;
  await until(() => get('picker-upload'));
  expect(get('path-picker').textContent).toContain('Upload files instead.');
  expect(isOff(get('picker-choose'))).toBe(true);
  expect(fake.argsOf('repository/browse')).toEqual([]);
});

test('what a folder holds has the focus however late it comes, and wherever the dialog has put it', async () => {
  const { get, fake } = await open('any');
  const late = Promise.withResolvers<void>();
  fake.overrides['repository/browse'] = async ({ path }) => {
    await late.promise;
    return {
      path,
      parent: '/home/ada',
      entries: [{ name: 'sub', isFolder: true, byteSize: 0, looksLike: 'repository' }],
    };
  };
  get('picker-entry-models').focus();
  await press(get('picker-entry-models'), 'ArrowRight');
  await until(() => expect(fake.argsOf('repository/browse').at(-1)).toEqual({ path: '/home/ada/models' }));
  get('picker-choose').focus();
  late.resolve();
  await until(() => expect(document.activeElement).toBe(get('picker-entry-sub')));
});

test('folders are walked with keys alone, and the focus walks along', async () => {
  const { get, fake, answer } = await open('any');
  fake.overrides['repository/browse'] = ({ path }) => ({
    path: path === '' ? '/home/ada' : path,
    parent: path === '' ? '' : '/home/ada',
    entries: [
      { name: 'sub', isFolder: true, byteSize: 0, looksLike: 'repository' },
      { name: 'net.onnx', isFolder: false, byteSize: 1, looksLike: 'onnx' },
    ],
  });
  const hasFocus = (id: string) => until(() => expect(document.activeElement).toBe(get(id)));
  get('picker-entry-models').focus();
  await press(get('picker-entry-models'), 'ArrowRight');
  await until(() => expect(get('picker-path').textContent).toBe('/home/ada/models'));
  await hasFocus('picker-entry-sub');
  await press(get('picker-entry-sub'), 'ArrowLeft');
  await until(() => expect(get('picker-path').textContent).toBe('/home/ada'));
  await hasFocus('picker-entry-sub');
  await press(get('picker-entry-sub'), 'ArrowDown');
  await hasFocus('picker-entry-net.onnx');
  // The first Enter is the click that chooses.
  await click(get('picker-entry-net.onnx'));
  await press(get('picker-entry-net.onnx'), 'Enter');
  expect(await answer).toEqual(['/home/ada/net.onnx']);
});

test('the list has the focus from the start, Tab leaves it in one step, and a letter goes to a name', async () => {
  const { get } = await open('any');
  await until(() => expect(document.activeElement).toBe(get('picker-entry-models')));
  const stops = () =>
    [...get('path-picker').querySelectorAll<HTMLElement>('[data-testid^="picker-entry-"]')]
      .filter(({ tabIndex }) => tabIndex === 0)
      .map(({ dataset }) => dataset['testid']);
  expect(stops()).toEqual(['picker-entry-models']);
  await press(get('picker-entry-models'), 'n');
  await until(() => expect(document.activeElement).toBe(get('picker-entry-net.onnx')));
  expect(stops()).toEqual(['picker-entry-net.onnx']);
  await press(get('picker-entry-net.onnx'), 'N');
  expect(document.activeElement).toBe(get('picker-entry-net.onnx'));
  await press(get('picker-entry-net.onnx'), 'x');
  expect(document.activeElement).toBe(get('picker-entry-net.onnx'));
});

test('a store that does not answer is said to be waited for, and for how long', async () => {
  const { get, query, fake, answer } = await open('folder');
  fake.overrides['repository/browse'] = () => new Promise<never>(() => undefined);
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  await click(get('picker-type'));
  await type(get('picker-text'), 's3://bucket/models');
  await click(get('picker-text-done'));
  await until(() => expect(get('picker-path').textContent).toBe('s3://bucket/models'));
  expect(query('picker-slow')).toBeNull();
  vi.advanceTimersByTime(5000);
  const slow = await until(() => get('picker-slow'));
  expect(slow.textContent).toBe(
    's3://bucket/models has not answered yet. Wait, type another path, or cancel. Asked 5 s ago.',
  );
  await press(document.activeElement ?? document.body, 'Escape');
  expect(await answer).toEqual([]);
});
