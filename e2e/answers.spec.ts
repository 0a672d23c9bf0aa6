// Answers as a browser shows them: what is drawn over the picture that was sent, pictures, lines, steps and sounds. And
// inputs from a camera and a microphone, which Chromium plays the part of.

import type { Locator, Page } from '@playwright/test';

import type { RepositoryFiles } from '../src-main/testing/temp-repository.ts';
import { expect, test } from './harness/app-test.ts';
import { TempRepository } from './harness/fixture-models.ts';

interface Tensor {
  readonly name: string;
  readonly dims: readonly number[];
  /** Of an output: the value of element `i`, as JavaScript; without it the first input comes back. */
  readonly value?: string;
}

const PICTURE: Tensor = { name: 'image', dims: [1, 3, 64, 64] };
const SOUND: Tensor = { name: 'audio', dims: [1, -1] };

/** A model whose answer does not depend on what it is sent, but for what comes back. */
function answering(model: string, input: Tensor, output: Tensor, labels?: string): RepositoryFiles {
  const declared = ({ name, dims }: Tensor, more = '') =>
    `[ { name: "${name}" data_type: TYPE_FP32 dims: [ ${dims.join(', ')} ] ${more}} ]`;
  const { name, dims, value } = output;
  const count = dims.reduce((product, dim) => product * dim, 1);
  const tensor =
    value === undefined
      ? `{ shape: input.shape, data: input.data }`
      : `{ shape: ${JSON.stringify(dims)}, data: Float32Array.from({ length: ${count} }, (_, i) => ${value}) }`;
  return {
    [`${model}/config.pbtxt`]: `backend: "javascript"
input ${declared(input)}
output ${declared(output, labels === undefined ? '' : 'label_filename: "labels.txt" ')}
`,
    [`${model}/1/model.mjs`]: `export function execute(requests) {
  return requests.map(({ inputs }) => {
    const input = inputs[${JSON.stringify(input.name)}];
    return { outputs: { ${JSON.stringify(name)}: ${tensor} } };
  });
}
`,
    ...(labels !== undefined && { [`${model}/labels.txt`]: labels }),
  };
}

async function send(page: Page, model: string): Promise<void> {
  await page.getByTestId('rail-models').click();
  await expect(page.getByTestId(`model-state-${model}`)).toHaveAttribute('data-state', /^ready/);
  await page.getByTestId(`model-row-${model}`).dblclick();
  await page.getByTestId('model-tab-playground').click();
  await sendAgain(page);
}

async function sendAgain(page: Page): Promise<void> {
  await page.getByTestId('pg-send').click();
  await expect(page.getByTestId('pg-response')).toHaveAttribute('data-state', 'ok');
}

interface Canvas {
  readonly width: number;
  readonly height: number;
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
  };
}

/** Red, green, blue and opacity at a place given in shares of the canvas. */
function pixel(canvas: Locator, x: number, y: number): Promise<number[]> {
  return canvas.evaluate(
    (element, [across = 0, down = 0]) => {
      const own = element as unknown as Canvas;
      const place = [Math.floor(across * own.width), Math.floor(down * own.height)] as const;
      return [...own.getContext('2d').getImageData(...place, 1, 1).data];
    },
    [x, y],
  );
}

const X = '(i % 64)';
const Y = '(Math.floor(i / 64) % 64)';

test('what a model says about a picture is drawn over it, and tensors as the pictures they are', async ({
  launch,
}) => {
  const models = [
    answering('body', PICTURE, { name: 'keypoints', dims: [1, 1, 17, 3], value: '[0.25, 0.5, 0.9][i % 3]' }),
    answering('boxes', PICTURE, { name: 'boxes', dims: [1, 1, 6], value: '[16, 16, 48, 32, 0.9, 16][i]' }),
    answering('plane', PICTURE, { name: '1958', dims: [1, 1, 64, 64], value: `${X} < 32 ? 0.9 : 0.1` }),
    answering('depth', PICTURE, { name: 'depth', dims: [1, 64, 64], value: Y }),
    answering('moved', PICTURE, { name: 'flow', dims: [1, 2, 64, 64], value: 'i < 4096 ? 3 : 0' }),
    answering('large', PICTURE, { name: 'large', dims: [1, 3, 400, 800], value: 'i < 320000 ? 1 : 0' }),
  ];
  await using folder = await TempRepository.create(Object.assign({}, ...models));
  const { page } = await launch({ args: [`--model-repository=${folder.path}`] });
  const get = (id: string): Locator => page.getByTestId(id);

  await send(page, 'body');
  await expect(get('tensor-joint')).toHaveCount(17);
  await expect(get('tensor-bone')).toHaveCount(16);

  await send(page, 'boxes');
  await expect(get('tensor-box')).toHaveText('bird 90 %');
  const [box, picture] = [
    await get('tensor-box').boundingBox(),
    await get('tensor-boxes').getByRole('img').boundingBox(),
  ];
  expect((box?.width ?? 0) / (picture?.width ?? 1)).toBeCloseTo(0.5, 1);
  expect((box?.height ?? 0) / (picture?.height ?? 1)).toBeCloseTo(0.25, 1);

  await send(page, 'plane');
  await expect(get('tensor-mask')).toHaveCount(0);
  await get('tensor-over').click();
  await page.getByRole('option', { name: 'Mask of 1958' }).click();
  await expect(get('tensor-mask-class').first()).toContainText('50.0 %');
  const mask = get('tensor-mask').locator('canvas');
  expect(await pixel(mask, 0.75, 0.5)).toEqual([0, 0, 0, 255]);
  expect(await pixel(mask, 0.25, 0.5)).not.toEqual([0, 0, 0, 255]);

  await send(page, 'depth');
  const depth = get('pg-picture-depth');
  await expect(depth).toBeVisible();
  expect(await pixel(depth, 0.5, 0)).not.toEqual(await pixel(depth, 0.5, 0.99));
  expect(await pixel(depth, 0, 0.5)).toEqual(await pixel(depth, 0.99, 0.5));

  await send(page, 'moved');
  await expect(get('tensor-flow-flow')).toBeVisible();
  expect(await pixel(get('tensor-flow-flow'), 0.5, 0.5)).toEqual([255, 0, 0, 255]);

  await send(page, 'large');
  const large = get('pg-picture-large');
  await expect(large).toBeVisible();
  expect(await pixel(large, 0.99, 0.99)).toEqual([255, 0, 0, 255]);
  expect((await large.boundingBox())?.width).toBeLessThan(800);
  await get('tensor-by-pixel-large').click();
  expect((await large.boundingBox())?.width).toBeGreaterThanOrEqual(800);
});

