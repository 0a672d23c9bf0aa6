// The ways to fill one input: generators with their fields, pictures with their steps, sounds with their rate.

import { toast } from 'sonner';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { ModelInterface } from '../../../src-shared/contract/inference-calls.ts';
import { internal } from '../../../src-shared/errors.ts';
import { allByRole, byRole } from '../../testing/by-role.ts';
import type { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeInterface } from '../../testing/fake-playground.ts';
import { playgroundEngine, showPlayground } from '../../testing/playground-page.tsx';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, choose, click, press, type, until } from '../../testing/render.tsx';
import { clearPlaygrounds, patchInput, playgroundOf } from './playground-store.ts';

let fake: FakeEngine;
let page: Rendered | undefined;

beforeEach(() => {
  clearPlaygrounds();
  vi.stubGlobal('CSS', { escape: String });
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width: 8, height: 8, close: () => undefined }));
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(new Uint8Array([1, 2, 3]))));
  URL.createObjectURL = () => 'blob:picture';
  URL.revokeObjectURL = () => undefined;
  fake = playgroundEngine();
  let blobs = 0;
  fake.overrides['blob/create'] = () => ({ blob: `b${(blobs += 1)}` });
  fake.overrides['blob/append'] = () => ({ byteSize: 3 });
  fake.overrides['blob/release'] = () => undefined;
  fake.overrides['playground/previewInput'] = ({ shape }) => ({
    ...{ shape, min: -1, max: 0.5, preview: [], blob: undefined },
  });
});
const { getContext } = HTMLCanvasElement.prototype;
afterEach(async () => {
  HTMLCanvasElement.prototype.getContext = getContext;
  toast.dismiss();
  await page?.close();
  vi.unstubAllGlobals();
});

type Input = ModelInterface['inputs'][number];

/** Draws the playground of a model with this one input, and gives its card. */
async function show(input: Partial<Input> = {}): Promise<() => HTMLElement> {
  const whole = {
    name: 'X',
    datatype: 'FP32',
    shape: [4],
    optional: false,
    imageLayout: '' as const,
    ...input,
  };
  page = await showPlayground(fake, fakeInterface({ inputs: [whole] }));
  await until(() => byRole('region', 'X'));
  return () => byRole('region', 'X');
}

const PICTURE = { shape: [3, 8, 8], imageLayout: 'NCHW' } as const;

async function fill(mode: string): Promise<void> {
  await choose(byRole('combobox', 'How X is filled'), mode);
  await until(() => expect(byRole('combobox', 'How X is filled').textContent).toContain(mode));
}

/** Types a number and leaves the field. */
async function number(label: string, text: string): Promise<void> {
  await type(byRole('textbox', label), text);
  await press(byRole('textbox', label), 'Enter');
}

/** What the input was sent with, once one more request is out. */
async function sentSource(): Promise<unknown> {
  const before = fake.argsOf('playground/send').length;
  await click(byRole('button', /^Send/));
  await until(() => expect(fake.argsOf('playground/send').length).toBeGreaterThan(before));
  return fake.argsOf('playground/send').at(-1)?.inputs[0]?.source;
}

async function offered(): Promise<readonly string[]> {
  await click(byRole('combobox', 'How X is filled'));
  const options = await until(() => {
    const found = allByRole('option');
    expect(found).not.toEqual([]);
    return found;
  });
  return options.map(({ textContent }) => textContent);
}

test('of a picture with transparent parts it is said, and what they become can be chosen', async () => {
  let alpha = 255;
  HTMLCanvasElement.prototype.getContext = (() => ({
    drawImage: () => undefined,
    getImageData: () => ({ data: Uint8ClampedArray.of(9, 9, 9, alpha) }),
  })) as never;
  const card = await show(PICTURE);
  const drop = async (name: string): Promise<void> => {
    const event = new Event('drop', { bubbles: true, cancelable: true });
    Object.defineProperty(event, 'dataTransfer', {
      value: { files: [new File(['x'], name, { type: 'image/png' })], types: ['Files'] },
    });
    card().dispatchEvent(event);
    await until(() => expect(card().textContent).toContain(name));
  };
  await drop('opaque.png');
  expect(page?.query('pg-transparent-X')).toBeNull();
  alpha = 128;
  await drop('glass.png');
  await until(() => expect(page?.get('pg-transparent-X').textContent).toContain('Parts of this picture'));
  expect(await sentSource()).not.toHaveProperty('background');
  await choose(byRole('combobox', 'What transparent parts become'), 'White');
  expect(await sentSource()).toMatchObject({ kind: 'image', background: 255 });
  expect(await accessibilityFaults()).toEqual([]);
});

test('random numbers have a seed and a range, which fall back when they are emptied', async () => {
  await show();
  await fill('Random');
  await number('Seed', '7');
  await number('Smallest', '-2');
  await number('Largest', '2');
  expect(await sentSource()).toEqual({ kind: 'random', seed: 7, min: -2, max: 2 });
  for (const label of ['Seed', 'Smallest', 'Largest']) await number(label, '');
  expect(await sentSource()).toEqual({ kind: 'random', seed: 1, min: 0, max: 1 });
});

