import { afterEach, expect, test } from 'vitest';

import { FakeEngine } from '../../testing/fake-engine.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderView, type, until } from '../../testing/render.tsx';
import { PathPicker } from './components/path-picker.tsx';
import { askPath } from './import-store.ts';

let page: Rendered | undefined;
afterEach(() => page?.close());

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
