// Files on their way to an input: what was chosen last wins, a sample gives way, and what does not fit is said.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { internal } from '../../../src-shared/errors.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeInterface } from '../../testing/fake-playground.ts';
import type { Rendered } from '../../testing/render.tsx';
import { renderWithHosts, until } from '../../testing/render.tsx';
import { takeFile, takeSample } from './file-actions.ts';
import { fileKind } from './file-kind.ts';
import { pictureOf } from './file-pictures.ts';
import { clearPlaygrounds, editInput, playgroundOf, setInterface } from './playground-store.ts';
import { isWithoutPicture } from './sample-pictures.ts';

const IO = fakeInterface({
  inputs: [
    { name: 'V', datatype: 'FP32', shape: [4], optional: true, imageLayout: '' },
    { name: 'P', datatype: 'FP32', shape: [3, -1, -1], optional: false, imageLayout: 'NCHW' },
    { name: 'T', datatype: 'BYTES', shape: [-1], optional: true, imageLayout: '' },
  ],
});

let fake: FakeEngine;
let page: Rendered;
/** Uploads wait here, by the first byte of the file. */
let gates: Map<number, PromiseWithResolvers<void>>;

beforeEach(async () => {
  clearPlaygrounds();
  gates = new Map();
  fake = new FakeEngine();
  let count = 0;
  fake.overrides['blob/create'] = () => ({ blob: `b${(count += 1)}` });
  fake.overrides['blob/append'] = async ({ base64 }) => {
    const bytes = atob(base64);
    await gates.get(bytes.charCodeAt(0))?.promise;
    return { byteSize: bytes.length };
  };
  fake.overrides['blob/release'] = () => undefined;
  vi.stubGlobal('createImageBitmap', () =>
    Promise.resolve({ width: 20, height: 10, close: () => undefined }),
  );
  URL.createObjectURL = () => 'blob:picture';
  URL.revokeObjectURL = () => undefined;
  page = await renderWithHosts(null, fake);
  setInterface(playgroundOf('m'), IO);
});

afterEach(async () => {
  await page.close();
  vi.unstubAllGlobals();
});

const store = () => playgroundOf('m');
function inputOf(name: string) {
  const found = store()
    .getState()
    .draft?.inputs.find((input) => input.name === name);
  if (found === undefined) throw new Error(`no input ${name}`);
  return found;
}
const bytesFile = (first: number, name: string, type = ''): File =>
  new File([new Uint8Array([first])], name, { type });
const client = () => fake.engine().client;
const hold = (first: number): PromiseWithResolvers<void> => {
  const gate = Promise.withResolvers<void>();
  gates.set(first, gate);
  return gate;
};
const told = (): string => document.body.textContent;

test('a file that was chosen later is not covered by one that took longer', async () => {
  const slow = hold(1);
  const first = takeFile(client(), store(), inputOf('V'), bytesFile(1, 'slow.npy'));
  await vi.waitFor(() => expect(fake.argsOf('blob/append')).toHaveLength(1));
  await takeFile(client(), store(), inputOf('V'), bytesFile(2, 'quick.npy'));
  expect(inputOf('V').file?.name).toBe('quick.npy');
  slow.resolve();
  await first;
  expect(inputOf('V').file?.name).toBe('quick.npy');
  expect(store().getState().uploads).toEqual({});
  await vi.waitFor(() => expect(fake.argsOf('blob/release')).toHaveLength(1));
  expect(told()).not.toContain('slow.npy');
});

test('a sample waits for what the user chose, and gives way to it', async () => {
  const own = hold(1);
  const chosen = takeFile(client(), store(), inputOf('P'), bytesFile(1, 'mine.png', 'image/png'));
  await vi.waitFor(() => expect(fake.argsOf('blob/append')).toHaveLength(1));
  const file = bytesFile(9, 'cat', 'image/jpeg');
  const sample = takeSample(client(), store(), inputOf('P'), { file, isWanted: isWithoutPicture });
  own.resolve();
  await Promise.all([chosen, sample]);
  expect(inputOf('P').image?.name).toBe('mine.png');
  expect(fake.argsOf('blob/create')).toHaveLength(1);
});

test('a sample that is on its way gives way to what the user chose meanwhile', async () => {
  const slow = hold(9);
  const file = bytesFile(9, 'cat', 'image/jpeg');
  const sample = takeSample(client(), store(), inputOf('P'), { file, isWanted: isWithoutPicture });
  await vi.waitFor(() => expect(fake.argsOf('blob/append')).toHaveLength(1));
  await takeFile(client(), store(), inputOf('P'), bytesFile(1, 'mine.png', 'image/png'));
  slow.resolve();
  await sample;
  expect(inputOf('P').image?.name).toBe('mine.png');
});

test('files of different inputs are on their way at the same time', async () => {
  const [one, two] = [hold(1), hold(2)];
  const both = [
    takeFile(client(), store(), inputOf('V'), bytesFile(1, 'v.npy')),
    takeFile(client(), store(), inputOf('P'), bytesFile(2, 'p.raw')),
  ];
  await vi.waitFor(() => expect(Object.keys(store().getState().uploads).sort()).toEqual(['P', 'V']));
  two.resolve();
  one.resolve();
  await Promise.all(both);
  expect([inputOf('V').file?.name, inputOf('P').file?.name]).toEqual(['v.npy', 'p.raw']);
});

