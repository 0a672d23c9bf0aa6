// A click while the window is still being fetched is not lost.

import { expect, test } from 'vitest';

import { commandsAreHere, registerCommand, runCommand } from './command-registry.ts';

test('what was asked for before its handler was there runs once all are there, and later asking is not kept', () => {
  const ran: string[] = [];
  expect(runCommand('server.handOver')).toBe(false);
  expect(runCommand('repository.add', 'a')).toBe(false);
  registerCommand('repository.add', {
    run: (argument) => ran.push(`add ${argument}`),
    disabledReason: () => undefined,
  });
  expect(ran).toEqual([]);
  commandsAreHere();
  expect(ran).toEqual(['add a']);
  expect(runCommand('server.handOver')).toBe(false);
  registerCommand('server.handOver', { run: () => ran.push('hand over'), disabledReason: () => undefined });
  commandsAreHere();
  expect(ran).toEqual(['add a']);
});
