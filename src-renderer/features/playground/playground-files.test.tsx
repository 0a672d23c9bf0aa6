// Files by gesture: dropped on the card of an input, pasted onto it, pasted while nothing has the focus.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { ModelInterface } from '../../../src-shared/contract/inference-calls.ts';
import { modelAddress } from '../../lib/address.ts';
import { onOpenFiles } from '../../lib/open-files.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import type { Rendered } from '../../testing/render.tsx';
import { click, renderWithHosts, until } from '../../testing/render.tsx';
import { forgetTold, toldOf } from '../../testing/told.ts';
import { pictureOf } from './file-pictures.ts';
import { clearPlaygrounds, playgroundOf } from './playground-store.ts';
import { PlaygroundTab } from './playground-view.tsx';

const IO: ModelInterface = {
  inputs: [
    { name: 'VECTOR', datatype: 'FP32', shape: [4], optional: false, imageLayout: '' },
    { name: 'TEXT', datatype: 'BYTES', shape: [1], optional: false, imageLayout: '' },
    { name: 'ENCODED', datatype: 'UINT8', shape: [-1], optional: false, imageLayout: '' },
    { name: 'PICTURE', datatype: 'FP32', shape: [3, 8, 8], optional: false, imageLayout: 'NCHW' },
  ],
  outputs: [{ name: 'OUT', datatype: 'FP32', shape: [4], hasLabels: false }],
  maxBatchSize: 0,
  isSequence: false,
  sequenceIdleMs: 0,
  isDecoupled: false,
};

let page: Rendered | undefined;
let received: number[] = [];

beforeEach(() => {
  clearPlaygrounds();
  received = [];
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }),
  );
});
afterEach(async () => {
  await page?.close();
  vi.unstubAllGlobals();
});

async function start(): Promise<Rendered> {
  const fake = new FakeEngine();
  fake.overrides['playground/interface'] = () => IO;
  fake.overrides['playground/savedList'] = () => [];
  fake.overrides['blob/create'] = () => ({ blob: 'b1' });
  fake.overrides['blob/append'] = ({ base64 }) => {
    received.push(...Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
    return { byteSize: received.length };
  };
  const view = <PlaygroundTab model="simple" version="" address={modelAddress('simple', 'playground')} />;
  page = await renderWithHosts(view, fake);
  await until(() => page?.get('pg-input-VECTOR'));
  return page;
}

function fire(target: EventTarget, kind: 'drop' | 'paste', file: File): void {
  const event = new Event(kind, { bubbles: true, cancelable: true });
  const property = kind === 'drop' ? 'dataTransfer' : 'clipboardData';
  Object.defineProperty(event, property, { value: { files: [file], types: ['Files'] } });
  target.dispatchEvent(event);
}

function inputOf(name: string) {
  return playgroundOf('simple')
    .getState()
    .draft?.inputs.find((input) => input.name === name);
}

test.each([
  ['values.npy', 'npy'],
  ['values.json', 'json'],
  ['values.csv', 'csv'],
  ['values.bin', 'raw'],
])('%s dropped on an input becomes its value as %s', async (name, format) => {
  const { get } = await start();
  fire(get('pg-input-VECTOR'), 'drop', new File([new Uint8Array([1, 2, 3])], name));
  await until(() =>
    expect(inputOf('VECTOR')).toMatchObject({ mode: 'file', file: { name, format, blob: 'b1' } }),
  );
  expect(received).toEqual([1, 2, 3]);
});

/** A .npy file with these float64. */
function npyDoubles(name: string, shape: string, ...values: number[]): File {
  const header = `{'descr': '<f8', 'fortran_order': False, 'shape': (${shape}), }\n`;
  const start = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length, 0];
  return new File([new Uint8Array(start), header, Float64Array.from(values)], name);
}

test('a .npy file of another type is taken, and it is said that it is converted', async () => {
  const { get, query } = await start();
  fire(get('pg-input-VECTOR'), 'drop', npyDoubles('values.npy', '4,', 1, 2, 3, 4));
  const said = await until(() => get('pg-converted-VECTOR'));
  expect(said.textContent).toBe(
    'Holds float64, which is converted to FP32. A value that does not fit is refused.',
  );
  expect(inputOf('VECTOR')).toMatchObject({
    mode: 'file',
    shape: [4],
    file: { format: 'npy', held: 'FP64' },
  });
  // As bytes they are what they are.
  playgroundOf('simple').setState(({ draft }) => ({
    draft: draft && {
      ...draft,
      inputs: draft.inputs.map((input) =>
        input.file === undefined ? input : { ...input, file: { ...input.file, format: 'raw' as const } },
      ),
    },
  }));
  await until(() => expect(query('pg-converted-VECTOR')).toBeNull());
});

