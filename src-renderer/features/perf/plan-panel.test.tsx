// The plan as a form: every field changes the plan that is sent, and what cannot be started says why.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { PerfDefaults } from '../../../src-shared/contract/perf-calls.ts';
import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { internal } from '../../../src-shared/errors.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, choose, click, renderWithHosts, type, until } from '../../testing/render.tsx';
import { PlanPanel } from './components/plan-panel.tsx';
import { chooseModel, INITIAL_PERF, perfUi } from './perf-store.ts';
import { useStart } from './use-start.ts';

let page: Rendered | undefined;
beforeEach(() => perfUi.setState(INITIAL_PERF, true));
afterEach(() => page?.close());

function Form() {
  return <PlanPanel start={useStart()} />;
}

function defaults(changes: Partial<PerfDefaults> = {}, model = 'simple'): PerfDefaults {
  const plan = defaultPerfPlan(model);
  return {
    plan,
    inputs: [{ name: 'IN', datatype: 'FP32', shape: [-1], optional: false }],
    maxBatchSize: 8,
    isSequence: false,
    isDecoupled: false,
    openShapes: [],
    presets: [
      {
        name: 'Quick look',
        about: 'Two loads.',
        plan: { ...plan, load: { kind: 'concurrency', levels: { kind: 'list', values: [1, 4] } } },
      },
    ],
    configText: 'name: "simple"\n',
    ...changes,
  };
}

function engineOf(changes: Partial<PerfDefaults> = {}): FakeEngine {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([fakeModel('simple'), fakeModel('other')]);
  fake.overrides['perf/plan'] = ({ model }) => defaults(changes, model);
  fake.overrides['perf/toCommand'] = ({ plan }) => ({
    command: `perf_analyzer -m ${plan.model} -b ${plan.batchSize}`,
    missing: plan.keepsRequests === true ? ['--keep'] : [],
  });
  fake.overrides['perf/start'] = () => ({ runs: ['r1'], sweep: 's1' });
  return fake;
}

async function start(fake = engineOf()): Promise<Rendered> {
  chooseModel('simple');
  page = await renderWithHosts(<Form />, fake);
  const { get } = page;
  await until(() => get('perf-preset-quick-look'));
  return page;
}

const plan = () => perfUi.getState().plan;
const isOff = (element: HTMLElement): boolean => element.getAttribute('aria-disabled') === 'true';
const radio = (group: HTMLElement, label: string): HTMLElement =>
  [...group.querySelectorAll<HTMLElement>('[role="radio"]')].find(
    ({ textContent }) => textContent === label,
  )!;

test('a preset changes the load and leaves what is sent and how', async () => {
  const { get } = await start();
  expect(await accessibilityFaults()).toEqual([]);
  await type(get('perf-batch'), '4');
  await click(get('perf-preset-quick-look'));
  await until(() => expect(get('perf-preset-quick-look').getAttribute('aria-pressed')).toBe('true'));
  expect(plan()).toMatchObject({
    batchSize: 4,
    load: { kind: 'concurrency', levels: { kind: 'list', values: [1, 4] } },
  });
  await type(get('perf-list'), '1, 4, 16');
  await until(() => expect(get('perf-preset-quick-look').getAttribute('aria-pressed')).toBe('false'));
  // As a plan comes back after a reload of the page: the same, in another order.
  await click(get('perf-preset-quick-look'));
  const { load, measurement, ...others } = plan()!;
  const turned = Object.fromEntries(Object.entries(measurement).toReversed()) as typeof measurement;
  await type(get('perf-list'), '1, 4, 16');
  await until(() => expect(get('perf-preset-quick-look').getAttribute('aria-pressed')).toBe('false'));
  perfUi.setState({ plan: { ...others, measurement: turned, load } });
  await until(() => expect(get('perf-preset-quick-look').getAttribute('aria-pressed')).toBe('true'));
});

test('a list that cannot be read is marked, and cannot be started', async () => {
  const { get, fake } = await start();
  await click(get('perf-preset-quick-look'));
  await type(await until(() => get('perf-list')), '1, x');
  await until(() => expect(isOff(get('perf-start'))).toBe(true));
  expect(get('perf-problem').textContent).toContain('at least one value');
  await click(get('perf-start'));
  expect(fake.argsOf('perf/start')).toEqual([]);
  // A preset puts it right, whatever was typed.
  await click(get('perf-preset-quick-look'));
  await until(() => expect((get('perf-list') as HTMLInputElement).value).toBe('1, 4'));
  await until(() => expect(isOff(get('perf-start'))).toBe(false));
});

