// The drawing of an ensemble `pair` of two steps, `first` and `second`, with an engine from memory. A test changes the
// file, what the steps did, or the models, before it shows the page; closing forgets all that the page kept.

import { expect } from 'vitest';

import type { ConfigFile } from '../../src-shared/contract/config-calls.ts';
import type { EnsembleActivity } from '../../src-shared/contract/graph-calls.ts';
import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { draftOf, drafts, dropDrafts } from '../config/drafts/config-drafts.ts';
import { EnsembleGraph } from '../features/graph/ensemble-graph.tsx';
import { graphViews } from '../features/graph/graph-views.ts';
import { layouts } from '../features/graph/layouts.ts';
import { textSteps } from '../features/graph/text-undo.ts';
import { setLiveIssues } from '../lib/live-problems.ts';
import { ENSEMBLE_TEXT } from './ensemble-text.ts';
import { FakeEngine } from './fake-engine.ts';
import { fakeModel } from './fake-models.ts';
import type { Rendered } from './render.tsx';
import { renderWithHosts, until } from './render.tsx';

const stepConfig = (name: string): string => `name: "${name}" backend: "onnxruntime"
  input [ { name: "IN" data_type: TYPE_FP32 dims: [ 4 ] } ]
  output [ { name: "OUT" data_type: TYPE_FP32 dims: [ 4 ] }, { name: "EXTRA" data_type: TYPE_FP32 dims: [ 2 ] } ]`;

/** Four requests, of which two failed in the second step, which took three quarters of the time. */
export const ENSEMBLE_ACTIVITY: EnsembleActivity = {
  ...{ runCount: 4, failureCount: 0, meanUs: 4000, lastError: undefined },
  steps: [
    { stepIndex: 0, model: 'first', runCount: 4, failureCount: 0, meanUs: 1000, hasFailedLast: false },
    { stepIndex: 1, model: 'second', runCount: 4, failureCount: 2, meanUs: 3000, hasFailedLast: false },
  ],
};

/** The ensemble as the list has it: ready unless changed. */
export const ensembleModel = (changes: Partial<ModelView> = {}): ModelView =>
  fakeModel('pair', { isEnsemble: true, backend: '', kind: 'ensemble', state: 'ready', ...changes });

/** The page with its engine. `file` and `activity` are what the engine answers when it is asked next. */
export class EnsemblePage {
  readonly fake = new FakeEngine();
  activity = ENSEMBLE_ACTIVITY;
  file: ConfigFile = {
    exists: true,
    text: ENSEMBLE_TEXT,
    hash: 'h1',
    path: '/m/pair/config.pbtxt',
    readOnlyReason: undefined,
    refusal: undefined,
  };
  #shown: Rendered | undefined;

  constructor() {
    this.fake.overrides['config/read'] = () => this.file;
    this.fake.overrides['graph/ensemble'] = () => this.activity;
    this.fake.overrides['config/context'] = ({ model }) => ({
      ...{ modelName: model, versions: [], descriptions: [], gpuIds: [], backends: [], physicalCores: 8 },
      ...{ isAutoCompleteEnabled: true, defaultMaxBatchSize: 4, files: [], inspectedEntries: [] },
      models: ['first', 'second'].map((name) => ({ name, configText: stepConfig(name) })),
    });
  }

  /** The text as it is in this window. */
  get text(): string {
    return draftOf('pair')?.text ?? '';
  }

  /** The details of what is selected. Throws while there are none. */
  get panel(): HTMLElement {
    const found = this.query('graph-panel');
    if (found === null) throw new Error('no panel');
    return found;
  }

  /** Null when nothing on the page has that test id. */
  query(testId: string): HTMLElement | null {
    return this.#shown?.query(testId) ?? null;
  }

  /** Draws the page with these models as steps; `query` is that of its address. */
  async show(
    ensemble = ensembleModel(),
    steps: Readonly<Record<string, Partial<ModelView>>> = { first: {}, second: {} },
    query: Readonly<Record<string, string>> = {},
  ): Promise<Rendered> {
    const models = Object.entries(steps).map(([name, changes]) =>
      fakeModel(name, { state: 'ready', ...changes }),
    );
    this.fake.snapshot = { ...this.fake.snapshot, models: [ensemble, ...models] };
    this.#shown = await renderWithHosts(<EnsembleGraph model={ensemble} query={query} />, this.fake);
    return this.#shown;
  }

  /** As `show`, and waits until steps, states and datatypes are there. */
  async drawn(...args: Parameters<EnsemblePage['show']>): Promise<Rendered> {
    const rendered = await this.show(...args);
    await until(() => expect(rendered.get('graph-step-1').dataset['state']).toBeDefined());
    await until(() => expect(rendered.get('graph-connections').textContent).toContain('FP32 [4]'));
    return rendered;
  }

  /** To be called after each test, whether the page was shown or not. */
  async close(): Promise<void> {
    await this.#shown?.close();
    setLiveIssues('pair', []);
    dropDrafts([...drafts.getState().byDocument.keys()]);
    textSteps.setState({ byDocument: {} });
    graphViews.setState({ byModel: {} });
    layouts.forget(() => true);
  }
}
