// The playground of a model on the screen: the request that is put together, what sends it, and what is said of an answer
// or a refusal.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { ModelInterface } from '../../../src-shared/contract/inference-calls.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { notFound } from '../../../src-shared/errors.ts';
import { modelAddress } from '../../lib/address.ts';
import { runCommand } from '../../lib/command-registry.ts';
import { activeTab } from '../../lib/workspace-store.ts';
import type { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import { fakeInterface, fakeRefusal, fakeResult } from '../../testing/fake-playground.ts';
import { drawPlayground, playgroundEngine, showPlayground } from '../../testing/playground-page.tsx';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, type, until } from '../../testing/render.tsx';
import { clearPlaygrounds, playgroundOf } from './playground-store.ts';
import { PlaygroundTab } from './playground-view.tsx';

let fake: FakeEngine;
let page: Rendered | undefined;

beforeEach(() => {
  clearPlaygrounds();
  vi.stubGlobal('CSS', { escape: String });
  fake = playgroundEngine();
});

afterEach(async () => {
  await page?.close();
  page = undefined;
  vi.unstubAllGlobals();
});

async function show(...of: readonly [io?: ModelInterface, model?: Partial<ModelView>]): Promise<Rendered> {
  page = await showPlayground(fake, ...of);
  return page;
}

const draft = () => playgroundOf('m').getState().draft;
const inputOf = (name: string) => draft()?.inputs.find((input) => input.name === name);
const stateOf = (): string | undefined => page?.get('pg-response').dataset['state'];
const sentText = () => fake.argsOf('playground/send').at(-1);
const isDisabled = (id: string): boolean => page?.get(id).getAttribute('aria-disabled') === 'true';

test('an interface that cannot be had says why, and is asked for again', async () => {
  fake.overrides['playground/interface'] = () => {
    throw notFound("there is no model 'm'");
  };
  page = await drawPlayground(fake);
  await until(() => expect(page?.get('pg-unavailable').textContent).toContain("there is no model 'm'"));
  fake.overrides['playground/interface'] = () => fakeInterface();
  await click(page.get('pg-unavailable').querySelector('button') as HTMLElement);
  await until(() => page?.get('pg-input-X'));
});

test.each([
  ['unloaded', 'Load and send', false],
  ['ready', 'Send', false],
  ['loading', 'Send once loaded', false],
  ['unloading', 'Send', true],
  ['not-runnable', 'Send', true],
] as const)('a model that is %s: the button says %j', async (state, text, off) => {
  const { get } = await show(fakeInterface(), { state });
  await until(() => expect(get('pg-send').textContent).toContain(text));
  expect(isDisabled('pg-send')).toBe(off);
  expect(runCommand('screen.main')).toBe(!off);
});

test('a request is sent by button, and what came back is shown with its size and time', async () => {
  const { get } = await show();
  expect(stateOf()).toBe('empty');
  await click(get('pg-send'));
  await until(() => expect(stateOf()).toBe('ok'));
  expect(get('pg-status').textContent).toContain('200 OK');
  expect(get('pg-status').textContent).toContain('5 ms');
  expect(get('pg-outputs').textContent).toContain('Y');
  await click(get('pg-saved-toggle'));
  await until(() => expect(get('pg-history').querySelectorAll('li')).toHaveLength(1));
  expect(await accessibilityFaults()).toEqual([]);
});

test('while it is sent the button cancels, and a cancelled request says so', async () => {
  fake.overrides['playground/send'] = () => Promise.withResolvers<never>().promise;
  const { get, query } = await show();
  await click(get('pg-send'));
  await until(() => expect(stateOf()).toBe('sending'));
  expect(query('pg-send')).toBeNull();
  await click(get('pg-cancel'));
  await until(() => expect(get('pg-error-text').textContent).toContain('Cancelled'));
  expect(stateOf()).toBe('error');
  expect(get('pg-status').textContent).toContain('Cancelled');
});

test('while an answer is waited for, the one before is not shown as if it were it', async () => {
  const { get } = await show();
  await click(get('pg-send'));
  await until(() => expect(stateOf()).toBe('ok'));
  fake.overrides['playground/send'] = () => Promise.withResolvers<never>().promise;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    await click(get('pg-send'));
    expect(get('pg-status').textContent).toContain('200');
    await until(() => expect(stateOf()).toBe('sending'));
    vi.advanceTimersByTime(2000);
    await until(() => expect(get('pg-response').textContent).toContain('For 2 s by now'));
    expect(get('pg-status').textContent).not.toContain('200');
  } finally {
    vi.useRealTimers();
  }
});

