// What is said of outputs that did not come.

import { afterEach, expect, test } from 'vitest';

import type { PlaygroundRequest } from '../../../src-shared/contract/inference-calls.ts';
import type { PlaygroundResponse } from '../../../src-shared/contract/playground-answer.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeInterface, fakeOutput } from '../../testing/fake-playground.ts';
import type { Rendered } from '../../testing/render.tsx';
import { renderWithHosts } from '../../testing/render.tsx';
import { MissingOutputs } from './components/missing-outputs.tsx';

const declared = (name: string) => ({ name, datatype: 'FP32', shape: [2], hasLabels: false });
const IO = fakeInterface({ outputs: [declared('Y'), declared('Z')] });

let page: Rendered | undefined;

afterEach(async () => {
  await page?.close();
  page = undefined;
});

async function said(
  came: readonly string[],
  {
    asked = [],
    io = IO,
    error,
  }: {
    readonly asked?: readonly string[];
    readonly io?: typeof IO;
    readonly error?: string;
  } = {},
): Promise<string | undefined> {
  const response: PlaygroundResponse = { outputs: came.map((name) => fakeOutput(name, ['1', '2'])), error };
  const outputs: PlaygroundRequest['outputs'] = asked.map((name) => ({ name, classification: 0 }));
  page = await renderWithHosts(
    <MissingOutputs io={io} asked={outputs} response={response} />,
    new FakeEngine(),
  );
  return page.query('pg-missing-outputs')?.textContent ?? undefined;
}

test('nothing, where all came', async () => {
  expect(await said(['Z', 'Y'])).toBeUndefined();
});

test('each that did not come is named', async () => {
  expect(await said([])).toContain('Y, Z did not come, though the configuration has them.');
});

test('one that did not come is named', async () => {
  expect(await said(['Y'])).toContain('Z did not come, though the configuration has it.');
});

test('those that nobody asked for are not missed', async () => {
  expect(await said(['Y'], { asked: ['Y'] })).toBeUndefined();
});

test('a decoupled model may leave outputs out, and an error says enough', async () => {
  expect(await said(['Y'], { io: { ...IO, isDecoupled: true } })).toBeUndefined();
  await page?.close();
  expect(await said([], { error: 'no memory' })).toBeUndefined();
});
