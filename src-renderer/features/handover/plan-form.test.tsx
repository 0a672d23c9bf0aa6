// The choices of a hand-over: which of them a target has, and what each makes of the plan.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { HandoverChoices, HandoverPlan } from '../../../src-shared/contract/handover-calls.ts';
import { fakeHandoverHandlers } from '../../testing/fake-handover-handlers.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, choose, click, press, renderView, type } from '../../testing/render.tsx';
import { PlanForm } from './components/plan-form.tsx';

let choices: HandoverChoices;
let page: Rendered;
const onChange = vi.fn<(changes: Partial<HandoverPlan>) => void>();

beforeEach(async () => {
  onChange.mockReset();
  choices = (await fakeHandoverHandlers()['handover/choices']({}, {} as never)) as HandoverChoices;
});
afterEach(() => page.close());

async function show(
  changes: Partial<HandoverPlan> = {},
  repositories: readonly string[] = ['/models'],
): Promise<void> {
  const plan = { ...choices.usual, locations: repositories.map(() => ''), ...changes };
  page = await renderView(
    <PlanForm choices={{ ...choices, repositories: [...repositories] }} plan={plan} onChange={onChange} />,
  );
}

const has = (name: string): boolean => page.query(`handover-${name}`) !== null;

test.each([
  ['compose', { chart: false, replicas: false, autoscaling: false, monitoring: true, clients: true }],
  ['kubernetes', { chart: false, replicas: true, autoscaling: true, monitoring: true, clients: false }],
  ['helm', { chart: true, replicas: true, autoscaling: true, monitoring: true, clients: false }],
  ['kserve', { chart: false, replicas: true, autoscaling: true, monitoring: false, clients: false }],
] as const)('for %s only what it has is asked for', async (target, expected) => {
  await show({ target });
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, has(name)]))).toEqual(expected);
  expect(await accessibilityFaults()).toEqual([]);
});

test('GPUs are counted where there are some', async () => {
  await show();
  expect(has('gpus')).toBe(false);
  const gpu = [...page.get('handover-device').querySelectorAll<HTMLElement>('[role="radio"]')][1];
  await click(gpu!);
  expect(onChange.mock.calls).toEqual([[{ device: 'gpu' }]]);
  await page.close();
  await show({ device: 'gpu', gpuCount: 2 });
  await press(page.get('handover-gpus'), 'ArrowUp');
  expect(onChange).toHaveBeenLastCalledWith({ gpuCount: 3 });
});

test('each repository has its place, and a change of one leaves the others', async () => {
  await show({ locations: ['s3://a', 's3://b'] }, ['/models', '/srv/more']);
  const second = page.get('handover-place-1');
  await type(second, 's3://c ');
  await press(second, 'Enter');
  expect(onChange.mock.calls).toEqual([[{ locations: ['s3://a', 's3://c'] }]]);
});

test('a name that is typed and taken back changes nothing', async () => {
  await show();
  const name = page.get('handover-name');
  await type(name, 'other');
  await type(name, choices.usual.name);
  await press(name, 'Enter');
  name.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  expect(onChange).not.toHaveBeenCalled();
});

test('what is chosen is told: target, release, scale, extras', async () => {
  await show({ target: 'kubernetes' });
  await choose(page.get('handover-target'), 'Docker Compose');
  await choose(page.get('handover-release'), '25.01');
  await choose(page.get('handover-autoscaling'), 'requests wait');
  await press(page.get('handover-replicas'), 'ArrowUp');
  await click(page.get('handover-completed'));
  await click(page.get('handover-monitoring'));
  // A list takes Enter and a click for two choices of one entry while its plan stays as it is.
  const told = new Set(onChange.mock.calls.map(([changes]) => JSON.stringify(changes)));
  expect([...told].map((changes) => JSON.parse(changes) as unknown)).toEqual([
    { target: 'compose' },
    { release: '25.01' },
    { autoscaling: 'queue' },
    { replicas: 2 },
    { completedConfigs: true },
    { monitoring: true },
  ]);
});
