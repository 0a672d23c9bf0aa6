// The cards of the Statistics tab: the doctor, the counters, the instances, and what to do while nothing happens.

import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { PerfDefaults } from '../../../src-shared/contract/perf-calls.ts';
import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { DoctorVerdict, StatisticsView } from '../../../src-shared/contract/observe-views.ts';
import { internal } from '../../../src-shared/errors.ts';
import { INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeSample } from '../../testing/fake-views.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderView, until } from '../../testing/render.tsx';
import { ToastHost } from '../../ui/toast.tsx';
import { Counters } from './components/counters.tsx';
import { DoctorCard } from './components/doctor-card.tsx';
import { FirstRequests } from './components/first-requests.tsx';
import { InstanceStrip } from './components/instance-strip.tsx';
import { NowStrip } from './components/now-strip.tsx';

let page: Rendered | undefined;
beforeEach(() => workspace.setState(INITIAL_WORKSPACE, true));
afterEach(() => page?.close());

async function start(view: ReactNode, fake = new FakeEngine()): Promise<Rendered> {
  page = await renderView(
    <>
      {view}
      <ToastHost />
    </>,
    fake,
  );
  return page;
}

const VERDICT: DoctorVerdict = {
  code: 'delay-too-short',
  sentence: 'Batches close before they are full.',
  evidence: [{ label: 'Mean batch', value: '2.1 of 8' }],
  advice: 'Let requests wait a little longer.',
  tries: [{ title: 'Wait 500 µs', configText: 'delay: 500' }],
};

const VIEW: StatisticsView = {
  version: '2',
  sinceMs: new Date(2026, 4, 4, 12, 0, 0).getTime(),
  isReset: false,
  inferenceCount: 18_204,
  executionCount: 4911,
  successCount: 9102,
  failureCount: 3,
  queueFullCount: 5,
  timedOutCount: 1,
  cancelledCount: 2,
  meanUs: { request: 7400, queue: 2100, input: 90, infer: 4700, output: 60 },
  percentilesUs: { p50: 7200, p90: 12_400, p95: 14_800, p99: 17_900, max: 31_000 },
  batches: [],
  closeReasons: [
    { reason: 'delay', count: 3 },
    { reason: 'of its own', count: 1 },
  ],
  cacheHitCount: 30,
  cacheMissCount: 10,
  instances: [],
};

const counters = (
  view: Partial<StatisticsView> = {},
  more: { maxQueueSize?: number; hasCache?: boolean } = {},
) => (
  <Counters
    name="m"
    version=""
    view={{ ...VIEW, ...view }}
    maxQueueSize={more.maxQueueSize ?? 0}
    hasCache={more.hasCache ?? false}
  />
);

test('the doctor says its sentence with evidence, and a change can be tried without saving it', async () => {
  const fake = new FakeEngine();
  fake.overrides['observe/doctor'] = () => VERDICT;
  const { get } = await start(<DoctorCard name="batch_mlp" version="" isHeld={false} />, fake);
  expect((await until(() => get('doctor-sentence'))).textContent).toBe(VERDICT.sentence);
  expect(get('doctor-evidence').textContent).toContain('Mean batch2.1 of 8');
  expect(get('batch-doctor').textContent).toContain(VERDICT.advice);
  await click(get('doctor-try'));
  await until(() => expect(get('toast-success').textContent).toContain('Running with the change'));
  expect(fake.argsOf('repository/load')).toEqual([{ model: 'batch_mlp', configText: 'delay: 500' }]);
  expect(await accessibilityFaults()).toEqual([]);
});

test('a try that does not load is told; a doctor that cannot say anything says why', async () => {
  const fake = new FakeEngine();
  fake.overrides['observe/doctor'] = () => VERDICT;
  fake.overrides['repository/load'] = () => {
    throw internal('no memory left');
  };
  const { get } = await start(<DoctorCard name="m" version="" isHeld={false} />, fake);
  await click(await until(() => get('doctor-try')));
  await until(() => expect(get('toast-error').textContent).toContain('no memory left'));
  await page?.close();
  fake.overrides['observe/doctor'] = () => {
    throw internal('no counters');
  };
  await start(<DoctorCard name="m" version="" isHeld={false} />, fake);
  await until(() => expect(document.body.textContent).toContain('no counters'));
});