test('a free dimension follows the shape in a .npy file', async () => {
  const { get } = await start();
  fire(get('pg-input-ENCODED'), 'drop', npyDoubles('values.npy', '3,', 1, 2, 3));
  await until(() => expect(inputOf('ENCODED')).toMatchObject({ mode: 'file', shape: [3] }));
});

test.each([
  ['net.onnx', 'model', true],
  ['net.pt', 'value', false],
  ['net.plan', 'cancel', false],
])('%s dropped on an input is asked about: %s', async (name, answer, isImported) => {
  const opened: string[] = [];
  const off = onOpenFiles((files) => opened.push(...files.map((file) => file.name)));
  const { get } = await start();
  fire(get('pg-input-VECTOR'), 'drop', new File([new Uint8Array([1, 2])], name));
  expect((await until(() => get('pg-model-file'))).textContent).toContain(`Is ${name} a model`);
  expect(received).toEqual([]);
  await click(get(`confirm-${answer}`));
  if (answer === 'value')
    await until(() => expect(inputOf('VECTOR')).toMatchObject({ mode: 'file', file: { name } }));
  off();
  expect(opened).toEqual(isImported ? [name] : []);
  if (answer !== 'value') expect(inputOf('VECTOR')?.mode).not.toBe('file');
});

test('a picture is the bytes of its file where the model decodes it, as many as they are', async () => {
  const { get } = await start();
  fire(
    get('pg-input-ENCODED'),
    'drop',
    new File([new Uint8Array([7, 8, 9])], 'cat.jpg', { type: 'image/jpeg' }),
  );
  await until(() =>
    expect(inputOf('ENCODED')).toMatchObject({ mode: 'file', shape: [3], file: { format: 'raw' } }),
  );
  expect(received).toEqual([7, 8, 9]);
  received = [];
  fire(get('pg-input-TEXT'), 'drop', new File([new Uint8Array([7, 8])], 'cat.jpg', { type: 'image/jpeg' }));
  await until(() => expect(inputOf('TEXT')).toMatchObject({ mode: 'file', file: { format: 'raw' } }));
  expect(received).toEqual([2, 0, 0, 0, 7, 8]);
});

test.each([
  ['none.bin', '', [], 'none.bin is empty'],
  ['shot.png', 'image/png', [9], 'shot.png is a picture, and VECTOR takes none'],
  ['talk.mp3', 'audio/mpeg', [9], 'talk.mp3 is a sound, and VECTOR takes none'],
  ['all.zip', '', [9], 'all.zip is an archive'],
])('%s is refused in words that are about it', async (name, type, bytes, words) => {
  const { get } = await start();
  fire(get('pg-input-VECTOR'), 'drop', new File([new Uint8Array(bytes)], name, { type }));
  await toldOf(words);
  await forgetTold();
  expect(received).toEqual([]);
});

test('a picture pasted while nothing has the focus goes to the input that takes pictures', async () => {
  await start();
  fire(document.body, 'paste', new File([new Uint8Array([9])], 'shot.png', { type: 'image/png' }));
  await until(() => expect(inputOf('PICTURE')).toMatchObject({ mode: 'image', image: { blob: 'b1' } }));
  expect(inputOf('VECTOR')?.mode).not.toBe('image');
});

test('a picture dropped on an input that takes none is refused in words', async () => {
  const { get } = await start();
  fire(get('pg-input-VECTOR'), 'drop', new File([new Uint8Array([9])], 'shot.png', { type: 'image/png' }));
  expect(inputOf('VECTOR')?.mode).not.toBe('image');
  expect(received).toEqual([]);
});

test('files are sent again to a server process that was started again', async () => {
  const { fake, get } = await start();
  const picture = new File([new Uint8Array([9, 8])], 'cat.png', { type: 'image/png' });
  fire(get('pg-input-PICTURE'), 'drop', picture);
  await until(() => expect(inputOf('PICTURE')).toMatchObject({ image: { blob: 'b1', name: 'cat.png' } }));
  fake.overrides['blob/create'] = () => ({ blob: 'b2' });
  received = [];
  fake.disconnect();
  await until(() => expect(inputOf('PICTURE')).toMatchObject({ image: { blob: 'b2', name: 'cat.png' } }));
  expect(received).toEqual([9, 8]);
  expect(pictureOf('b2')).toBe('blob:x');
  expect(pictureOf('b1')).toBeUndefined();
});

test('what cannot be sent again stays as it is', async () => {
  const { fake, get } = await start();
  fire(get('pg-input-VECTOR'), 'drop', new File([new Uint8Array([1])], 'values.bin'));
  await until(() => expect(inputOf('VECTOR')).toMatchObject({ file: { blob: 'b1' } }));
  let asked = 0;
  fake.overrides['blob/create'] = () => {
    asked += 1;
    throw new Error('no memory');
  };
  fake.disconnect();
  await until(() => expect(asked).toBe(1));
  expect(inputOf('VECTOR')).toMatchObject({ file: { blob: 'b1', name: 'values.bin' } });
});
