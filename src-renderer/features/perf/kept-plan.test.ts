import { expect, test } from 'vitest';

import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { keepPlan, readPlan } from './kept-plan.ts';

const plan = { ...defaultPerfPlan('simple'), isAsync: true };

test('a plan comes back as it was left, each model its own', async () => {
  const { client } = new FakeEngine().engine();
  await keepPlan(client, plan);
  expect(await readPlan(client, 'simple')).toEqual(plan);
  expect(await readPlan(client, 'other')).toBeUndefined();
});

test.each(['', '{', '{"model":"simple"}'])('a text that is no plan is left out: %s', async (json) => {
  const fake = new FakeEngine();
  fake.layouts.set('perf plan simple', json);
  expect(await readPlan(fake.engine().client, 'simple')).toBeUndefined();
});

test('a plan of another model under the name of this one is left out', async () => {
  const fake = new FakeEngine();
  fake.layouts.set('perf plan other', JSON.stringify(plan));
  expect(await readPlan(fake.engine().client, 'other')).toBeUndefined();
});

test('texts that are too long stay in the window', async () => {
  const fake = new FakeEngine();
  const source = { kind: 'json', text: 'x'.repeat(60_000) } as const;
  await keepPlan(fake.engine().client, { ...plan, data: { ...plan.data, source } });
  expect(fake.argsOf('settings/writeLayout')).toEqual([]);
});

test('a plan that cannot be kept or read is no failure of the form', async () => {
  const fake = new FakeEngine();
  const refuse = (): never => {
    throw new Error('the disk is full');
  };
  fake.overrides['settings/writeLayout'] = refuse;
  fake.overrides['settings/readLayout'] = refuse;
  const { client } = fake.engine();
  await expect(keepPlan(client, plan)).resolves.toBeUndefined();
  await expect(readPlan(client, 'simple')).resolves.toBeUndefined();
});