test('what is typed is what is started, with its name and its number of levels', async () => {
  const { get, fake, query } = await start();
  await type(get('perf-range-end'), '7');
  await type(get('perf-range-step'), '2');
  await type(get('perf-name'), 'nightly');
  await until(() => expect(document.body.textContent).toContain('4 levels'));
  await click(get('perf-start'));
  await until(() =>
    expect(fake.argsOf('perf/start')).toMatchObject([
      { name: 'nightly', plan: { load: { levels: { kind: 'range', start: 1, end: 7, step: 2 } } } },
    ]),
  );
  await until(() => expect((get('perf-name') as HTMLInputElement).value).toBe(''));
  expect(query('perf-problem')).toBeNull();
});

test('while one start is under way a second click does nothing', async () => {
  const fake = engineOf();
  const answer = Promise.withResolvers<{ runs: string[]; sweep: string }>();
  fake.overrides['perf/start'] = () => answer.promise;
  const { get } = await start(fake);
  await click(get('perf-start'));
  await until(() => expect(get('perf-start').getAttribute('aria-busy')).toBe('true'));
  await click(get('perf-start'));
  answer.resolve({ runs: ['r1'], sweep: '' });
  await until(() => expect(perfUi.getState().runId).toBe('r1'));
  expect(fake.argsOf('perf/start')).toHaveLength(1);
});

test('a start that is refused is told', async () => {
  const fake = engineOf();
  fake.overrides['perf/start'] = () => {
    throw internal('the model was unloaded');
  };
  const { get } = await start(fake);
  await click(get('perf-start'));
  await until(() => expect(get('toast-error').textContent).toContain('the model was unloaded'));
});

test('another protocol leaves another server and a stream that it cannot speak', async () => {
  const { get, query } = await start();
  perfUi.setState({ plan: { ...plan()!, url: 'other:8000' } });
  await until(() => expect(get('perf-other-server').textContent).toContain('other:8000'));
  await click(radio(get('perf-protocol'), 'gRPC'));
  await until(() => expect(query('perf-other-server')).toBeNull());
  await click(get('perf-streaming'));
  await until(() => expect(plan()).toMatchObject({ protocol: 'grpc', isStreaming: true, isAsync: true }));
  await click(radio(get('perf-protocol'), 'HTTP'));
  await until(() => expect(plan()).toMatchObject({ protocol: 'http', isStreaming: false }));
});

test('an open dimension must be given, unless data bring their own', async () => {
  const { get, query } = await start(engineOf({ openShapes: ['IN'] }));
  await until(() => expect(get('perf-problem').textContent).toContain('IN needs a shape'));
  await type(get('perf-shape-IN'), '16');
  await until(() => expect(query('perf-problem')).toBeNull());
  expect(plan()?.data.shapes).toEqual({ IN: [16] });
});

test('data of the user: pasted text is asked for, and requests of the playground are offered', async () => {
  const fake = engineOf();
  fake.overrides['playground/savedList'] = () => [];
  const { get } = await start(fake);
  await choose(get('perf-data'), 'JSON text');
  await until(() => expect(isOff(get('perf-start'))).toBe(true));
  await type(get('perf-json'), '{"data": []}');
  await until(() => expect(isOff(get('perf-start'))).toBe(false));
  await choose(get('perf-data'), 'Saved request');
  await until(() => expect(get('perf-saved-none')).toBeTruthy());
  expect(isOff(get('perf-start'))).toBe(true);
});

test('a sweep counts its configurations, and one without values cannot start', async () => {
  const { get, fake } = await start();
  await click(get('perf-sweep'));
  await until(() => expect(isOff(get('perf-start'))).toBe(true));
  await type(get('perf-sweep-instances'), '1, 2');
  await type(get('perf-sweep-batch'), '4, 8');
  await until(() => expect(get('perf-start').textContent).toContain('5'));
  await click(get('perf-start'));
  await until(() => expect(perfUi.getState()).toMatchObject({ pane: 'sweep', sweepId: 's1' }));
  expect(fake.argsOf('perf/start')[0]?.sweep).toMatchObject({
    instanceCounts: [1, 2],
    maxBatchSizes: [4, 8],
  });
});

