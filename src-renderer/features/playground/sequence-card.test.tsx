// The card of a sequence: its buttons, its steps with what came back, and how long the server still waits.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { internal } from '../../../src-shared/errors.ts';
import { modelAddress } from '../../lib/address.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import { fakeInterface, fakeOutput, fakeRefusal, fakeResult } from '../../testing/fake-playground.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, type, until } from '../../testing/render.tsx';
import { clearPlaygrounds, playgroundOf } from './playground-store.ts';
import { PlaygroundTab } from './playground-view.tsx';

let fake: FakeEngine;
let page: Rendered | undefined;

beforeEach(() => {
  clearPlaygrounds();
  fake = new FakeEngine();
  let total = 0;
  fake.overrides['playground/savedList'] = () => [];
  fake.overrides['playground/send'] = () => {
    total += 1;
    return fakeResult({ responses: [{ outputs: [fakeOutput('Y', [String(total)])], error: undefined }] });
  };
});

afterEach(async () => {
  await page?.close();
  page = undefined;
  vi.useRealTimers();
});

async function show(sequenceIdleMs = 60_000): Promise<Rendered> {
  fake.overrides['playground/interface'] = () => fakeInterface({ isSequence: true, sequenceIdleMs });
  fake.snapshot = { ...fake.snapshot, models: [fakeModel('m', { state: 'ready' })] };
  page = await renderWithHosts(
    <PlaygroundTab model="m" version="" address={modelAddress('m', 'playground')} />,
    fake,
  );
  await until(() => page?.get('pg-sequence'));
  return page;
}

const steps = (): string => page?.query('pg-sequence-steps')?.textContent ?? '';
const sequences = () => fake.argsOf('playground/send').map(({ sequence }) => sequence);

test('start, step and end are sent as such, and each step shows what came back', async () => {
  const { get } = await show();
  await click(get('pg-sequence-start'));
  await until(() => expect(steps()).toContain('Y 1'));
  await click(get('pg-sequence-step'));
  await until(() => expect(steps()).toContain('Y 2'));
  await click(get('pg-sequence-end'));
  await until(() => expect(steps()).toContain('Y 3'));
  expect(sequences()).toEqual([
    { id: '1', start: true, end: false },
    { id: '1', start: false, end: false },
    { id: '1', start: false, end: true },
  ]);
  expect(steps()).toContain('X 0 1 2 3');
  expect(await accessibilityFaults(get('pg-sequence'))).toEqual([]);
});

test('a step that failed says why in its row', async () => {
  fake.overrides['playground/send'] = () => fakeRefusal('sequence 1 is not open');
  const { get } = await show();
  await click(get('pg-sequence-step'));
  await until(() => expect(get('pg-step-out').textContent).toBe('sequence 1 is not open'));
});

test('steps are put aside and sent in one go, or forgotten', async () => {
  const { get, query } = await show();
  expect(get('pg-sequence-play').getAttribute('aria-disabled')).toBe('true');
  await click(get('pg-sequence-add'));
  await click(get('pg-sequence-add'));
  await until(() => expect(get('pg-sequence-script').textContent).toContain('2'));
  await click(get('pg-sequence-script').querySelector('button') as HTMLElement);
  await until(() => expect(query('pg-sequence-script')).toBeNull());
  await click(get('pg-sequence-add'));
  await type(get('pg-value-X-0'), '9');
  await click(get('pg-sequence-add'));
  await click(get('pg-sequence-play'));
  await until(() => expect(steps()).toContain('Y 2'));
  expect(sequences()).toEqual([
    { id: '2', start: true, end: false },
    { id: '2', start: false, end: true },
  ]);
  await until(() => expect((get('pg-sequence-id') as HTMLInputElement).value).toBe('2'));
});

test('flags and id can be set by hand, and a new sequence gets the next id', async () => {
  const { get } = await show();
  await type(get('pg-sequence-id'), 'run7');
  await click(get('pg-sequence-end-flag'));
  await click(get('pg-send'));
  await until(() => expect(sequences()).toEqual([{ id: 'run7', start: true, end: true }]));
  const next = [...get('pg-sequence').querySelectorAll('button')].find(({ textContent }) =>
    textContent?.includes('New'),
  );
  await click(next as HTMLElement);
  await until(() =>
    expect(playgroundOf('m').getState().draft?.sequence).toMatchObject({ id: 'run8', start: true }),
  );
});

test('how long the server waits is counted down, and then no step can follow', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const { get, query } = await show();
  expect(query('pg-sequence-idle')).toBeNull();
  await click(get('pg-sequence-start'));
  await until(() => expect(get('pg-sequence-idle').textContent).toContain('60'));
  vi.advanceTimersByTime(10_000);
  await until(() => expect(get('pg-sequence-idle').textContent).toContain('50'));
  expect(get('pg-sequence-step').getAttribute('aria-disabled')).toBeNull();
  vi.advanceTimersByTime(60_000);
  await until(() => expect(get('pg-sequence-step').getAttribute('aria-disabled')).toBe('true'));
  await click(get('pg-sequence-end'));
  expect(fake.argsOf('playground/send')).toHaveLength(1);
  await click(get('pg-sequence-start'));
  await until(() => expect(get('pg-sequence-step').getAttribute('aria-disabled')).toBeNull());
});

test('an idle time too short for a hand can be made longer for a while; a failure is told', async () => {
  const { get, query } = await show(1000);
  expect(get('pg-sequence-short').textContent).toContain('1 s');
  fake.overrides['repository/load'] = () => {
    throw internal('no memory');
  };
  await click(get('pg-sequence-longer'));
  await until(() => expect(document.body.textContent).toContain('no memory'));
  fake.overrides['repository/load'] = ({ model }) => ({ model: fake.change(model, { loadedAtMs: 77 }) });
  fake.overrides['playground/interface'] = () => fakeInterface({ isSequence: true, sequenceIdleMs: 60_000 });
  await until(() => expect(get('pg-sequence-longer').getAttribute('aria-busy')).toBeNull());
  await click(get('pg-sequence-longer'));
  await until(() => expect(query('pg-sequence-short')).toBeNull());
  expect(fake.argsOf('repository/load').at(-1)?.configText).toContain('60000000');
});
