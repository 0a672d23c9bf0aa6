import { afterEach, expect, test } from 'vitest';

import type { StepLabels } from '../../src-shared/contract/inference-calls.ts';
import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, choose, click, renderView, until } from '../testing/render.tsx';
import { OutputCard } from './output-card.tsx';

let page: Rendered | undefined;
afterEach(() => page?.close());

/** 1000 scores with the best ones at 504 (a mug) and 281. */
function scores(): Float32Array {
  const values = new Float32Array(1000).fill(0.001);
  values[504] = 0.7;
  values[281] = 0.2;
  return values;
}

async function show(
  output: Partial<PlaygroundOutput>,
  values: Float32Array,
  labels: readonly string[] = [],
  isAnswer = true,
  step?: StepLabels,
) {
  const fake = new FakeEngine();
  const bytes = Buffer.from(values.buffer);
  fake.overrides['playground/labels'] = () => ({ labels, step });
  fake.overrides['blob/read'] = ({ offset, byteSize }) => ({
    base64: bytes.subarray(offset, offset + byteSize).toString('base64'),
    totalByteSize: bytes.byteLength,
  });
  const card = {
    name: 'fc6_1',
    datatype: 'FP32',
    shape: [1, 1000, 1, 1],
    byteSize: bytes.byteLength,
    preview: [],
    blob: 'b',
    stats: undefined,
    classes: [],
    ...output,
  };
  const source = isAnswer ? { model: `m ${card.name}`, version: '1' } : undefined;
  page = await renderView(<OutputCard output={card} isSummary={false} source={source} />, fake);
  return page;
}

const rows = (): readonly string[] =>
  [...document.querySelectorAll('[data-testid="pg-class"]')].map(({ textContent }) => textContent ?? '');

const classNumber = { name: 'CLASS', datatype: 'INT64', shape: [1, 1], byteSize: 8, preview: ['4'] };
const NINE = ['a', 'b', 'c', 'd', 'red', 'f', 'g', 'h', 'i'];

test('the number of a class has the name that a step of the ensemble gives it, and can do without', async () => {
  const step = { model: 'image_tiny', output: 'SCORES', labels: NINE };
  const { get, query } = await show(classNumber, new Float32Array(2), [], true, step);
  const name = await until(() => get('pg-name-of-CLASS'));
  expect(name.textContent).toBe('red');
  expect(get('tensor-names').textContent).toContain('Labels of image_tiny');
  expect(await accessibilityFaults()).toEqual([]);
  await choose(get('tensor-names'), 'Numbers only');
  await until(() => expect(query('pg-name-of-CLASS')).toBeNull());
});

test('a number that counts no classes has no names', async () => {
  const step = { model: 'image_tiny', output: 'SCORES', labels: NINE };
  const { get, query } = await show({ ...classNumber, name: 'COUNT' }, new Float32Array(2), [], true, step);
  await until(() => get('pg-value-of-COUNT'));
  expect([query('pg-name-of-COUNT'), query('tensor-names')]).toEqual([null, null]);
});

test('classes of one score say that none is preferred', async () => {
  const classes = [3, 7, 9].map((index) => ({ score: 0.1, index, label: `c${index}` }));
  const { get, query } = await show({ classes, shape: [3], datatype: 'BYTES' }, new Float32Array(1));
  await until(() => expect(get('tensor-equal').textContent).toContain('These 3 scores are all 0.1'));
  await page?.close();
  await show({ classes: [{ score: 0.2, index: 1, label: '' }, ...classes] }, new Float32Array(1));
  await until(() => expect(rows()).toHaveLength(4));
  expect(query('tensor-equal')).toBeNull();
});

test('a list of equal values says that its order means nothing', async () => {
  const { get, query } = await show({}, new Float32Array(1000).fill(0.001));
  await until(() => expect(get('tensor-equal').textContent).toContain('All 1,000 values are 0.001'));
  await page?.close();
  const nearly = await show(
    {},
    Float32Array.from({ length: 1000 }, (_, at) => 0.001 + at * 1e-12),
  );
  await until(() => expect(nearly.get('tensor-equal').textContent).toContain('are about 0.001'));
  await page?.close();
  await show({}, scores());
  await until(() => expect(rows()).toHaveLength(5));
  expect(query('tensor-equal')).toBeNull();
});

test('1000 values in four dimensions are the five best classes, with names', async () => {
  const { get } = await show({}, scores());
  await until(() => expect(rows()).toHaveLength(5));
  await until(() => expect(rows()[0]).toContain('coffee mug'));
  expect(rows()[1]).toContain('tabby');
  expect(await accessibilityFaults()).toEqual([]);
  await click(get('tensor-more'));
  expect(rows()).toHaveLength(25);
});

test('the labels of the model come before a list that is guessed', async () => {
  await show({ name: 'probs', shape: [1, 3] }, Float32Array.of(0.1, 0.7, 0.2), ['ant', 'bee', 'cat']);
  await until(() => expect(rows()[0]).toMatch(/^bee\[1\]0\.7\s*70(\.0)?\s?%/));
});

test('an embedding that was answered is told how near it is to the one before; a tensor that was sent is not', async () => {
  const vector = { name: 'embedding', shape: [1, 384] };
  await show(
    vector,
    Float32Array.from({ length: 384 }, (_, at) => Math.sin(at)),
  );
  await until(() => expect(document.body.textContent).toContain('Cosine to the answer before'));
  await page?.close();
  await show(
    vector,
    Float32Array.from({ length: 384 }, (_, at) => Math.sin(at)),
    [],
    false,
  );
  await until(() => expect(document.body.textContent).toContain('Norm'));
  expect(document.body.textContent).not.toContain('Cosine');
});