test('an error of the code of a model leads to its line', async () => {
  fake.overrides['playground/send'] = () =>
    fakeRefusal('NameError', { codePlace: { model: 'before', file: '1/model.py', line: 19 } });
  const { get } = await show();
  await click(get('pg-send'));
  await until(() => expect(get('pg-show-code').textContent).toContain('line 19 of 1/model.py'));
  await click(get('pg-show-code'));
  expect(activeTab()?.address).toMatchObject({
    model: 'before',
    tab: 'code',
    query: { file: '1/model.py', line: '19' },
  });
});

test('a refusal shows the words of the server, what they mean, and leads to the input', async () => {
  fake.overrides['playground/send'] = () =>
    fakeRefusal("unexpected shape for input 'X'", {
      explanation: 'The shape does not fit.',
      faultyInput: 'X',
    });
  const { get } = await show();
  await click(get('pg-send'));
  await until(() => expect(get('pg-error-text').textContent).toContain("unexpected shape for input 'X'"));
  expect(get('pg-explanation').textContent).toBe('The shape does not fit.');
  expect(get('pg-input-X').dataset['state']).toBe('faulty');
  await until(() => expect(get('pg-input-X').contains(document.activeElement)).toBe(true));
  get('pg-send').focus();
  await click(get('pg-fix-input'));
  expect(get('pg-input-X').contains(document.activeElement)).toBe(true);
  fake.overrides['playground/send'] = () => fakeResult();
  await click(get('pg-send'));
  await until(() => expect(get('pg-input-X').dataset['state']).toBe('ok'));
});

test('half floats are never offered as JSON; the note about it goes with them', async () => {
  const io = fakeInterface({
    outputs: [
      { name: 'Y', datatype: 'FP32', shape: [2], hasLabels: false },
      { name: 'H', datatype: 'FP16', shape: [2], hasLabels: false },
    ],
  });
  const { get, query } = await show(io);
  await click(get('pg-output-wanted-H'));
  await until(() => expect(draft()?.outputs[1]?.isWanted).toBe(false));
  playgroundOf('m').setState(({ draft: now }) => ({ draft: { ...now!, protocol: 'http-json' } }));
  await click(get('pg-output-wanted-H'));
  await until(() => expect(get('pg-json-refused').textContent).toContain('FP16'));
  expect(draft()?.protocol).toBe('http-binary');
  await click(get('pg-output-wanted-H'));
  await until(() => expect(query('pg-json-refused')).toBeNull());
});

test('outputs are chosen and asked for as classes; none at all means all of them', async () => {
  const io = fakeInterface({
    outputs: [
      { name: 'Y', datatype: 'FP32', shape: [2], hasLabels: false },
      { name: 'TEXT', datatype: 'BYTES', shape: [1], hasLabels: false },
    ],
  });
  const { get, query } = await show(io);
  expect(query('pg-classify-TEXT')).toBeNull();
  await click(get('pg-classify-Y'));
  await until(() => get('pg-top-k-Y'));
  await type(get('pg-top-k-Y'), '7');
  await click(get('pg-output-wanted-TEXT'));
  await until(() => expect(draft()?.outputs[1]?.isWanted).toBe(false));
  await click(get('pg-send'));
  await until(() => expect(sentText()?.outputs).toEqual([{ name: 'Y', classification: 7 }]));
  await click(get('pg-output-wanted-Y'));
  await until(() => expect(document.body.textContent).toContain('all'));
  await click(get('pg-send'));
  await until(() => expect(fake.argsOf('playground/send')).toHaveLength(2));
  expect(sentText()?.outputs).toEqual([]);
});

test('options are folded away with what differs said, and go with the request', async () => {
  const { get } = await show();
  expect(get('pg-options').getAttribute('aria-expanded')).toBe('false');
  await click(get('pg-options'));
  await type(get('pg-id'), 'r7');
  await type(get('pg-priority'), '2');
  await type(get('pg-timeout'), '1500');
  await click(get('pg-parameter-add'));
  await until(() => expect(draft()?.parameters).toHaveLength(1));
  const name = document.querySelector<HTMLInputElement>('input[aria-label="Parameter name"]');
  await type(name ?? get('pg-id'), 'top');
  await until(() => expect(draft()?.parameters[0]?.key).toBe('top'));
  await click(get('pg-options'));
  await until(() => expect(get('pg-options').textContent).toContain('id r7, priority 2, timeout 1500 µs'));
  await click(get('pg-send'));
  await until(() =>
    expect(sentText()).toMatchObject({ id: 'r7', priority: 2, timeoutUs: 1500, parameters: { top: '' } }),
  );
});

test('an earlier request comes back with its answer when it is chosen from the history', async () => {
  const { get } = await show();
  await click(get('pg-saved-toggle'));
  await click(get('pg-send'));
  await until(() => expect(stateOf()).toBe('ok'));
  fake.overrides['playground/send'] = () => fakeRefusal('broken');
  await type(get('pg-value-X-0'), '99');
  await click(get('pg-send'));
  await until(() => expect(stateOf()).toBe('error'));
  const rows = (): readonly HTMLElement[] => [...get('pg-history').querySelectorAll<HTMLElement>('button')];
  await until(() => expect(rows()).toHaveLength(2));
  expect(rows()[0]?.getAttribute('aria-current')).toBe('true');
  await click(rows()[1]!);
  await until(() => expect(stateOf()).toBe('ok'));
  expect(inputOf('X')?.values[0]).toBe('0');
  expect(rows()[1]?.getAttribute('aria-current')).toBe('true');
});

