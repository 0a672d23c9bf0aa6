// What is asked of a search: the model, the way, the limits, and what stands against starting one.

import { afterEach, expect, test } from 'vitest';

import type { AnalyzeRequest, AnalyzeView } from '../../../src-shared/contract/analyze-calls.ts';
import { internal } from '../../../src-shared/errors.ts';
import { address } from '../../lib/address.ts';
import { runCommand } from '../../lib/command-registry.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import {
  accessibilityFaults,
  choose,
  click,
  press,
  renderWithHosts,
  type,
  until,
} from '../../testing/render.tsx';
import { changeForm } from './analyzer-store.ts';
import { AnalyzerScreen } from './analyzer-view.tsx';

const UNTOUCHED = {
  mode: 'brute',
  maxInstances: 5,
  maxBatchSize: 128,
  maxConcurrency: 1024,
  latencyLimitMs: 0,
  seconds: 0,
  windowMs: 1000,
} satisfies Omit<AnalyzeRequest, 'model'>;

let page: Rendered;
let fake: FakeEngine;

afterEach(async () => {
  await page.close();
  changeForm({ ...UNTOUCHED, model: '' });
});

async function show(query: Record<string, string> = {}, view?: AnalyzeView): Promise<void> {
  fake = new FakeEngine();
  fake.snapshot = {
    ...fake.snapshot,
    models: [
      fakeModel('first', { state: 'ready' }),
      fakeModel('second', { state: 'ready' }),
      fakeModel('broken', { state: 'failed' }),
    ],
  };
  fake.overrides['analyze/view'] = () => ({ view });
  fake.overrides['analyze/start'] = () => undefined;
  page = await renderWithHosts(<AnalyzerScreen address={address('analyzer', { query })} />, fake);
  await until(() => expect(page.get('analyzer-model').textContent).not.toBe(''));
}

const started = (): readonly AnalyzeRequest[] => fake.argsOf('analyze/start');

test('the first ready model is meant, one that is not ready is not offered', async () => {
  await show();
  expect(page.get('analyzer-model').textContent).toContain('first');
  await click(page.get('analyzer-model'));
  const offered = (): readonly string[] =>
    [...document.querySelectorAll('[role="option"]')].map(({ textContent }) => textContent ?? '');
  await until(() => expect(offered()).toEqual(['first', 'second']));
});

test('the model of the address is meant, until another one is chosen', async () => {
  await show({ model: 'second' });
  expect(page.get('analyzer-model').textContent).toContain('second');
  await choose(page.get('analyzer-model'), 'first');
  await click(page.get('analyzer-start'));
  await until(() => expect(started()).toMatchObject([{ model: 'first' }]));
});

test('a model of the address that is not ready gives way to one that is', async () => {
  await show({ model: 'broken' });
  expect(page.get('analyzer-model').textContent).toContain('first');
});

test('what is in the form is what is searched for, minutes as seconds', async () => {
  await show();
  await type(page.get('analyzer-instances'), '2');
  await type(page.get('analyzer-batch'), '16');
  await type(page.get('analyzer-concurrency'), '8');
  await type(page.get('analyzer-limit'), '25');
  await type(page.get('analyzer-minutes'), '1.5');
  await type(page.get('analyzer-window'), '250');
  for (const field of ['instances', 'batch', 'concurrency', 'limit', 'minutes', 'window'])
    page.get(`analyzer-${field}`).dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  await click(page.get('analyzer-start'));
  await until(() =>
    expect(started()).toEqual([
      {
        model: 'first',
        mode: 'brute',
        maxInstances: 2,
        maxBatchSize: 16,
        maxConcurrency: 8,
        latencyLimitMs: 25,
        seconds: 90,
        windowMs: 250,
      },
    ]),
  );
});

test('what it costs is told as it is changed, by the keyboard too', async () => {
  await show();
  const estimate = (): string => page.get('analyzer-estimate').textContent;
  const before = estimate();
  await press(page.get('analyzer-instances'), 'ArrowDown');
  await until(() => expect(estimate()).not.toBe(before));
  const quick = [...page.get('analyzer-mode').querySelectorAll<HTMLElement>('[role="radio"]')][1];
  await click(quick!);
  await until(() => expect(estimate()).toBe('A few of 33 configurations.'));
  expect(await accessibilityFaults()).toEqual([]);
});

test('without a model that is ready there is nothing to search, and the button says why', async () => {
  await show();
  fake.change('first', { state: 'unloaded' });
  fake.change('second', { state: 'failed' });
  const button = page.get('analyzer-start');
  await until(() => expect(button.getAttribute('aria-disabled')).toBe('true'));
  await click(button);
  expect(started()).toEqual([]);
  expect(runCommand('analyzer.start')).toBe(false);
});

test('a search that is refused is told, and can be tried again', async () => {
  await show();
  fake.overrides['analyze/start'] = () => {
    throw internal('a load test runs: stop it first');
  };
  await click(page.get('analyzer-start'));
  await until(() => expect(document.body.textContent).toContain('a load test runs: stop it first'));
  fake.overrides['analyze/start'] = () => undefined;
  await click(page.get('analyzer-start'));
  await until(() => expect(started()).toHaveLength(2));
});

test('the command starts what the button starts', async () => {
  await show({ model: 'second' });
  expect(runCommand('analyzer.start')).toBe(true);
  await until(() => expect(started()).toMatchObject([{ model: 'second' }]));
});
