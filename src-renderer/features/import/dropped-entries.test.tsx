// What a drop holds: paths in the desktop app, in a browser files with their place inside the dropped folders.

import { afterEach, expect, test } from 'vitest';

import { installShell } from '../../testing/fake-shell.ts';
import { filesOf, readDrop } from './dropped-entries.ts';

const entry = (fullPath: string): FileSystemFileEntry =>
  ({
    isFile: true,
    isDirectory: false,
    name: fullPath.split('/').at(-1),
    fullPath,
    file: (resolve: (file: File) => void) => resolve(new File([fullPath], fullPath)),
  }) as unknown as FileSystemFileEntry;

/** A folder whose reader gives its entries in portions, as browsers do. */
function folder(fullPath: string, children: readonly FileSystemEntry[], portion = 2): FileSystemEntry {
  return {
    isFile: false,
    isDirectory: true,
    name: fullPath.split('/').at(-1),
    fullPath,
    createReader: () => {
      let given = 0;
      return {
        readEntries: (resolve: (batch: readonly FileSystemEntry[]) => void) => {
          resolve(children.slice(given, given + portion));
          given += portion;
        },
      };
    },
  } as unknown as FileSystemEntry;
}

function transferOf(entries: readonly (FileSystemEntry | null)[], files: readonly File[] = []): DataTransfer {
  const items = entries.map((one) => ({ kind: 'file', webkitGetAsEntry: () => one }));
  return { items, files } as unknown as DataTransfer;
}

let remove: (() => void) | undefined;
afterEach(() => remove?.());

test('a folder is read whole, however many portions it comes in, and keeps its inner paths', async () => {
  const model = folder('/net', [
    entry('/net/config.pbtxt'),
    folder('/net/1', [entry('/net/1/model.onnx'), entry('/net/1/a.bin'), entry('/net/1/b.bin')]),
    entry('/net/labels.txt'),
  ]);
  const dropped = readDrop(transferOf([model, entry('/single.onnx')]));
  expect(dropped.paths).toEqual([]);
  expect(dropped.names).toEqual(['net', 'single.onnx']);
  expect((await dropped.files()).map(({ path }) => path)).toEqual([
    'net/config.pbtxt',
    'net/1/model.onnx',
    'net/1/a.bin',
    'net/1/b.bin',
    'net/labels.txt',
    'single.onnx',
  ]);
});

test('what is no file of a file system, such as dragged text, is left out', async () => {
  const transfer = transferOf([null, entry('/a.onnx')]);
  (transfer.items as unknown as { kind: string; webkitGetAsEntry: () => null }[]).push({
    kind: 'string',
    webkitGetAsEntry: () => null,
  });
  const dropped = readDrop(transfer);
  expect(dropped.names).toEqual(['a.onnx']);
  expect(await dropped.files()).toHaveLength(1);
});

test('in the desktop app paths are taken, without those that have none', async () => {
  remove = installShell().remove;
  const shell = window.conchShell;
  Object.assign(shell ?? {}, {
    pathForFile: ({ name }: File) => (name === 'from-the-web.png' ? undefined : `/home/ada/${name}`),
  });
  const dropped = readDrop(transferOf([], [new File([], 'net.onnx'), new File([], 'from-the-web.png')]));
  expect(dropped.paths).toEqual(['/home/ada/net.onnx']);
  expect(await dropped.files()).toEqual([]);
});

test('a chosen folder keeps its inner paths, a chosen file has only its name', () => {
  const inner = new File(['x'], 'model.onnx');
  Object.defineProperty(inner, 'webkitRelativePath', { value: 'net/1/model.onnx' });
  const plain = new File(['y'], 'other.onnx');
  Object.defineProperty(plain, 'webkitRelativePath', { value: '' });
  const list = [inner, plain] as unknown as FileList;
  expect(filesOf(list).map(({ path }) => path)).toEqual(['net/1/model.onnx', 'other.onnx']);
});
