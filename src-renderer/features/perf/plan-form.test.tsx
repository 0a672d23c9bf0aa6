// Sections of the plan, each alone: what a choice puts into the plan, what it asks for then, and what it leaves.

import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { PerfDefaults } from '../../../src-shared/contract/perf-calls.ts';
import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { internal } from '../../../src-shared/errors.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, choose, click, renderView, type, until } from '../../testing/render.tsx';
import { DataSection } from './components/plan-data.tsx';
import { LoadSection } from './components/plan-load.tsx';
import { MeasurementSection, SequenceSection } from './components/plan-measurement.tsx';
import { TargetSection } from './components/plan-target.tsx';
import { INITIAL_PERF, perfUi, usePerf } from './perf-store.ts';

let page: Rendered | undefined;
beforeEach(() =>
  perfUi.setState({ ...INITIAL_PERF, model: 'simple', plan: defaultPerfPlan('simple') }, true),
);
afterEach(() => page?.close());

function WithPlan({ of }: { readonly of: (plan: PerfPlan) => ReactNode }) {
  const plan = usePerf((state) => state.plan);
  return plan === undefined ? null : of(plan);
}

async function start(of: (plan: PerfPlan) => ReactNode, fake = new FakeEngine()): Promise<Rendered> {
  page = await renderView(<WithPlan of={of} />, fake);
  expect(await accessibilityFaults()).toEqual([]);
  return page;
}

const plan = (): PerfPlan => perfUi.getState().plan!;
const radio = (label: string): HTMLElement =>
  [...document.querySelectorAll<HTMLElement>('[role="radio"]')].find((one) => one.textContent === label)!;

test('each kind of load asks for what it needs, and keeps the levels that the next one has too', async () => {
  const { get, query } = await start((now) => <LoadSection plan={now} />);
  await type(get('perf-range-end'), '8');
  await choose(get('perf-load'), (text) => /rate/i.test(text));
  await until(() => expect(plan().load).toMatchObject({ kind: 'request-rate', levels: { end: 8 } }));
  await click(radio('Poisson'));
  await until(() => expect(plan().load).toMatchObject({ distribution: 'poisson', levels: { end: 8 } }));
  await choose(get('perf-load'), (text) => /gaps|interval/i.test(text));
  await until(() => expect(plan().load).toEqual({ kind: 'intervals', intervalsUs: [10_000] }));
  expect(query('perf-range-end')).toBeNull();
  await choose(get('perf-load'), (text) => /grow|periodic/i.test(text));
  await until(() => expect(plan().load).toMatchObject({ kind: 'periodic', end: 16 }));
  await choose(get('perf-load'), (text) => /concurrency/i.test(text));
  await until(() => expect(plan().load.kind).toBe('concurrency'));
});

test('levels change their kind and keep where they start; a step is asked for only where there is one', async () => {
  const { get, query } = await start((now) => <LoadSection plan={now} />);
  await type(get('perf-range-start'), '2');
  await type(get('perf-range-end'), '16');
  const kinds = (): readonly HTMLElement[] => [
    ...get('perf-levels').querySelectorAll<HTMLElement>('[role="radio"]'),
  ];
  await click(kinds()[1]!);
  await until(() => expect((get('perf-list') as HTMLInputElement).value).toBe('2, 4, 8, 16'));
  await type(get('perf-list'), '0.5');
  await until(() => expect(plan().load).toMatchObject({ levels: { kind: 'list', values: [] } }));
  await type(get('perf-list'), '2, 16');
  await click(kinds()[2]!);
  await until(() => expect(plan().load).toMatchObject({ levels: { kind: 'doubling', start: 2, end: 16 } }));
  expect(query('perf-range-step')).toBeNull();
  await click(kinds()[3]!);
  await until(() => expect(plan().load).toMatchObject({ levels: { kind: 'binary', step: 1 } }));
  expect(query('perf-range-step')).not.toBeNull();
});

test('windows are as long as said, or hold as many requests as said', async () => {
  const { get } = await start((now) => <MeasurementSection plan={now} />);
  await type(get('perf-interval'), '2000');
  await until(() => expect(plan().measurement).toMatchObject({ mode: 'time', intervalMs: 2000 }));
  await click(document.querySelectorAll<HTMLElement>('[role="radio"]')[1]!);
  await until(() => expect(plan().measurement).toMatchObject({ mode: 'count', intervalMs: 2000 }));
  expect(page?.query('perf-interval')).toBeNull();
  await click(get('perf-grows-windows'));
  await until(() => expect(plan().measurement.growsWindows).toBe(true));
});

