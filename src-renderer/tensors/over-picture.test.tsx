// What is drawn over the picture that was sent: the boxes of a detector's raw answer, and the classes of pixels.

import { afterEach, expect, test } from 'vitest';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { internal } from '../../src-shared/errors.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, choose, click, renderView, type, until } from '../testing/render.tsx';
import { findDetection } from './boxes.ts';
import { BoxesView } from './boxes-view.tsx';
import { findMask } from './mask.ts';
import { MaskView } from './mask-view.tsx';
import { OverPicture } from './over-picture.tsx';

let page: Rendered | undefined;
afterEach(() => page?.close());

const SOURCE = { model: 'm', version: '1' };
const PICTURE = { address: 'about:blank', input: { width: 100, height: 100 }, resize: 'stretch' } as const;

function answer(name: string, shape: readonly number[], values: Float32Array) {
  const bytes = Buffer.from(values.buffer);
  const fake = new FakeEngine();
  fake.overrides['playground/labels'] = () => ({ labels: ['sky', 'tree'] });
  fake.overrides['blob/read'] = ({ offset, byteSize }) => ({
    base64: bytes.subarray(offset, offset + byteSize).toString('base64'),
    totalByteSize: bytes.byteLength,
  });
  const output: PlaygroundOutput = {
    ...{ name, datatype: 'FP32', shape: [...shape], byteSize: bytes.byteLength },
    ...{ preview: [], blob: 'b', stats: undefined, classes: [] },
  };
  return { fake, output };
}

/** 84 numbers for each of 100 places, all nothing but two of the same thing with this score. */
async function detected(score: number, labels: string[] = []): Promise<Rendered> {
  const values = new Float32Array(84 * 100);
  for (const at of [3, 4]) {
    [50, 50, 20, 20].forEach((value, feature) => (values[feature * 100 + at] = value));
    values[4 * 100 + at] = score;
  }
  const { fake, output } = answer('output0', [1, 84, 100], values);
  fake.overrides['playground/labels'] = () => ({ labels });
  const detection = findDetection([output]);
  if (detection === undefined) throw new Error('not taken for a detector');
  page = await renderView(
    <BoxesView outputs={[output]} detection={detection} picture={PICTURE} source={SOURCE} />,
    fake,
  );
  return page;
}

test('the candidates of a detector become framed boxes with the names of their classes', async () => {
  await detected(0.9);
  await until(() => expect(document.querySelectorAll('[data-testid="tensor-box"]')).toHaveLength(1));
  await until(() => expect(page?.get('tensor-box').textContent).toBe('person 90 %'));
  expect(await accessibilityFaults()).toEqual([]);
});

test('the labels of the model come before a well-known list', async () => {
  await detected(0.9, ['tabby']);
  await until(() => expect(page?.get('tensor-box').textContent).toBe('tabby 90 %'));
});

test('the joints of a body are points in its frame', async () => {
  const values = new Float32Array(56 * 2100);
  const body = [50, 50, 20, 20, 0.9, ...Array.from({ length: 17 }, (_, at) => [40 + at, 50, 0.8]).flat()];
  body.forEach((value, feature) => (values[feature * 2100] = value));
  const { fake, output } = answer('output0', [1, 56, 2100], values);
  const detection = findDetection([output]);
  if (detection === undefined) throw new Error('not taken for a detector');
  page = await renderView(
    <BoxesView outputs={[output]} detection={detection} picture={PICTURE} source={SOURCE} />,
    fake,
  );
  const points = () => [...document.querySelectorAll<HTMLElement>('[data-testid="tensor-point"]')];
  await until(() => expect(points()).toHaveLength(17));
  expect([points()[3]?.style.left, points()[3]?.style.top]).toEqual(['43%', '50%']);
  expect(page.get('tensor-box').textContent).toBe('90 %');
});

test('where no box is sure enough the page says so, with the surest one a click away', async () => {
  const { get, query } = await detected(0.25);
  const none = await until(() => get('tensor-box-none'));
  expect(none.textContent).toContain('No box reaches this score. The surest box has 0.25.');
  expect(await accessibilityFaults()).toEqual([]);
  await click(get('tensor-box-lower'));
  await until(() => expect(get('tensor-box').textContent).toBe('person 25 %'));
  expect(query('tensor-box-none')).toBeNull();
});

