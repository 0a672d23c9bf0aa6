// Commands of screens that are not open.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { modelAddress } from '../lib/address.ts';
import { disabledReason, registerCommand, runCommand } from '../lib/command-registry.ts';
import { activeTab, INITIAL_WORKSPACE, open, workspace } from '../lib/workspace-store.ts';
import { leadCommands } from './leading-commands.ts';

let ends: (() => void)[];

beforeEach(() => {
  vi.useFakeTimers();
  workspace.setState(INITIAL_WORKSPACE);
  ends = [leadCommands()];
});
afterEach(() => {
  ends.forEach((end) => end());
  vi.useRealTimers();
});

function screen(id: string, reason: () => string | undefined = () => undefined): readonly string[] {
  const ran: string[] = [];
  ends.push(registerCommand(id, { run: () => ran.push(id), disabledReason: reason }));
  return ran;
}

test('a command opens its screen and runs there once nothing is against it', async () => {
  expect(runCommand('perf.compareLast')).toBe(true);
  expect(activeTab()?.address.area).toBe('perf');
  let reason: string | undefined = 'loading';
  const ran = screen('perf.compareLast', () => reason);
  await vi.advanceTimersByTimeAsync(500);
  expect(ran).toEqual([]);
  reason = undefined;
  await vi.advanceTimersByTimeAsync(500);
  expect(ran).toEqual(['perf.compareLast']);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(ran).toHaveLength(1);
});

test.each([
  ['perf.start', 'perf'],
  ['analyzer.start', 'analyzer'],
])('%s is led to, and begins nothing', async (id, area) => {
  expect(runCommand(id)).toBe(true);
  expect(activeTab()?.address.area).toBe(area);
  const ran = screen(id);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(ran).toEqual([]);
  runCommand(id);
  expect(ran).toEqual([id]);
});

test.each([
  ['config.format', 'config'],
  ['config.writeEffective', 'config'],
  ['warmup.run', 'warmup'],
  ['request.sendLast', 'playground'],
])('%s is about the model that is looked at', async (id, tab) => {
  expect(disabledReason(id)).toMatch(/^Open the .* tab of a model first$/);
  expect(runCommand(id)).toBe(false);
  open(modelAddress('simple', 'overview'));
  expect(disabledReason(id)).toBeUndefined();
  runCommand(id);
  expect(activeTab()?.address).toMatchObject({ model: 'simple', tab });
  const ran = screen(id);
  await vi.advanceTimersByTimeAsync(500);
  expect(ran).toEqual([id]);
});

test('a screen that never can is not waited for without end', async () => {
  runCommand('perf.compareLast');
  const ran = screen('perf.compareLast', () => 'There are no two runs');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(ran).toEqual([]);
});
