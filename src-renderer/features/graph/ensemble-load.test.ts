// What an ensemble's drawing says of its steps: whether each runs, why not, its time, and which steps a request waits for.

import { expect, test } from 'vitest';

import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import type { EnsembleActivity } from '../../../src-shared/contract/graph-calls.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import { ensembleDag } from './ensemble-dag.ts';
import type { StepLoad } from './ensemble-load.ts';
import { criticalSteps, ensembleLoad } from './ensemble-load.ts';

interface Wire {
  readonly model: string;
  readonly from: readonly string[];
  readonly to: string;
}

/** An ensemble whose steps read and write these tensors; IN is its input, OUT its output. */
function dagOf(...steps: readonly Wire[]) {
  const text = steps.map(({ model, from, to }) => {
    const inputs = from.map((tensor, at) => `input_map { key: "I${at}" value: "${tensor}" }`).join(' ');
    return `{ model_name: "${model}" ${inputs} output_map { key: "O" value: "${to}" } }`;
  });
  const { config } = parseModelConfig(`name: "e" platform: "ensemble"
    input [ { name: "IN" data_type: TYPE_FP32 dims: [ 1 ] } ]
    output [ { name: "OUT" data_type: TYPE_FP32 dims: [ 1 ] } ]
    ensemble_scheduling { step [ ${text.join(', ')} ] }`);
  return ensembleDag(config, [], () => undefined);
}

const CHAIN = dagOf({ model: 'a', from: ['IN'], to: 'mid' }, { model: 'b', from: ['mid'], to: 'OUT' });
/** `left` and `right` run side by side; `last` waits for both. */
const DIAMOND = dagOf(
  { model: 'left', from: ['IN'], to: 'l' },
  { model: 'right', from: ['IN'], to: 'r' },
  { model: 'last', from: ['l', 'r'], to: 'OUT' },
);

const activity = (means: readonly number[], changes: Partial<EnsembleActivity> = {}): EnsembleActivity => ({
  ...{ runCount: 5, failureCount: 0, meanUs: 1000, lastError: undefined },
  steps: means.map((meanUs, stepIndex) => ({
    ...{ stepIndex, model: '', runCount: 5, failureCount: 0, meanUs, hasFailedLast: false },
  })),
  ...changes,
});

function loads(
  models: Readonly<Record<string, Partial<ModelView>>>,
  measured?: EnsembleActivity,
  ensemble: Partial<ModelView> = { state: 'ready' },
): readonly StepLoad[] {
  const views = new Map(Object.entries(models).map(([name, changes]) => [name, fakeModel(name, changes)]));
  return ensembleLoad({
    dag: CHAIN,
    ensemble: fakeModel('e', ensemble),
    models: views,
    activity: measured,
  });
}

test('a step has its time and its share of the whole, which is never more than all of it', () => {
  const ready = { a: { state: 'ready' }, b: { state: 'ready' } } as const;
  const [a, b] = loads(ready, activity([250, 4000]));
  expect(a).toMatchObject({ state: 'ready', meanUs: 250, share: 0.25, runCount: 5 });
  // Steps of other requests may have taken longer than the mean of the ensemble.
  expect(b).toMatchObject({ meanUs: 4000, share: 1 });
});

test('what was not measured has no time, instead of none at all', () => {
  const ready = { a: { state: 'ready' }, b: { state: 'ready' } } as const;
  for (const [one] of [
    loads(ready),
    loads(ready, activity([0, 7])),
    loads(ready, activity([7], { steps: [] })),
  ]) {
    expect(one).toMatchObject({ meanUs: undefined, share: undefined, isCritical: false });
  }
  expect(loads(ready, activity([7, 7], { meanUs: 0 }))[0]).toMatchObject({ meanUs: 7, share: undefined });
});

test('a step that broke the newest request is marked in the words of that request, while its model runs', () => {
  const measured = activity([1, 1], { lastError: 'bad shape' });
  const broken = { ...measured, steps: measured.steps.map((one) => ({ ...one, hasFailedLast: true })) };
  const [a, b] = loads({ a: { state: 'ready' }, b: { state: 'loading', phase: 'warm-up' } }, broken);
  expect(a).toMatchObject({ state: 'failed', reason: 'bad shape' });
  // It is being loaded anew; what it did before says nothing of what it will do.
  expect(b).toMatchObject({ state: 'loading', reason: 'warm-up' });
});

test.each<[string, Partial<ModelView>, Partial<ModelView>, StepLoad['state']]>([
  ['keeps an ensemble that is not ready from running', { state: 'ready' }, { state: 'failed' }, 'failed'],
  [
    'is nothing wrong while the ensemble is being loaded',
    { state: 'ready' },
    { state: 'loading' },
    'unloaded',
  ],
  ['is nothing wrong where nothing is loaded', { state: 'unloaded' }, { state: 'unloaded' }, 'unloaded'],
])('a step that is not loaded %s', (_name, first, ensemble, state) => {
  const [, b] = loads({ a: first, b: { state: 'unloaded', reason: 'unloaded' } }, undefined, ensemble);
  expect(b).toMatchObject({ state, reason: 'unloaded' });
});

test('a model that failed says why in its own words, one that is nowhere says nothing', () => {
  const failure = { original: 'no such file', title: 'A file is missing' } as ModelView['failure'];
  const [a, b] = loads({ a: { state: 'failed', failure, reason: 'short' } }, undefined, { state: 'failed' });
  expect(a).toMatchObject({ state: 'failed', reason: 'no such file' });
  // Its configuration is not known either: it is nowhere.
  expect(b).toMatchObject({ state: 'missing', reason: undefined });
  expect(loads({ a: { state: 'unloading' } })[0]).toMatchObject({ state: 'ready' });
});

const means =
  (...values: readonly number[]) =>
  ({ index }: { readonly index: number }): number =>
    values[index] ?? 0;

test('a request waits for the slower of two branches, and for what comes behind them', () => {
  expect([...criticalSteps(DIAMOND, means(1, 5, 2))].sort()).toEqual([1, 2]);
  expect([...criticalSteps(DIAMOND, means(9, 5, 2))].sort()).toEqual([0, 2]);
  expect(criticalSteps(DIAMOND, means())).toEqual(new Set());
});

test('a mark that every step would have is left out', () => {
  const ready = { a: { state: 'ready' }, b: { state: 'ready' } } as const;
  expect(loads(ready, activity([5, 5])).map(({ isCritical }) => isCritical)).toEqual([false, false]);
});

test('steps in a circle, which no server runs, are looked at once', () => {
  const circle = dagOf(
    { model: 'a', from: ['y'], to: 'x' },
    { model: 'b', from: ['x'], to: 'y' },
    { model: 'c', from: ['y'], to: 'OUT' },
  );
  expect(criticalSteps(circle, means(1, 1, 3))).toContain(2);
});