test('lines, steps, sounds and embeddings are shown as such', async ({ launch }) => {
  const features: Tensor = { name: 'features', dims: [1, 8] };
  const heard = '[1, 1, 0, 2][Math.floor(i / 3)] === i % 3 ? -0.1 : -9';
  const models = [
    answering('ahead', features, { name: 'forecast', dims: [1, 12, 1], value: 'i' }),
    answering('heard', features, { name: 'logits', dims: [1, 4, 3], value: heard }, '<blank>\nh\ni\n'),
    answering('said', features, { name: 'waveform', dims: [1, 16000], value: '0.5 * Math.sin(i)' }),
    answering('embedded', features, { name: 'embedding', dims: [1, 128], value: 'Math.sin(i)' }),
  ];
  await using folder = await TempRepository.create(Object.assign({}, ...models));
  const { page } = await launch({ args: [`--model-repository=${folder.path}`] });
  const get = (id: string): Locator => page.getByTestId(id);

  await send(page, 'ahead');
  await expect(get('tensor-series-forecast')).toHaveAttribute('aria-label', /over 12 steps, from 0 to 11/);
  expect((await get('tensor-series-forecast').boundingBox())?.height).toBeGreaterThan(50);

  await send(page, 'heard');
  await expect(get('tensor-collapsed-logits')).toHaveText('hi');

  await send(page, 'said');
  const wave = get('tensor-wave-waveform');
  await expect(wave).toBeVisible();
  expect((await pixel(wave, 0.5, 0.5))[3]).toBe(255);
  expect((await pixel(wave, 0.5, 0.01))[3]).toBe(0);
  const spectrum = get('pg-output-waveform').getByRole('img', { name: /spectrogram/i });
  // One tone, at 1 of π of the frequencies that there are.
  expect(await pixel(spectrum, 0.5, 1 - 1 / Math.PI)).not.toEqual(await pixel(spectrum, 0.5, 0.1));

  await send(page, 'embedded');
  await expect(get('pg-output-embedding')).toHaveAttribute('data-view', 'vector');
  const strip = get('pg-output-embedding').locator('canvas').first();
  expect(await pixel(strip, 1.5 / 128, 0.5)).not.toEqual(await pixel(strip, 4.5 / 128, 0.5));
});

test('a picture of the camera and a sound of the microphone are sent', async ({ launch }) => {
  const models = [
    answering('sees', PICTURE, { name: 'seen', dims: [1, 3, 64, 64] }),
    answering('hears', SOUND, { name: 'enhanced', dims: [1, -1] }),
  ];
  await using folder = await TempRepository.create(Object.assign({}, ...models));
  const { page, shell } = await launch({ args: [`--model-repository=${folder.path}`] });
  const get = (id: string): Locator => page.getByTestId(id);
  await send(page, 'sees');
  if (shell === 'browser') {
    await get('pg-camera-image').click();
    await expect(get('camera-dialog')).toContainText(/denied/i);
    await page.keyboard.press('Escape');
    await page.context().grantPermissions(['camera', 'microphone', 'clipboard-read', 'clipboard-write']);
  }
  try {
    await get('pg-camera-image').click();
    await get('camera-take').click();
    await expect(get('camera-dialog')).toHaveCount(0);
    await expect(get('pg-input-image')).toContainText('Picture from the camera');
    await sendAgain(page);
    const seen = get('pg-picture-seen');
    // Chromium's own camera sees a green room.
    await expect
      .poll(async () => {
        const [red = 0, green = 0, blue = 0] = await pixel(seen, 0.02, 0.5);
        return green > red + 50 && green > blue + 50;
      })
      .toBe(true);

    await send(page, 'hears');
    await get('pg-record-audio').click();
    await expect(get('pg-record-audio')).toContainText('Stop');
    await get('pg-record-audio').click();
    await expect(get('pg-input-audio')).toContainText('Recording');
    await sendAgain(page);
    await expect(get('tensor-wave-enhanced')).toBeVisible();
  } finally {
    if (shell === 'browser') await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  }
});