test('an override begins with the configuration that is served, and goes when it is switched off', async () => {
  const { get, query, fake } = await start();
  await click(get('perf-override'));
  await until(() =>
    expect((get('perf-override-text') as HTMLTextAreaElement).value).toBe('name: "simple"\n'),
  );
  await type(get('perf-override-text'), 'max_batch_size: 2\n');
  await click(get('perf-start'));
  await until(() => expect(fake.argsOf('perf/start')[0]?.configText).toBe('max_batch_size: 2\n'));
  await click(get('perf-override'));
  await until(() => expect(query('perf-override-text')).toBeNull());
  expect(perfUi.getState().override).toBeUndefined();
});

test('fields of the measurement fall back when they are emptied; 0 says what it stands for', async () => {
  const { get } = await start();
  await type(get('perf-latencyLimitMs'), '50');
  await until(() => expect(plan()?.measurement.latencyLimitMs).toBe(50));
  await type(get('perf-latencyLimitMs'), '');
  await until(() => expect(plan()?.measurement.latencyLimitMs).toBe(0));
  await type(get('perf-stabilityPercent'), '');
  await until(() => expect(plan()?.measurement.stabilityPercent).toBe(10));
  await click(get('perf-keep-requests'));
  await until(() => expect(get('perf-command-missing').textContent).toContain('--keep'));
});

test('the line follows the form; an edited line fills it, and what it does not know is listed', async () => {
  const fake = engineOf();
  fake.overrides['perf/parseCommand'] = () => ({
    plan: { ...defaultPerfPlan('simple'), batchSize: 8 },
    unknown: ['--what'],
    problems: [],
    warnings: ['-t is old'],
  });
  const { get } = await start(fake);
  const line = (): string => (get('perf-command') as HTMLTextAreaElement).value;
  await until(() => expect(line()).toBe('perf_analyzer -m simple -b 1'));
  expect(isOff(get('perf-command-apply'))).toBe(true);
  await type(get('perf-command'), 'perf_analyzer -m simple -b 8 --what');
  await click(get('perf-command-apply'));
  await until(() => expect(plan()?.batchSize).toBe(8));
  expect(get('perf-command-unknown').textContent).toContain('--what');
  expect(get('perf-command-warnings').textContent).toContain('-t is old');
  await until(() => expect(line()).toBe('perf_analyzer -m simple -b 8'));
});

test('a line that cannot be used stays, with the reason, and the form is as it was', async () => {
  const fake = engineOf();
  fake.overrides['perf/parseCommand'] = () => ({
    plan: defaultPerfPlan(''),
    unknown: [],
    problems: ['-m is missing'],
    warnings: [],
  });
  const { get } = await start(fake);
  await type(get('perf-command'), 'perf_analyzer -b 8');
  await click(get('perf-command-apply'));
  await until(() => expect(get('perf-command-problems').textContent).toContain('-m is missing'));
  expect((get('perf-command') as HTMLTextAreaElement).value).toBe('perf_analyzer -b 8');
  expect(plan()?.batchSize).toBe(1);
});

test('a model whose plan cannot be read says why', async () => {
  const fake = engineOf();
  fake.overrides['perf/plan'] = () => {
    throw internal('its configuration is faulty');
  };
  chooseModel('simple');
  page = await renderWithHosts(<Form />, fake);
  await until(() => expect(document.body.textContent).toContain('its configuration is faulty'));
  expect(isOff(page.get('perf-start'))).toBe(true);
});

test('without a model that is ready the way to the models is shown', async () => {
  const fake = engineOf();
  fake.snapshot = fakeSnapshot([fakeModel('simple', { state: 'unloaded' })]);
  page = await renderWithHosts(<Form />, fake);
  const { get } = page;
  await until(() => get('perf-no-model'));
});

test('a change made right before another model is chosen is kept for the next time', async () => {
  const fake = engineOf();
  const { get } = await start(fake);
  await type(get('perf-batch'), '4');
  await until(() => expect(plan()?.batchSize).toBe(4));
  chooseModel('other');
  await until(() => expect(plan()?.model).toBe('other'));
  await until(() => expect(fake.layouts.get('perf plan simple')).toContain('"batchSize":4'));
  chooseModel('simple');
  await until(() => expect(plan()).toMatchObject({ model: 'simple', batchSize: 4 }));
});
