import { expect, test } from 'vitest';

import { TurnBudget } from './turn-budget.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('gives out so much in a turn of the loop, and all of it again in the next', async () => {
  let wentOn = 0;
  const budget = new TurnBudget(3, () => (wentOn += 1));
  expect([budget.spend(), budget.spend(), budget.isSpent]).toEqual([true, true, false]);
  expect([budget.spend(), budget.spend(), budget.isSpent]).toEqual([true, false, true]);
  budget.waitForTurn();
  budget.waitForTurn();
  expect([budget.spend(), wentOn]).toEqual([false, 0]);
  await turn();
  expect([wentOn, budget.isSpent, budget.spend()]).toEqual([1, false, true]);
});

test('whoever waits for a turn has nothing left before it', async () => {
  let wentOn = 0;
  const budget = new TurnBudget(3, () => (wentOn += 1));
  budget.spend();
  budget.waitForTurn();
  expect([budget.isSpent, budget.spend()]).toEqual([true, false]);
  await turn();
  expect([wentOn, budget.spend(), budget.spend(), budget.spend(), budget.spend()]).toEqual([
    1,
    true,
    true,
    true,
    false,
  ]);
});
