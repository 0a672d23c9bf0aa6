// The screen of one model: its tabs, what is left when it is gone, and which version its tabs are about.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { internal } from '../../../src-shared/errors.ts';
import { modelAddress } from '../../lib/address.ts';
import { areas } from '../../lib/areas.ts';
import { runCommand } from '../../lib/command-registry.ts';
import type { ModelTabDefinition, ModelTabProps } from '../../lib/feature.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import { fakeInterface } from '../../testing/fake-playground.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, until } from '../../testing/render.tsx';
import { DeviceDialog, BackendDialog } from './components/limits-dialog.tsx';
import { ModelCommands } from './model-commands.tsx';
import { ModelScreen } from './model-view.tsx';

const before = areas.getState();
let fake: FakeEngine;
let page: Rendered | undefined;

const Tab = ({ version }: ModelTabProps) => (
  <p data-testid="tab-version">{version === '' ? 'newest' : version}</p>
);
const tab = (id: string, changes: Partial<ModelTabDefinition> = {}): ModelTabDefinition =>
  ({ id, title: 'model.tab.graph', View: Tab, ...changes }) as ModelTabDefinition;

beforeEach(() => {
  workspace.setState(INITIAL_WORKSPACE, true);
  areas.setState({
    ...before,
    screens: new Set(),
    modelTabs: [tab('overview'), tab('graph', { isFor: ({ isEnsemble }) => !isEnsemble }), tab('config')],
  });
  fake = new FakeEngine();
});

afterEach(async () => {
  await page?.close();
  page = undefined;
  areas.setState(before, true);
});

const version = (name: string) => ({
  ...{ version: name, state: 'READY' as const, reason: '', byteSize: 1, fileCount: 1, modifiedAtMs: 1 },
  ...{ loadMs: 1, memoryBytes: 1, gpuMemory: [] },
});

async function show(changes: Partial<ModelView> = {}, at = 'overview'): Promise<Rendered> {
  fake.snapshot = { ...fake.snapshot, models: [fakeModel('m', { state: 'ready', ...changes })] };
  page = await renderWithHosts(<ModelScreen address={modelAddress('m', at)} />, fake);
  await until(() => page?.get('model-view-m'));
  return page;
}

async function choose(trigger: HTMLElement, label: string): Promise<void> {
  await click(trigger);
  const option = await until(() => {
    const found = [...document.querySelectorAll<HTMLElement>('[role="option"]')].find(
      ({ textContent }) => textContent === label,
    );
    if (found === undefined) throw new Error(`no choice '${label}'`);
    return found;
  });
  await click(option);
}

test('a model that is not there, or no longer, leads back to the list', async () => {
  const { query } = await show();
  fake.publish('repository/models', { changed: [], removed: ['m'] });
  await until(() => expect(page?.get('model-gone').textContent).toContain('m'));
  expect(query('model-view-m')).toBeNull();
  await click(page?.get('model-gone').querySelector('button') as HTMLElement);
  expect(activeTab()?.address.area).toBe('models');
});

test('tabs are those that the model has; an unknown one is the first', async () => {
  const { query, get } = await show({ isEnsemble: true }, 'graph');
  expect(query('model-tab-graph')).toBeNull();
  expect(get('model-tab-overview').getAttribute('aria-selected')).toBe('true');
  await click(get('model-tab-config'));
  expect(activeTab()?.address.tab).toBe('config');
  expect(await accessibilityFaults()).toEqual([]);
});

test('a version that is looked at is that of all tabs, until it is gone', async () => {
  const { get } = await show({ versions: [version('1'), version('2')] });
  expect(get('tab-version').textContent).toBe('newest');
  await choose(get('model-version'), 'v1');
  await until(() => expect(get('tab-version').textContent).toBe('1'));
  fake.change('m', { versions: [version('2'), version('3')] });
  await until(() => expect(get('tab-version').textContent).toBe('newest'));
  expect(get('model-version').textContent).not.toContain('1');
  await choose(get('model-version'), 'v3');
  await until(() => expect(get('tab-version').textContent).toBe('3'));
  // Nothing is left to choose from.
  fake.change('m', { versions: [version('2')] });
  await until(() => expect(get('tab-version').textContent).toBe('newest'));
});

