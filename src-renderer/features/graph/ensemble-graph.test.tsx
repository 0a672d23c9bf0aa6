// The steps of an ensemble on the screen: what is said of each state, and what can be done about a step that does not run.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { internal } from '../../../src-shared/errors.ts';
import { setDraftText } from '../../config/drafts/config-drafts.ts';
import { registerCommand } from '../../lib/command-registry.ts';
import { setLiveIssues } from '../../lib/live-problems.ts';
import { ENSEMBLE_ACTIVITY, ensembleModel, EnsemblePage } from '../../testing/ensemble-page.tsx';
import { ENSEMBLE_TEXT } from '../../testing/ensemble-text.ts';
import { accessibilityFaults, click, until } from '../../testing/render.tsx';
import { changeView, viewOf } from './graph-views.ts';

vi.mock('./layout-worker.ts?worker', async () => ({
  default: (await import('../../testing/fake-workers.ts')).FakeLayoutWorker,
}));

vi.mock('../../config/language/config-worker.ts?worker', async () => ({
  default: (await import('../../testing/fake-workers.ts')).SilentWorker,
}));

let page: EnsemblePage;

beforeEach(() => {
  page = new EnsemblePage();
});
afterEach(() => page.close());

test('a text that cannot be read says why, and is read again when asked', async () => {
  page.fake.overrides['config/read'] = () => {
    throw internal('the disk is gone');
  };
  const { get } = await page.show();
  await until(() => expect(document.body.textContent).toContain('the disk is gone'));
  page.fake.overrides['config/read'] = () => page.file;
  const again = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Retry');
  await click(again as HTMLElement);
  await until(() => get('graph-step-0'));
});

test('an ensemble without steps leads to its config', async () => {
  page.file = { ...page.file, text: 'name: "pair"\nplatform: "ensemble"\n' };
  await page.show();
  await until(() => expect(document.body.textContent).toContain('no steps yet'));
});

test('a step shows its time, its share and its failures, in the drawing and in its details', async () => {
  const complaints = vi.spyOn(console, 'error');
  const { get } = await page.drawn();
  await until(() => expect(get('graph-step-1').textContent).toContain('3 ms · 75'));
  expect(get('graph-step-0').dataset['critical']).toBe('false');
  changeView('pair', { selected: 'step:1' });
  await until(() => expect(page.panel.textContent).toContain('Failures'));
  for (const text of ['2 · second', 'ready', 'newest', '3 ms', 'EXTRA', 'not mapped']) {
    expect(page.panel.textContent).toContain(text);
  }
  changeView('pair', { selected: 'step:0' });
  await until(() => expect(page.panel.textContent).toContain('1 · first'));
  expect(page.panel.textContent).not.toContain('Failures');
  expect(complaints.mock.calls).toEqual([]);
  complaints.mockRestore();
  expect(await accessibilityFaults(page.panel)).toEqual([]);
});

test('a step that keeps the ensemble from running is named, and loaded from there', async () => {
  const gate = Promise.withResolvers<undefined>();
  const { get } = await page.drawn(ensembleModel({ state: 'failed' }), {
    first: {},
    second: { state: 'unloaded', reason: 'unloaded' },
  });
  await until(() =>
    expect(get('graph-blocked').textContent).toContain('Step 2 second is not loaded, so pair cannot run.'),
  );
  page.fake.overrides['repository/load'] = async ({ model }) => {
    await gate.promise;
    return { model: page.fake.change(model, { state: 'ready' }) };
  };
  await click(get('graph-load-blocking'));
  await until(() => expect(get('graph-load-blocking').getAttribute('aria-busy')).toBe('true'));
  await click(get('graph-load-blocking'));
  gate.resolve(undefined);
  await until(() => expect(page.query('graph-blocked')).toBeNull());
  expect(page.fake.argsOf('repository/load')).toHaveLength(1);
});

test('a step that failed says in what words, above the drawing and in its details', async () => {
  const failed = { state: 'failed', reason: 'no such file\n\nAt:\n  model.py(1)' } as const;
  const { get } = await page.drawn(ensembleModel({ state: 'failed' }), { first: failed, second: {} });
  await until(() =>
    expect(get('graph-blocked').textContent).toContain(
      'Step 1 first failed, so pair cannot run: no such file',
    ),
  );
  // The rest of it is for the details.
  expect(get('graph-blocked').textContent).not.toContain('model.py');
  const toDetails = [...get('graph-blocked').querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Details',
  );
  await click(toDetails as HTMLElement);
  await until(() => expect(page.panel.textContent).toContain('model.py'));
  expect(get('graph-load-step').textContent).toContain('Load first');
});