test('logits get their share', async () => {
  await show({ name: 'logits', shape: [1, 2] }, Float32Array.of(-1, 1), ['no', 'yes']);
  await until(() => expect(rows()[0]).toMatch(/^yes\[1\]1\s*88/));
});

test('of a wide table only the columns that are shown are read, and the others can be', async () => {
  const wide = Float32Array.from({ length: 3 * 100 }, (_, at) => at);
  const { get } = await show({ name: 'wide', shape: [3, 100] }, wide);
  await until(() => get('pg-output-wide'));
  if (get('pg-output-wide').dataset['view'] !== 'table') await choose(get('pg-view-wide'), 'Table');
  const cells = (): readonly string[] =>
    [...get('pg-table-wide').querySelectorAll('td')].map(({ textContent }) => textContent ?? '');
  await until(() => expect(cells()).toHaveLength(3 * 64));
  expect([cells()[63], cells()[64]]).toEqual(['63', '100']);
  await click(get('tensor-columns-later'));
  await until(() => expect(cells()).toHaveLength(3 * 36));
  expect([cells()[0], cells()[36]]).toEqual(['64', '164']);
  expect(get('tensor-columns').textContent).toContain('Columns 64 to 99 of 100');
  expect(await accessibilityFaults()).toEqual([]);
});

test('a vector with a value that is no number has a norm that is none', async () => {
  const { get } = await show({ name: 'embedding', shape: [1, 64] }, new Float32Array(64).fill(Number.NaN));
  await until(() => expect(get('pg-output-embedding').textContent).toContain('NormNaN'));
});

test('the smallest and the largest whole number are told with all their digits', async () => {
  const stats = { min: -1_234_567, max: 128_256, mean: 0.123_456_7, nanCount: 0, infCount: 0 };
  const { get } = await show({ name: 'ids', datatype: 'INT64', shape: [1, 8], stats }, new Float32Array(16));
  expect(get('pg-stats-ids').textContent).toBe('min -1234567, max 128256, mean 0.12346');
});

/** What the wire has of `texts`, as the numbers that the fake engine keeps. */
function wireOf(texts: readonly string[]): Float32Array {
  const parts = texts.flatMap((text) => [text.length, 0, 0, 0, ...new TextEncoder().encode(text)]);
  return new Float32Array(Uint8Array.from([...parts, ...Array<number>(-parts.length & 3).fill(0)]).buffer);
}

test('texts beyond those that came with the answer are read when their page is opened', async () => {
  const texts = Array.from({ length: 2000 }, (_, at) => `text${String(at).padStart(4, '0')}`);
  const many = { name: 'many', datatype: 'BYTES', shape: [2000], preview: texts.slice(0, 1000) };
  const { get } = await show(many, wireOf(texts));
  await click(get('pg-view-many').querySelectorAll<HTMLElement>('[role="radio"]')[1] as HTMLElement);
  await until(() => get('pg-table-many'));
  await click(get('tensor-rows-later'));
  await until(() => expect(get('pg-table-many').textContent).toContain('text1999'));
});

test('texts that are too many to be read say how many can be seen', async () => {
  const some = { name: 'all', datatype: 'BYTES', shape: [5000], preview: ['a'], byteSize: 9 * 1024 * 1024 };
  const { get } = await show(some, new Float32Array(2));
  await until(() => expect(get('pg-output-all').textContent).toContain('Only the first 1 texts'));
});

test('an output without elements says so', async () => {
  const { get } = await show({ name: 'none', shape: [1, 0], byteSize: 0 }, new Float32Array(0));
  expect(get('pg-no-elements-none').textContent).toContain('No values');
});

test('a sequence with letters is read as text, and every step can be looked at', async () => {
  const letters = ['<pad>', '|', 'A', 'B'];
  const best = [2, 2, 0, 2, 1, 3];
  const values = new Float32Array(6 * 4).fill(-5);
  best.forEach((index, at) => (values[at * 4 + index] = 5));
  const { get, query } = await show({ name: 'heard', shape: [1, 6, 4] }, values, letters);
  await until(() => expect(get('tensor-collapsed-heard').textContent).toBe('AA B'));
  const steps = [...document.querySelectorAll('[data-testid="tensor-step"]')];
  expect(steps.map(({ textContent }) => textContent?.slice(0, 5))).toContain('3A[2]');
  expect(await accessibilityFaults()).toEqual([]);
  await choose(get('tensor-blank-heard'), 'Each step by itself');
  await until(() => expect(query('tensor-collapsed-heard')).toBeNull());
});

test('a forecast is a line, with the value of a step as a number', async () => {
  const { get } = await show({ name: 'forecast', shape: [1, 4, 1] }, Float32Array.of(-1, 2, 3, 0.5));
  await until(() => expect(get('tensor-series-value-forecast').textContent).toBe('0.5'));
  expect(get('tensor-series-forecast').getAttribute('aria-label')).toBe(
    'forecast over 4 steps, from -1 to 3',
  );
  expect(get('tensor-series-forecast').querySelector('polyline')?.getAttribute('points')).toContain('600,');
  expect(await accessibilityFaults()).toEqual([]);
});