test('a model that failed has its card above every tab', async () => {
  const { query } = await show({ state: 'failed', reason: 'broken' });
  expect(query('failure-m')).not.toBeNull();
});

test('why the CPU is used is told with the facts of this machine', async () => {
  fake.changeServer({ gpus: [], providers: ['cpu', 'xnnpack'] });
  const model = fakeModel('m', { device: 'CPU', notices: ['no GPU here'] });
  page = await renderWithHosts(<DeviceDialog model={model} onClose={() => undefined} />, fake);
  const { get } = page;
  await until(() => expect(get('limits-dialog').textContent).toContain('cpu, xnnpack'));
  for (const text of ['none', 'no GPU here', 'Runs onCPU']) {
    expect(get('limits-dialog').textContent?.toLowerCase()).toContain(text.toLowerCase());
  }
  const toConfig = [...get('limits-dialog').querySelectorAll('button')].find(({ textContent }) =>
    textContent?.includes('config'),
  );
  await click(toConfig as HTMLElement);
  expect(activeTab()?.address).toMatchObject({ tab: 'config', query: { find: 'instance_group' } });
});

test('why a backend is not here is told with those that are', async () => {
  const model = fakeModel('m', { backend: 'fil', state: 'not-runnable', needs: undefined });
  page = await renderWithHosts(<BackendDialog model={model} onClose={() => undefined} />, fake);
  const { get } = page;
  await until(() => expect(get('limits-dialog').textContent).toContain('fil'));
  await until(() => expect(get('limits-dialog').textContent).toContain('Export the model to ONNX'));
});

test('the curl of a model is copied; one without inputs has none', async () => {
  const copied: string[] = [];
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: (text: string) => Promise.resolve(void copied.push(text)) },
  });
  fake.snapshot = { ...fake.snapshot, models: [fakeModel('m')] };
  page = await renderWithHosts(<ModelCommands />, fake);
  await until(() => expect(runCommand('curl.copy', 'm')).toBe(true));
  await until(() => expect(copied[0]).toContain('/v2/models/m/infer'));
  expect(runCommand('curl.copy', 'nobody')).toBe(false);
  fake.overrides['playground/interface'] = () => fakeInterface({ inputs: [] });
  runCommand('curl.copy', 'm');
  const asked = fake.argsOf('playground/snippets').length;
  await until(() => expect(document.querySelector('[data-testid="toast-error"]')).not.toBeNull());
  expect(fake.argsOf('playground/snippets')).toHaveLength(asked);
  fake.overrides['playground/interface'] = () => {
    throw internal('not loaded');
  };
  runCommand('curl.copy', 'm');
  await until(() => expect(document.body.textContent).toContain('not loaded'));
  expect(copied).toHaveLength(1);
});

test.each(['failed', 'not-runnable'] as const)('a model that is %s offers no request', async (state) => {
  areas.setState({
    screens: new Set(['perf']),
    modelTabs: [tab('overview'), tab('playground')],
  });
  const { query, get } = await show({ state });
  expect(query('model-send')).toBeNull();
  expect(get('model-header').textContent).not.toContain('Perf test');
  // One that cannot be loaded has no filled button that does nothing.
  const isFilled = get('model-load').className.includes('bg-accent');
  expect(isFilled).toBe(state === 'failed');
});

test('a model that is not loaded offers to send, which loads it', async () => {
  areas.setState({ screens: new Set(['perf']), modelTabs: [tab('overview'), tab('playground')] });
  const { get } = await show({ state: 'unloaded' });
  expect(get('model-send').textContent).toContain('Send request');
  expect(get('model-header').textContent).toContain('Perf test');
});