test('true and false are drawn without a range', async () => {
  await show({ datatype: 'BOOL' });
  await fill('Random');
  byRole('textbox', 'Seed');
  expect(allByRole('textbox', 'Smallest')).toEqual([]);
});

test('a row of numbers has a start and a step', async () => {
  await show();
  await fill('Range');
  await number('Start', '5');
  await number('Step', '0.5');
  expect(await sentSource()).toEqual({ kind: 'range', start: 5, step: 0.5 });
});

test('a constant is sent as it is typed, zeros and ones need nothing', async () => {
  const card = await show({ shape: [2, 3] });
  await fill('Constant');
  expect(card().textContent).toContain('6 elements');
  await type(byRole('textbox', 'Value of every element'), '1e-3');
  expect(await sentSource()).toMatchObject({ value: '1e-3' });
  await fill('Ones');
  expect(allByRole('textbox', 'Value of every element')).toEqual([]);
  expect(await sentSource()).toEqual({ kind: 'fill', value: 'ones' });
});

test('what was typed for one way is there again when it is chosen again', async () => {
  await show();
  await fill('Constant');
  await type(byRole('textbox', 'Value of every element'), '42');
  await fill('Zeros');
  await fill('Constant');
  expect(byRole('textbox', 'Value of every element')).toHaveProperty('value', '42');
});

test('words are typed, repeated or made up, never counted through', async () => {
  await show({ datatype: 'BYTES' });
  expect(await offered()).toEqual(['Values', 'Constant', 'Random', 'File']);
});

test('only an input that can be a picture is offered one', async () => {
  await show({ shape: [3, 8, 8] });
  expect((await offered())[0]).toBe('Image');
  await page?.close();
  clearPlaygrounds();
  await show();
  expect(await offered()).not.toContain('Image');
});

test('a picture begins with a sample, and says what becomes of it', async () => {
  const card = await show(PICTURE);
  await until(() => expect(card().textContent).toContain('Gives [3,8,8] FP32, values from -1 to 0.5.'));
  expect(card().textContent).toContain('Sunset');
  byRole('img', 'Image for X');
  byRole('img', 'What the model sees of X');
  expect(await accessibilityFaults()).toEqual([]);
});

test('each step of a picture goes with the request, and is looked at anew', async () => {
  await show(PICTURE);
  await until(() => byRole('img', 'Image for X'));
  for (const [step, choice] of [
    ['Fit to size', 'Fit inside, black borders'],
    ['Channel order', 'BGR'],
    ['Scale', '0 to 1'],
    ['Layout', 'NHWC'],
  ] as const) {
    await choose(byRole('combobox', step), choice);
    await until(() => expect(byRole('combobox', step).textContent).toContain(choice));
  }
  const steps = { kind: 'image', resize: 'contain', channels: 'BGR', scaling: 'UNIT', layout: 'NHWC' };
  await until(() => expect(fake.argsOf('playground/previewInput').at(-1)?.source).toMatchObject(steps));
  expect(await sentSource()).toMatchObject(steps);
});

test('means and deviations of one’s own are asked for channel by channel', async () => {
  await show(PICTURE);
  await until(() => byRole('img', 'Image for X'));
  expect(allByRole('textbox', /channel/)).toEqual([]);
  await choose(byRole('combobox', 'Scale'), 'Own mean and std');
  await until(() => expect(allByRole('textbox', /of channel/)).toHaveLength(6));
  await number('Mean of channel 1', '100');
  await number('Std of channel 2', '2');
  expect(await sentSource()).toMatchObject({
    ...{ scaling: 'CUSTOM', mean: [123.675, 100, 103.53], std: [58.395, 57.12, 2] },
  });
});

test('a picture that cannot be read says why in its place', async () => {
  fake.overrides['playground/previewInput'] = () => {
    throw internal('this is no picture');
  };
  const card = await show(PICTURE);
  await until(() => expect(byRole('alert', undefined, card()).textContent).toBe('this is no picture'));
});

test('another sample takes the place of the first', async () => {
  const card = await show(PICTURE);
  await until(() => byRole('img', 'Image for X'));
  await click(byRole('button', 'Lagoon', byRole('group', 'Samples', card())));
  await until(() => expect(card().textContent).toContain('Lagoon, 3 B'));
});

test('a sample that cannot be fetched is told', async () => {
  const card = await show(PICTURE);
  await until(() => byRole('img', 'Image for X'));
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('the server is gone')));
  await click(byRole('button', 'Lagoon', byRole('group', 'Samples', card())));
  await until(() => expect(page?.get('toast-error').textContent).toContain('the server is gone'));
  expect(card().textContent).toContain('Sunset');
});

test('a sound of an earlier time keeps its rate: only its bytes are left', async () => {
  const card = await show({ shape: [-1, 16_000] });
  const sound = { blob: 'kept', name: 'speech.wav', byteSize: 64_000, rate: 16_000 };
  patchInput(playgroundOf('m'), 'X', { mode: 'sound', sound });
  const rate = await until(() => byRole('combobox', 'Samples per second', card()));
  expect(card().textContent).toContain('speech.wav');
  expect(rate).toHaveProperty('disabled', true);
  expect(allByRole('button', 'Play', card())).toEqual([]);
});