test('a load that runs belongs to its step: the next step that is looked at can be loaded', async () => {
  page.fake.overrides['repository/load'] = () => Promise.withResolvers<never>().promise;
  const unloaded = { state: 'unloaded' } as const;
  const { get } = await page.drawn(ensembleModel({ state: 'unloaded' }), {
    first: unloaded,
    second: unloaded,
  });
  changeView('pair', { selected: 'step:0' });
  await until(() => expect(get('graph-load-step').textContent).toContain('Load first'));
  await click(get('graph-load-step'));
  await until(() => expect(get('graph-load-step').getAttribute('aria-busy')).toBe('true'));
  changeView('pair', { selected: 'step:1' });
  await until(() => expect(get('graph-load-step').textContent).toContain('Load second'));
  expect(get('graph-load-step').getAttribute('aria-busy')).toBeNull();
});

test('a step that is being loaded by somebody else is not loaded again', async () => {
  const loading = { state: 'loading', phase: 'session 1 of 2' } as const;
  const { get } = await page.drawn(ensembleModel({ state: 'unloaded' }), { first: loading, second: {} });
  changeView('pair', { selected: 'step:0' });
  await until(() => expect(page.panel.textContent).toContain('session 1 of 2'));
  expect(get('graph-load-step').getAttribute('aria-busy')).toBe('true');
  await click(get('graph-load-step'));
  expect(page.fake.argsOf('repository/load')).toEqual([]);
});

test('the newest request that failed is told while the ensemble runs, and its step is marked', async () => {
  const [first, second] = ENSEMBLE_ACTIVITY.steps;
  page.activity = {
    ...ENSEMBLE_ACTIVITY,
    lastError: 'in step 2: bad shape',
    steps: [first, { ...second, hasFailedLast: true }] as never,
  };
  const { get } = await page.drawn();
  await until(() => expect(get('graph-last-error').textContent).toContain('in step 2: bad shape'));
  await until(() => expect(get('graph-step-1').dataset['state']).toBe('failed'));
  expect(get('graph-step-0').dataset['state']).toBe('ready');
});

test('a model that is not there is imported under the name that the step has', async () => {
  page.fake.overrides['config/context'] = ({ model }) => ({
    ...{ modelName: model, versions: [], descriptions: [], gpuIds: [], backends: [], physicalCores: 8 },
    ...{ isAutoCompleteEnabled: true, defaultMaxBatchSize: 4, files: [], inspectedEntries: [], models: [] },
  });
  const asked: unknown[] = [];
  const off = registerCommand('repository.importOnnx', {
    run: (name) => void asked.push(name),
    disabledReason: () => undefined,
  });
  const { get } = await page.show(ensembleModel({ state: 'unloaded' }), {});
  await until(() => expect(get('graph-step-0').textContent).toContain('model first not found'));
  changeView('pair', { selected: 'step:0' });
  await until(() => get('graph-import'));
  await click(get('graph-import'));
  expect(asked).toEqual(['first']);
  off();
});

test('mistakes of the text and changes on disk are told above the drawing', async () => {
  const { get } = await page.drawn();
  setDraftText('pair', `${ENSEMBLE_TEXT}}`);
  await until(() => expect(get('graph-unreadable').textContent).toContain('The text has mistakes'));
  setDraftText('pair', `${ENSEMBLE_TEXT}# mine\n`);
  await until(() => expect(page.query('graph-unreadable')).toBeNull());
  page.file = { ...page.file, text: `${ENSEMBLE_TEXT}# theirs\n`, hash: 'h9' };
  page.fake.publish('config/changedOnDisk', { model: 'pair' } as never);
  await until(() => get('graph-conflict'));
  expect(page.text).toContain('# mine');
});

test('an address selects the place it points at once: what is selected afterwards stays', async () => {
  const query = { at: 'ensemble_scheduling.step[1].model_name' };
  const { get } = await page.drawn(ensembleModel(), undefined, query);
  const issue = {
    ...{ code: 'D51', severity: 'error' as const, message: 'm', hint: '', fixes: [] },
    ...{ path: query.at, line: 10, column: 7, startOffset: 0, endOffset: 0 },
  };
  setLiveIssues('pair', [issue]);
  await until(() => expect(viewOf('pair').selected).toBe('step:1'));
  changeView('pair', { selected: 'step:0' });
  setLiveIssues('pair', [{ ...issue, message: 'n' }]);
  await until(() => expect(get('graph-step-1').dataset['codes']).toBe('D51'));
  expect(viewOf('pair').selected).toBe('step:0');
});
