// A model by example, on its overview: one request is sent from here, and what went in and came out is shown.

import { toast } from 'sonner';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { allByRole, byRole } from '../../testing/by-role.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import { fakeInterface, fakeOutput, fakeRefusal, fakeResult } from '../../testing/fake-playground.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, until } from '../../testing/render.tsx';
import { SampleCard } from './components/sample-card.tsx';
import { clearPlaygrounds } from './playground-store.ts';

let fake: FakeEngine;
let page: Rendered | undefined;

beforeEach(() => {
  clearPlaygrounds();
  workspace.setState(INITIAL_WORKSPACE, true);
  fake = new FakeEngine();
  fake.overrides['playground/interface'] = () => fakeInterface();
  fake.overrides['playground/send'] = () => fakeResult();
});
afterEach(async () => {
  toast.dismiss();
  await page?.close();
  vi.unstubAllGlobals();
});

async function show(model: Partial<ModelView> = {}): Promise<void> {
  fake.snapshot = fakeSnapshot([fakeModel('m', model)]);
  page = await renderWithHosts(<SampleCard model="m" version="2" />, fake);
  await until(() => expect(fake.argsOf('playground/interface')).not.toEqual([]));
}

const run = (): Promise<void> => click(byRole('button', 'Try it'));
const isOff = (): boolean => byRole('button', 'Try it').getAttribute('aria-disabled') === 'true';
const example = (): HTMLElement => {
  const found = page?.get('model-sample-example');
  if (found === undefined) throw new Error('no page');
  return found;
};

test('nothing was sent yet: the card says what it is for', async () => {
  await show();
  await until(() => expect(isOff()).toBe(false));
  expect(document.body.textContent).toContain('Send one request with made-up values');
  expect(fake.argsOf('playground/send')).toEqual([]);
});

test('one request is sent to the version that is looked at; values, answer and time are shown', async () => {
  await show();
  await until(() => expect(isOff()).toBe(false));
  await run();
  await until(() => expect(example().dataset['state']).toBe('true'));
  expect(fake.argsOf('playground/send')).toMatchObject([{ model: 'm', version: '2' }]);
  expect(byRole('list', undefined, example()).textContent).toBe('X FP32 [4] 0, 1, 2, 3');
  expect(example().textContent).toContain('5 ms');
  expect(example().textContent).toContain('Y');
  expect(await accessibilityFaults()).toEqual([]);
});

test('of many values only the first are shown', async () => {
  fake.overrides['playground/interface'] = () =>
    fakeInterface({
      inputs: [{ name: 'X', datatype: 'INT32', shape: [9], optional: false, imageLayout: '' }],
    });
  await show();
  await until(() => expect(isOff()).toBe(false));
  await run();
  await until(() => expect(example().textContent).toContain('X INT32 [9] 0, 1, 2, 3, 4, 5, …'));
});

test('two outputs are shown, the others are counted', async () => {
  const outputs = ['A', 'B', 'C', 'D'].map((name) => fakeOutput(name, ['1']));
  fake.overrides['playground/send'] = () => fakeResult({ responses: [{ outputs, error: undefined }] });
  await show();
  await until(() => expect(isOff()).toBe(false));
  await run();
  await until(() => expect(example().textContent).toContain('2 more outputs in the playground.'));
  expect(allByRole('heading', 'C')).toEqual([]);
});

test('a refusal is shown in the words of the server', async () => {
  fake.overrides['playground/send'] = () => fakeRefusal("unexpected shape for input 'X'");
  await show();
  await until(() => expect(isOff()).toBe(false));
  await run();
  await until(() => expect(example().textContent).toContain("unexpected shape for input 'X'"));
  expect(example().dataset['state']).toBe('false');
  fake.overrides['playground/send'] = () => fakeResult();
  await run();
  await until(() => expect(example().dataset['state']).toBe('true'));
  expect(example().textContent).not.toContain('unexpected shape');
});

test.each<[string, Partial<ModelView>]>([
  ['not loaded', { state: 'unloaded', servedVersions: [] }],
  ['loading', { state: 'loading', servedVersions: [] }],
  ['not runnable here', { state: 'not-runnable', servedVersions: [] }],
])('a model that is %s cannot be tried, and nothing is loaded for it', async (_state, model) => {
  await show(model);
  await until(() => expect(isOff()).toBe(true));
  await run();
  expect(fake.argsOf('playground/send')).toEqual([]);
  expect(fake.argsOf('repository/load')).toEqual([]);
});

test('with the server stopped nothing is sent from an overview', async () => {
  fake.server = { ...fake.server, state: 'stopped' };
  await show();
  await until(() => expect(isOff()).toBe(true));
  await run();
  expect(fake.argsOf('server/start')).toEqual([]);
});

test('the request is changed in the playground', async () => {
  await show();
  await click(byRole('button', 'Change the request'));
  expect(workspace.getState().tabs.at(-1)?.address).toMatchObject({ model: 'm', tab: 'playground' });
});
