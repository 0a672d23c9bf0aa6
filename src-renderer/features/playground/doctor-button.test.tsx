// From an answer to the batch doctor: where its batch stayed at one row, and where many were sent.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { areas } from '../../lib/areas.ts';
import type { ModelTabDefinition } from '../../lib/feature.ts';
import { activeTab, workspace } from '../../lib/workspace-store.ts';
import { fakeInterface, fakeResult } from '../../testing/fake-playground.ts';
import { playgroundEngine, showPlayground } from '../../testing/playground-page.tsx';
import type { Rendered } from '../../testing/render.tsx';
import { click, until } from '../../testing/render.tsx';
import { clearPlaygrounds, patchDraft, playgroundOf } from './playground-store.ts';

let page: Rendered | undefined;
const before = areas.getState();

beforeEach(() => {
  clearPlaygrounds();
  areas.setState({ modelTabs: [{ id: 'statistics' } as unknown as ModelTabDefinition] });
});

afterEach(async () => {
  await page?.close();
  areas.setState(before, true);
});

test.each([
  [1, 16, true],
  [4, 16, false],
  [1, 0, false],
])('a batch of %i of a model that takes up to %i leads there: %s', async (batchSize, maxBatchSize, leads) => {
  const fake = playgroundEngine();
  fake.overrides['playground/send'] = () => fakeResult({ batchSize });
  page = await showPlayground(fake, fakeInterface(), { maxBatchSize });
  await click(page.get('pg-send'));
  await click(page.get('pg-tab-timing'));
  await until(() => page?.get('pg-timing-batch'));
  expect(page.query('ask-doctor') !== null).toBe(leads);
});

test('many sends of a model that batches lead there', async () => {
  const fake = playgroundEngine();
  fake.overrides['playground/repeat'] = () => ({
    ...{ last: fakeResult(), okCount: 8, failCount: 0, totalMs: 50, perSecond: 160 },
    ...{ errors: [], latencyMs: undefined },
  });
  page = await showPlayground(fake, fakeInterface(), { maxBatchSize: 16 });
  patchDraft(playgroundOf('m'), { repeat: { count: 8, concurrency: 4 } });
  await click(page.get('pg-send'));
  await click(await until(() => (page as Rendered).get('ask-doctor')));
  expect(activeTab(workspace.getState())?.address).toMatchObject({ model: 'm', tab: 'statistics' });
});