test('an optional input is sent once it is switched on or filled', async () => {
  const io = fakeInterface({
    inputs: [
      ...fakeInterface().inputs,
      { name: 'O', datatype: 'FP32', shape: [1], optional: true, imageLayout: '' },
    ],
  });
  const { get } = await show(io);
  expect(get('pg-input-O').textContent).not.toContain('shape not');
  await click(get('pg-send'));
  await until(() => expect(sentText()?.inputs.map(({ name }) => name)).toEqual(['X']));
  await click(get('pg-input-O').querySelector('[role="checkbox"]') as HTMLElement);
  await until(() => get('pg-value-O-0'));
  await click(get('pg-send'));
  await until(() => expect(sentText()?.inputs.map(({ name }) => name)).toEqual(['X', 'O']));
});

test('what was captured goes into the builder once: coming back does not undo what was edited since', async () => {
  const { request } = await captured();
  const address = modelAddress('m', 'playground', { captured: '12' });
  fake.overrides['playground/interface'] = () => fakeInterface();
  fake.overrides['capture/open'] = () => ({ request, inputs: [], row: { atMs: 0 } }) as never;
  fake.snapshot = { ...fake.snapshot, models: [fakeModel('m', { state: 'ready' })] };
  const view = <PlaygroundTab model="m" version="" address={address} />;
  page = await renderWithHosts(view, fake);
  await until(() => expect(inputOf('X')?.values).toEqual(['5', '6', '7', '8']));
  await type(page.get('pg-value-X-0'), '1');
  await page.close();
  page = await renderWithHosts(view, fake);
  await until(() => page?.get('pg-value-X-0'));
  expect(inputOf('X')?.values).toEqual(['1', '6', '7', '8']);
  expect(fake.argsOf('capture/open')).toEqual([{ id: 12 }]);
});

/** The playground of `m` with a captured input `X`, whose bytes are a blob. */
async function openedCapture(datatype: string, values: readonly string[] | undefined): Promise<Rendered> {
  const { request } = await captured();
  const [input] = request.inputs;
  const source = { kind: 'blob' as const, blob: 'kept', format: 'raw' as const };
  const facts = { name: 'X', datatype, shape: [4], byteSize: 16, blob: 'seen', classes: [] };
  const tensor = { ...facts, preview: ['5', '6', '7', '8'], stats: undefined, values };
  fake.overrides['playground/interface'] = () => fakeInterface();
  fake.overrides['capture/open'] = () =>
    ({
      ...{ request: { ...request, inputs: [{ ...input, source }] } },
      ...{ inputs: [tensor], row: { atMs: Date.UTC(2026, 0, 1, 12, 30, 15) } },
    }) as never;
  fake.snapshot = { ...fake.snapshot, models: [fakeModel('m', { state: 'ready' })] };
  const address = modelAddress('m', 'playground', { captured: '13' });
  page = await renderWithHosts(<PlaygroundTab model="m" version="" address={address} />, fake);
  return page;
}

test.each([
  ['without a text form', 'FP32', undefined],
  ['of another type than the input', 'INT32', ['5', '6', '7', '8']],
])('a captured tensor %s says when it was sent, and shows what it is', async (_name, datatype, values) => {
  const { get } = await openedCapture(datatype, values);
  const shown = await until(() => get('pg-captured-tensor-X'));
  expect(get('pg-input-X').textContent).toMatch(/Captured at \d\d:30:15, 16 B/);
  expect(shown.querySelector('[data-testid="pg-output-X"]')).not.toBeNull();
});

test('the values of a small captured tensor can be changed, and are sent as they stand', async () => {
  const { get } = await openedCapture('FP32', ['5', '6', '7', '8']);
  await type(await until(() => get('pg-value-X-1')), '60');
  await click(get('pg-send'));
  const sent = await until(() => fake.argsOf('playground/send')[0]);
  expect(sent?.inputs[0]?.source).toEqual({ kind: 'values', values: ['5', '60', '7', '8'] });
});

async function captured() {
  return Promise.resolve({
    request: {
      ...{
        model: 'm',
        version: '',
        protocol: 'grpc' as const,
        id: '',
        outputs: [],
        priority: 0,
        timeoutUs: 0,
      },
      ...{ parameters: {} },
      inputs: [
        {
          name: 'X',
          datatype: 'FP32',
          shape: [4],
          source: { kind: 'values' as const, values: ['5', '6', '7', '8'] },
        },
      ],
    },
  });
}
