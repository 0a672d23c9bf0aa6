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