test('while boxes are read the page says so, and why when they cannot be', async () => {
  const { fake, output } = answer('boxes', [1, 5, 6], new Float32Array(30));
  let fail: (error: Error) => void = () => undefined;
  fake.overrides['blob/read'] = () => new Promise((_resolve, reject) => (fail = reject));
  page = await renderView(<OverPicture outputs={[output]} picture={PICTURE} source={SOURCE} />, fake);
  const { get, query } = page;
  expect(get('tensor-box-reading').textContent).toBe('Reading the boxes…');
  await until(() => expect(fake.argsOf('blob/read')).toHaveLength(1));
  fail(internal('the answer is no longer kept'));
  await until(() => expect(get('tensor-box-error').textContent).toContain('no longer kept'));
  expect([query('tensor-box-none'), query('tensor-box-reading')]).toEqual([null, null]);
});

test('where nothing was found at all no lower score is offered', async () => {
  const { get, query } = await detected(0);
  const none = await until(() => get('tensor-box-none'));
  expect(none.textContent).toContain('found nothing in this picture');
  expect(query('tensor-box-lower')).toBeNull();
});

test('the classes of pixels are listed with their names and shares', async () => {
  const values = new Float32Array(2 * 32 * 32).fill(0, 0, 32 * 32).fill(1, 32 * 32);
  values.fill(2, 0, 256);
  const { fake, output } = answer('logits', [1, 2, 32, 32], values);
  const plan = findMask([output]);
  expect(plan).toBeDefined();
  if (plan === undefined) return;
  page = await renderView(<MaskView output={output} plan={plan} picture={PICTURE} source={SOURCE} />, fake);
  const rows = () => [...document.querySelectorAll('[data-testid="tensor-mask-class"]')];
  await until(() =>
    expect(rows().map(({ textContent }) => textContent)).toEqual(['tree75.0 %', 'sky25.0 %']),
  );
  expect(await accessibilityFaults()).toEqual([]);
});

test('joints that are sure lie over the picture, with the bones between them', async () => {
  const values = Float32Array.from({ length: 17 * 3 }, (_, at) => [0.25, 0.5, 0.9][at % 3] ?? 0);
  // The right foot is not seen.
  values[16 * 3 + 2] = 0.1;
  const { fake, output } = answer('output_0', [1, 1, 17, 3], values);
  page = await renderView(<OverPicture outputs={[output]} picture={PICTURE} source={SOURCE} />, fake);
  const all = (id: string) => [...document.querySelectorAll<HTMLElement>(`[data-testid="${id}"]`)];
  await until(() => expect(all('tensor-joint')).toHaveLength(16));
  expect(all('tensor-bone')).toHaveLength(15);
  expect([all('tensor-joint')[0]?.style.left, all('tensor-joint')[0]?.style.top]).toEqual(['50%', '25%']);
  expect(page.get('tensor-joint-count').textContent).toBe('16 of 17 joints');
  expect(await accessibilityFaults()).toEqual([]);
  await choose(page.get('tensor-joint-order'), 'Across, down');
  await until(() => expect(all('tensor-joint')[0]?.style.left).toBe('25%'));
});

test('a plane whose name says nothing is drawn as a mask when its user says so, from the limit that is chosen', async () => {
  const values = Float32Array.from({ length: 32 * 32 }, (_, at) =>
    at % 4 === 0 ? 0.9 : at % 4 === 1 ? 0.4 : 0,
  );
  const { fake, output } = answer('1958', [1, 1, 32, 32], values);
  page = await renderView(<OverPicture outputs={[output]} picture={PICTURE} source={SOURCE} />, fake);
  const { get, query } = page;
  const shares = () => [...document.querySelectorAll('[data-testid="tensor-mask-class"]')].map(textOf);
  expect(query('tensor-mask')).toBeNull();
  await choose(get('tensor-over'), 'Mask of 1958');
  await until(() => expect(shares()).toEqual(['sky75.0 %', 'tree25.0 %']));
  expect(await accessibilityFaults()).toEqual([]);
  await type(get('tensor-mask-limit'), '0.3');
  await until(() => expect(shares()).toEqual(['tree50.0 %', 'sky50.0 %']));
  await choose(get('tensor-over'), 'Nothing');
  expect(query('tensor-mask')).toBeNull();
});

test('what is not shaped as the picture is not offered as its mask', async () => {
  const { fake, output } = answer('last_hidden_state', [1, 40, 120], new Float32Array(40 * 120));
  page = await renderView(<OverPicture outputs={[output]} picture={PICTURE} source={SOURCE} />, fake);
  expect(page.query('tensor-over')).toBeNull();
});

function textOf({ textContent }: Element): string | null {
  return textContent;
}
