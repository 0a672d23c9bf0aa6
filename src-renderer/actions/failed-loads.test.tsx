// What is told of loads that fail: why, what to do about it, and for how long.

import { toast } from 'sonner';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { internal, invalidArg } from '../../src-shared/errors.ts';
import { modelAddress } from '../lib/address.ts';
import { activeTab, INITIAL_WORKSPACE, open, workspace } from '../lib/workspace-store.ts';
import type { ActionPage } from '../testing/action-page.tsx';
import { actionPage } from '../testing/action-page.tsx';
import { FakeEngine } from '../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../testing/fake-models.ts';
import { render, until } from '../testing/render.tsx';
import { Announcer } from '../ui/announcer.tsx';
import { loadModel } from './model-actions.ts';

let page: ActionPage;
beforeEach(() => workspace.setState(INITIAL_WORKSPACE, true));
afterEach(() => page.close());

async function start(models: readonly ModelView[]): Promise<FakeEngine> {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot(models);
  page = await actionPage(fake);
  return fake;
}

const stopped = (name: string): ModelView => fakeModel(name, { state: 'unloaded', servedVersions: [] });

test('a failed load is told in the words of its card, and no more once its page is open', async () => {
  const fake = await start([stopped('bad')]);
  const reason = "model 'bad', tensor 'X': the model expects 2 dimensions";
  fake.overrides['repository/load'] = ({ model }) => {
    const failure = { title: 'Shape of X does not fit the model', original: reason, fixes: [], line: 3 };
    fake.change(model, { state: 'failed', failure: failure as never });
    throw invalidArg(`load failed for model 'bad': version 1 is at UNAVAILABLE state: ${reason}`);
  };
  await loadModel(page.engine, 'bad');
  const text = await page.told('error', 'bad could not be loaded.');
  expect(text).toContain('bad could not be loaded. Shape of X does not fit the model.');
  expect(text).not.toContain('dimensions');
  expect(page.advice(text)).toBe('To mend it, look at line 3 of config.pbtxt.');
  open(modelAddress('bad'));
  await until(() => expect(page.messages('error')).toEqual([]));
});

test('a failed load is told in the words of its card also when those come after the answer', async () => {
  const fake = await start([stopped('late')]);
  const reason = 'Internal: onnx runtime error 7: protobuf parsing failed';
  fake.overrides['repository/load'] = ({ model }) => {
    const fix = { title: 'Choose model file…', edits: [] };
    const failure = { title: 'Model file cannot be read', original: reason, fixes: [fix] };
    setTimeout(() => fake.change(model, { state: 'failed', failure: failure as never }));
    throw invalidArg(`load failed for model 'late': version 1 is at UNAVAILABLE state: ${reason}`);
  };
  await loadModel(page.engine, 'late');
  const text = await page.told('error', 'late could not be loaded. Model file cannot be read.');
  expect(page.advice(text)).toBe('To mend it: Choose model file…');
});

test('where nothing is known of a failure its page is where to look', async () => {
  const fake = await start([stopped('odd')]);
  const reason = 'Internal: something else';
  fake.overrides['repository/load'] = ({ model }) => {
    const failure = { title: 'Could not be loaded', original: reason, fixes: [], line: 0 };
    fake.change(model, { state: 'failed', failure: failure as never });
    throw invalidArg(`load failed for model 'odd': version 1 is at UNAVAILABLE state: ${reason}`);
  };
  await loadModel(page.engine, 'odd');
  const text = await page.told('error', 'odd could not be loaded. Internal: something else');
  expect(page.advice(text)).toContain('Its page has the whole answer of the server');
});

test('a failed load is told without the words around its reason, and not for ever: the model shows it too', async () => {
  const fake = await start([stopped('bad')]);
  fake.overrides['repository/load'] = () => {
    throw invalidArg(
      "load failed for model 'bad': version 1 is at UNAVAILABLE state: Invalid argument: no such tensor",
    );
  };
  await loadModel(page.engine, 'bad');
  const text = await page.told('error', 'bad could not be loaded.');
  expect(text).toMatch(/^bad could not be loaded\. Invalid argument: no such tensor/);
  const shown = toast.getToasts().flatMap((one) => ('title' in one ? [one] : []));
  const failure = shown.find(
    ({ title }) => title === 'bad could not be loaded. Invalid argument: no such tensor',
  );
  expect(failure?.duration).toBe(10_000);
});

test('a failed load is told in one line that leads to the model, and goes when the model loads', async () => {
  const fake = await start([stopped('long')]);
  fake.overrides['repository/load'] = () => {
    throw invalidArg(`${'word '.repeat(60)}\nsecond line`);
  };
  await loadModel(page.engine, 'long');
  const text = await page.told('error', 'long could not be loaded.');
  expect(text.length).toBeLessThan(180);
  expect(text).toMatch(/word…/);
  expect(text).not.toContain('second line');
  await page.follow('long could not', 'Show');
  expect(activeTab()?.address.model).toBe('long');
  delete fake.overrides['repository/load'];
  await loadModel(page.engine, 'long');
  await page.told('success', 'Loaded long');
  await until(() => expect(page.messages('error')).toEqual([]));
});

test('a failed load of the model that is looked at is only said: its page shows it', async () => {
  const fake = await start([stopped('seen')]);
  const announcer = await render(() => <Announcer />, fake);
  open(modelAddress('seen'));
  fake.overrides['repository/load'] = () => {
    throw internal('it broke');
  };
  await loadModel(page.engine, 'seen');
  await until(() => expect(announcer.get('announcer').textContent).toBe('seen failed to load'));
  expect(page.messages('error')).toEqual([]);
});
