// The Config tab of a model `batch_mlp` with an engine from memory.

import type { ConfigFile } from '../../src-shared/contract/config-calls.ts';
import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { draftOf, drafts } from '../config/drafts/config-drafts.ts';
import { configPanes } from '../features/config-editor/config-panes.ts';
import { ConfigTab } from '../features/config-editor/config-tab.tsx';
import { modelAddress } from '../lib/address.ts';
import { forgetLiveIssues } from '../lib/live-problems.ts';
import { FakeEngine } from './fake-engine.ts';
import { fakeModel, fakeSnapshot } from './fake-models.ts';
import type { Rendered } from './render.tsx';
import { renderWithHosts, until } from './render.tsx';

/** The model whose tab is shown. */
export const CONFIG_MODEL = 'batch_mlp';

/** What the engine answers for the file unless a test says otherwise. */
export const CONFIG_ON_DISK: ConfigFile = {
  exists: true,
  text: 'name: "batch_mlp"\nmax_batch_size: 8\n',
  hash: 'h',
  path: '/m/config.pbtxt',
  readOnlyReason: undefined,
  refusal: undefined,
};

/** An engine with that model and file, one profile `small`, and no runs; a reload would make all instances anew. */
export function configEngine(changes: Partial<ModelView> = {}, disk: Partial<ConfigFile> = {}): FakeEngine {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([fakeModel(CONFIG_MODEL, { maxBatchSize: 8, ...changes })]);
  fake.overrides['config/read'] = () => ({ ...CONFIG_ON_DISK, ...disk });
  fake.overrides['config/profiles'] = () => ({ profiles: ['small'], active: undefined });
  fake.overrides['perf/runs'] = () => [];
  fake.overrides['config/previewReload'] = () => ({
    kind: 'full',
    sentence: 'All instances are made anew.',
    changedPaths: ['max_batch_size'],
  });
  return fake;
}

/** What tabs of other tests left behind: call before each. */
export function forgetConfig(): void {
  drafts.setState({ byDocument: new Map() });
  configPanes.setState({ side: 'form', isSplit: true, profiles: {}, compareWith: 'disk' });
  forgetLiveIssues(CONFIG_MODEL);
}

/** Draws the tab, whatever becomes of its file; `query` is that of its address. */
export async function drawConfig(fake: FakeEngine, query: Record<string, string> = {}): Promise<Rendered> {
  return renderWithHosts(
    <ConfigTab model={CONFIG_MODEL} version="" address={modelAddress(CONFIG_MODEL, 'config', query)} />,
    fake,
  );
}

/** Draws the tab and waits until its file was read. */
export async function showConfig(
  fake = configEngine(),
  query: Record<string, string> = {},
): Promise<Rendered> {
  const page = await drawConfig(fake, query);
  await until(() => page.get('config-tab'));
  return page;
}

/** The text of the model's file as it is in this window. */
export const configText = (): string => draftOf(CONFIG_MODEL)?.text ?? '';

/** Whether a button says that it cannot be used. */
export const isOff = (element: HTMLElement): boolean => element.getAttribute('aria-disabled') === 'true';