test('a file makes an optional input one that is sent', async () => {
  expect([inputOf('V').isSent, inputOf('T').isSent]).toEqual([false, false]);
  await takeFile(client(), store(), inputOf('V'), bytesFile(1, 'v.npy'));
  await takeFile(client(), store(), inputOf('T'), new File(['one\r\ntwo\n'], 'lines.txt'));
  expect(inputOf('V')).toMatchObject({ isSent: true, mode: 'file', file: { format: 'npy' } });
  expect(inputOf('T')).toMatchObject({ isSent: true, mode: 'values', values: ['one', 'two'], shape: [2] });
});

test('a picture gives free sizes its own, and can be seen from here', async () => {
  await takeFile(client(), store(), inputOf('P'), bytesFile(1, 'wide.png', 'image/png'));
  const { shape, image, mode } = inputOf('P');
  expect([mode, shape]).toEqual(['image', [3, 10, 20]]);
  expect(pictureOf(image?.blob ?? '')).toBe('blob:picture');
  expect(pictureOf('saved')).toBeUndefined();
});

test('free sizes follow the next picture, until they are set by hand', async () => {
  await takeFile(client(), store(), inputOf('P'), bytesFile(1, 'wide.png', 'image/png'));
  const bitmap = (width: number, height: number) =>
    vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width, height, close: () => undefined }));
  bitmap(40, 30);
  await takeFile(client(), store(), inputOf('P'), bytesFile(2, 'other.png', 'image/png'));
  expect(inputOf('P').shape).toEqual([3, 30, 40]);
  editInput(store(), 'P', (input) => ({ ...input, shape: [3, 32, 32] }));
  bitmap(5, 6);
  await takeFile(client(), store(), inputOf('P'), bytesFile(3, 'third.png', 'image/png'));
  expect(inputOf('P').shape).toEqual([3, 32, 32]);
});

test('a picture that only the engine can decode keeps the shape as it is', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('unknown format')));
  await takeFile(client(), store(), inputOf('P'), bytesFile(1, 'old.tiff'));
  expect(inputOf('P')).toMatchObject({ mode: 'image', shape: [3, 1, 1] });
});

test('a file that does not fit the input is refused in words, and nothing is sent', async () => {
  await takeFile(client(), store(), inputOf('V'), bytesFile(1, 'shot.png', 'image/png'));
  await until(() => expect(told()).toContain('shot.png'));
  const huge = new File(['x'], 'huge.txt');
  Object.defineProperty(huge, 'size', { value: 2 * 1024 * 1024 });
  await takeFile(client(), store(), inputOf('T'), huge);
  await until(() => expect(told()).toContain('huge.txt'));
  expect(fake.argsOf('blob/create')).toEqual([]);
  expect(inputOf('T').values).not.toEqual(['x']);
});

test('a large file that cannot be the values of an input is not sent at all', async () => {
  await takeFile(client(), store(), inputOf('V'), new File([new Uint8Array(9 * 1024 * 1024 + 1)], 'all.bin'));
  await until(() => expect(told()).toContain('all.bin has 9.0 MiB, and V takes'));
  expect(fake.argsOf('blob/create')).toEqual([]);
});

test('an upload that fails is told, and leaves the input as it was', async () => {
  fake.overrides['blob/append'] = () => {
    throw internal('no room');
  };
  const before = inputOf('V');
  await takeFile(client(), store(), before, bytesFile(1, 'v.npy'));
  await until(() => expect(told()).toContain('no room'));
  expect(inputOf('V')).toEqual(before);
  expect(store().getState().uploads).toEqual({});
});

test.each([
  ['a.npy', '', [4], 'FP32', 'npy'],
  ['a.CSV', '', [4], 'FP32', 'csv'],
  ['a.txt', '', [4], 'FP32', 'csv'],
  ['a.txt', '', [4], 'BYTES', 'text'],
  ['a', '', [4], 'FP32', 'raw'],
  ['a.zip', '', [4], 'FP32', undefined],
  ['a.npz', '', [4], 'FP32', undefined],
  ['a.wav', '', [-1], 'FP32', 'sound'],
  ['a', 'audio/ogg', [16_000], 'INT16', 'sound'],
  ['a.mp3', '', [4], 'FP32', undefined],
  ['a.jpeg', '', [3, 8, 8], 'FP32', 'image'],
  ['a', 'image/webp', [8, 8, 3], 'UINT8', 'image'],
  ['a.bmp', '', [8, 8], 'FP32', undefined],
  // Models that decode by themselves take the file as it is.
  ['a.jpg', '', [-1], 'UINT8', 'raw'],
  ['a.jpg', '', [16], 'UINT8', undefined],
  ['a.jpg', '', [1], 'BYTES', 'element'],
  ['a.wav', '', [1], 'BYTES', 'element'],
  ['a.bin', '', [1], 'BYTES', 'raw'],
] as const)('%s (%s) for %j of %s is %s', (name, type, template, datatype, kind) => {
  expect(fileKind({ name, type }, { template, datatype, isBatched: false })).toBe(kind);
});