test('without evidence and tries there are neither', async () => {
  const fake = new FakeEngine();
  fake.overrides['observe/doctor'] = () => ({ ...VERDICT, evidence: [], tries: [] });
  const { get, query } = await start(<DoctorCard name="m" version="" isHeld={false} />, fake);
  await until(() => get('doctor-sentence'));
  expect([query('doctor-evidence'), query('doctor-try')]).toEqual([null, null]);
});

test.each([
  [{ failureCount: 0, cancelledCount: 0, timedOutCount: 0 }, 'Failed0'],
  [{ failureCount: 3, cancelledCount: 0, timedOutCount: 0 }, 'Failed3'],
  [{ failureCount: 9, cancelledCount: 2, timedOutCount: 0 }, 'Failed9: 2 cancelled, 7 for other reasons'],
])('failures are told by their reasons: %o', async (view, expected) => {
  const { get } = await start(counters(view));
  const rows = [...get('statistics-counters').querySelectorAll('dt')].map(
    (label) => `${label.textContent}${label.nextElementSibling?.textContent}`,
  );
  expect(rows).toContain(expected);
});

test('counters tell requests from inferences, and the parts of their mean time', async () => {
  const { get } = await start(counters());
  const text = get('statistics-counters').textContent;
  for (const words of [
    'Since load, 12:00:00',
    'Answered requests9,102',
    'Inferences18,204',
    'Failed3: 2 cancelled, 1 waited too long',
    'Mean time7.4 ms',
    '2.1 ms / 90 µs / 4.7 ms / 60 µs',
    '7.2 ms / 12.4 ms / 17.9 ms / 31 ms',
  ]) {
    expect(text).toContain(words);
  }
});

test('before the first answer there are dashes, no zeros of time', async () => {
  const { get } = await start(counters({ successCount: 0, percentilesUs: undefined, closeReasons: [] }));
  expect(get('statistics-counters').textContent).toContain('Mean time–');
  expect(get('statistics-counters').textContent).toContain('– / – / – / –');
  expect(get('statistics-reasons').textContent).toContain('No execution yet.');
});

test('the queue: what it refused, and how long it may get', async () => {
  const { get } = await start(counters());
  expect(get('statistics-policy').textContent).toContain('Rejected, queue full5');
  expect(get('statistics-policy').textContent).toContain('Largest queueno limit');
  await page?.close();
  const limited = await start(counters({}, { maxQueueSize: 64 }));
  expect(limited.get('statistics-policy').textContent).toContain('Largest queue64');
});

test('a cache has numbers when there is one; of no lookups there is no share', async () => {
  const { query } = await start(counters());
  expect(query('statistics-cache-numbers')).toBeNull();
  await page?.close();
  const cached = await start(counters({}, { hasCache: true }));
  expect(cached.get('statistics-cache-numbers').textContent).toContain('Hit share75 %');
  await page?.close();
  const unused = await start(counters({ cacheHitCount: 0, cacheMissCount: 0 }, { hasCache: true }));
  expect(unused.get('statistics-cache-numbers').textContent).toContain('Hit share–');
});

test('reasons are words where they are known, with their share', async () => {
  const { get } = await start(counters());
  const text = get('statistics-reasons').textContent;
  expect(text).toContain('Delay reached375 %');
  expect(text).toContain('of its own125 %');
});

test('the view is reset for this window, and the reset can be undone', async () => {
  const { get, query, fake } = await start(counters());
  expect(query('statistics-reset-undo')).toBeNull();
  await click(get('statistics-reset'));
  await until(() => expect(fake.argsOf('observe/resetView')).toEqual([{ model: 'm', version: '' }]));
  await page?.close();
  const reset = await start(counters({ isReset: true }));
  expect(reset.get('statistics-counters').textContent).toContain('Since the view was reset, 12:00:00');
  expect(reset.get('statistics-reset-undo')).toBeTruthy();
});

test('each instance shows how busy it is; very many are counted', async () => {
  const instance = (index: number) => ({
    name: `m_${index}`,
    device: 'CPU',
    executionCount: 1200,
    busy: 0.8,
    host: undefined,
  });
  const { get } = await start(
    <InstanceStrip instances={Array.from({ length: 20 }, (_, index) => instance(index))} />,
  );
  expect(get('instance-m_0').textContent).toContain('80 %');
  expect(get('instance-m_0').textContent).toContain('1,200 executions');
  expect(get('statistics-instances').textContent).toContain('4 more');
  await page?.close();
  await start(<InstanceStrip instances={[]} />);
  expect(page?.get('statistics-instances').textContent).toContain('no instances of its own');
});