test('stability is judged by the mean or by a rank, one of a command line included', async () => {
  perfUi.setState({ plan: { ...plan(), measurement: { ...plan().measurement, percentile: 97 } } });
  await start((now) => <MeasurementSection plan={now} />);
  const select = document.querySelector<HTMLElement>('[role="combobox"]')!;
  expect(select.textContent).toContain('p97');
  await choose(select, 'p99');
  await until(() => expect(plan().measurement.percentile).toBe(99));
  await choose(select, (text) => /mean/i.test(text));
  await until(() => expect(plan().measurement.percentile).toBe(0));
});

test('sequences: a length that was typed is kept apart from the one that is assumed', async () => {
  const { get } = await start((now) => <SequenceSection plan={now} />);
  expect(plan().sequence.isLengthGiven).toBe(false);
  await type(get('perf-sequence-length'), '7');
  await until(() => expect(plan().sequence).toMatchObject({ length: 7, isLengthGiven: true }));
  await type(get('perf-sequence-length'), '');
  await until(() => expect(plan().sequence).toMatchObject({ length: 20, isLengthGiven: false }));
});

const defaults = (datatype: string): PerfDefaults => ({
  plan: defaultPerfPlan('simple'),
  inputs: [{ name: 'IN', datatype, shape: [-1, 4], optional: false }],
  maxBatchSize: 0,
  isSequence: false,
  isDecoupled: false,
  openShapes: ['IN'],
  presets: [],
  configText: '',
});

test('texts that are made up have a length or are given; numbers have neither', async () => {
  await start((now) => <DataSection plan={now} defaults={defaults('FP32')} />);
  expect(document.body.textContent).not.toContain('Text of every element');
  await page?.close();
  await start((now) => <DataSection plan={now} defaults={defaults('BYTES')} />);
  for (const label of ['Text of every element', 'Letters when random'])
    expect(document.body.textContent).toContain(label);
  // The shape that the model leaves open is named whole.
  expect(document.body.textContent).toContain('Sizes for [-1,4]');
});

test('a request of the playground is sent under its name, and a list that cannot be read says why', async () => {
  const fake = new FakeEngine();
  fake.overrides['playground/savedList'] = () => [{ id: 'id1', name: 'one cat', savedAtMs: 0 }] as never;
  const { get } = await start((now) => <DataSection plan={now} defaults={defaults('FP32')} />, fake);
  await choose(get('perf-data'), 'Saved request');
  await choose(await until(() => get('perf-saved')), 'one cat');
  await until(() => expect(plan().data.source).toEqual({ kind: 'saved', request: 'id1', name: 'one cat' }));
  await page?.close();
  fake.overrides['playground/savedList'] = () => {
    throw internal('the disk is gone');
  };
  page = await renderView(
    <WithPlan of={(now) => <DataSection plan={now} defaults={defaults('FP32')} />} />,
    fake,
  );
  await until(() => expect(document.body.textContent).toContain('the disk is gone'));
});

test('a version that is served no more stays chosen; the newest is one choice away', async () => {
  perfUi.setState({ plan: { ...plan(), version: '3' } });
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([fakeModel('simple', { servedVersions: ['4'] })]);
  await start((now) => <TargetSection plan={now} isDecoupled={false} />, fake);
  const select = document.querySelector<HTMLElement>('[role="combobox"]')!;
  await until(() => expect(select.textContent).toContain('3'));
  await choose(select, '4');
  await until(() => expect(plan().version).toBe('4'));
  await choose(select, (text) => !/^\d+$/.test(text));
  await until(() => expect(plan().version).toBe(''));
});

test('a decoupled model over gRPC without a stream is warned about', async () => {
  perfUi.setState({ plan: { ...plan(), protocol: 'grpc' } });
  const { get } = await start((now) => <TargetSection plan={now} isDecoupled />);
  const before = document.body.textContent;
  await click(get('perf-streaming'));
  await until(() => expect(document.body.textContent.length).toBeLessThan(before.length));
});

test('a text that is too long to be kept says so', async () => {
  const defaults = { inputs: [], openShapes: [] } as unknown as PerfDefaults;
  perfUi.setState({
    plan: { ...plan(), data: { ...plan().data, source: { kind: 'json', text: '{"data": []}' } } },
  });
  const { get, query } = await start((now) => <DataSection plan={now} defaults={defaults} />);
  expect(query('perf-data-not-kept')).toBeNull();
  perfUi.setState({
    plan: { ...plan(), data: { ...plan().data, source: { kind: 'json', text: 'x'.repeat(60_000) } } },
  });
  await until(() => expect(get('perf-data-not-kept').textContent).toContain('too long'));
});