test('the numbers of now are those of the newest version, or of the one that is asked for', async () => {
  const fake = new FakeEngine();
  const [row] = fakeSample(1000).models;
  if (row === undefined) throw new Error('the sample has no model');
  const models = [
    { ...row, model: 'm', version: '9', inferPerSecond: 9, failureCount: 1 },
    { ...row, model: 'm', version: '10', inferPerSecond: 10, failureCount: 2 },
    { ...row, model: 'other', version: '11', inferPerSecond: 11 },
  ];
  fake.overrides['observe/sample'] = () => fakeSample(Date.now(), { models });
  const { get } = await start(<NowStrip model="m" version="" counters={undefined} />, fake);
  await until(() => expect(get('statistics-now-rate').textContent).toBe('10'));
  expect(get('statistics-now-failures').textContent).toBe('2');
  await page?.close();
  const old = await start(<NowStrip model="m" version="9" counters={undefined} />, fake);
  await until(() => expect(old.get('statistics-now-rate').textContent).toBe('9'));
  await page?.close();
  const none = await start(<NowStrip model="unasked" version="" counters={undefined} />, fake);
  await until(() => expect(none.get('statistics-now-rate').textContent).toBe('–'));
});

test('failures are told apart as soon as the counters know as many', async () => {
  const fake = new FakeEngine();
  const [row] = fakeSample(1000).models;
  if (row === undefined) throw new Error('the sample has no model');
  const models = [{ ...row, model: 'm', version: '1', failureCount: 3 }];
  fake.overrides['observe/sample'] = () => fakeSample(Date.now(), { models });
  const known = { ...VIEW, failureCount: 3, cancelledCount: 2, timedOutCount: 0 };
  const { get } = await start(<NowStrip model="m" version="" counters={known} />, fake);
  await until(() =>
    expect(get('statistics-now-failures').textContent).toBe('3: 2 cancelled, 1 for other reasons'),
  );
  await page?.close();
  const late = { ...known, failureCount: 2 };
  const other = await start(<NowStrip model="m" version="" counters={late} />, fake);
  await until(() => expect(other.get('statistics-now-failures').textContent).toBe('3'));
});

test('one request of zeros is sent, and its time told, or why it was refused', async () => {
  const fake = new FakeEngine();
  fake.overrides['playground/send'] = () => ({ ok: true, error: undefined, totalMs: 12.4 }) as never;
  const { get } = await start(<FirstRequests model="batch_mlp" version="2" />, fake);
  await click(get('statistics-send-one'));
  await until(() => expect(get('toast-success').textContent).toContain('Answered in 12.4 ms.'));
  expect(fake.argsOf('playground/send')[0]).toMatchObject({
    model: 'batch_mlp',
    version: '2',
    inputs: [{ name: 'INPUT0', shape: [1, 16], source: { kind: 'fill', value: 'zeros' } }],
  });
  fake.overrides['playground/send'] = () => ({ ok: false, error: 'the queue is full', totalMs: 1 }) as never;
  await click(get('statistics-send-one'));
  await until(() => expect(get('toast-error').textContent).toContain('the queue is full'));
});

test('a model without inputs cannot be asked', async () => {
  const fake = new FakeEngine();
  fake.overrides['playground/interface'] = () => ({
    inputs: [],
    outputs: [],
    maxBatchSize: 0,
    isSequence: false,
    sequenceIdleMs: 0,
    isDecoupled: false,
  });
  const { get } = await start(<FirstRequests model="m" version="" />, fake);
  await click(get('statistics-send-one'));
  await until(() => expect(get('toast-error').textContent).toContain('This model has no inputs'));
});

test('a short test is the quick preset, for the version that is looked at', async () => {
  const fake = new FakeEngine();
  const plan = defaultPerfPlan('m');
  const quick = { ...plan, batchSize: 2 };
  fake.overrides['perf/plan'] = () =>
    ({ plan, presets: [{ name: 'quick', about: '', plan: quick }] }) as unknown as PerfDefaults;
  fake.overrides['perf/start'] = () => ({ runs: ['r'], sweep: '' });
  const { get } = await start(<FirstRequests model="m" version="3" />, fake);
  await click(get('statistics-run-test'));
  await until(() =>
    expect(get('toast-success').textContent).toContain('A load test of about 20 s has started.'),
  );
  expect(fake.argsOf('perf/start')).toEqual([
    { plan: { ...quick, version: '3' }, name: 'First look', configText: undefined },
  ]);
});
