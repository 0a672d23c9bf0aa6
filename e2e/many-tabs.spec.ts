// Many models open at once: what is left of their tabs when they are closed.

import type { CDPSession, Page } from '@playwright/test';

import { expect, test } from './harness/app-test.ts';
import { sampleFiles, TempRepository } from './harness/fixture-models.ts';
import { AppPage } from './pages/app-page.ts';

const MODELS = Array.from({ length: 10 }, (_, index) => `model_${index}`);
const SUB_TABS = ['statistics', 'graph', 'playground', 'config', 'logs', 'versions', 'warmup', 'overview'];
const SWITCHES = 24;

/** Opens all models, goes to and fro without waiting for what a tab shows, and closes all. */
async function openSwitchClose(page: Page): Promise<void> {
  const frame = new AppPage(page);
  for (const model of MODELS) await frame.openModel(model);
  for (let turn = 0; turn < SWITCHES; turn += 1) {
    await page.getByTestId(`tab-model:${MODELS[(turn * 7) % MODELS.length]}`).click();
    await page.getByTestId(`model-tab-${SUB_TABS[turn % SUB_TABS.length]}`).click();
  }
  await page.locator('[data-tab]').first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Close other tabs' }).click();
  await expect(page.locator('[data-tab]')).toHaveCount(1);
}

/** What lives in the page: nodes, those that are in no document too, and listeners. The size of the heap grows by compiled code. */
async function counted(
  devTools: CDPSession,
): Promise<Readonly<Record<'Nodes' | 'JSEventListeners', number>>> {
  await devTools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devTools.send('Performance.getMetrics');
  const of = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return { Nodes: of('Nodes'), JSEventListeners: of('JSEventListeners') };
}

/** By event, subscriptions less those that were ended; counted from here on. */
async function followSubscriptions(devTools: CDPSession): Promise<ReadonlyMap<string, number>> {
  const open = new Map<string, number>();
  devTools.on('Network.webSocketFrameSent', ({ response }) => {
    const { type, name } = JSON.parse(response.payloadData) as { type: string; name?: string };
    const step = type === 'subscribe' ? 1 : type === 'unsubscribe' ? -1 : 0;
    if (name !== undefined && step !== 0) open.set(name, (open.get(name) ?? 0) + step);
  });
  await devTools.send('Network.enable');
  return open;
}

test('ten models that were opened, switched and closed leave no subscription, no node, no listener and no complaint', async ({
  launch,
}) => {
  await using repository = await TempRepository.create(
    Object.assign({}, ...MODELS.map((model) => sampleFiles('simple', model))),
  );
  const app = await launch({ args: [`--model-repository=${repository.path}`] });
  const { page } = app;
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (thrown) => complaints.push(String(thrown)));
  const devTools = await app.devTools();
  await devTools.send('Performance.enable');
  const open = await followSubscriptions(devTools);
  await new AppPage(page).expectState(MODELS.at(-1) ?? '', 'ready');
  // What is fetched when it is first shown stays.
  await openSwitchClose(page);
  const before = await counted(devTools);
  await openSwitchClose(page);
  await expect
    .poll(async () => (await counted(devTools)).JSEventListeners)
    .toBeLessThanOrEqual(before.JSEventListeners);
  // A tooltip or an announcement may be there or not; one tab has some hundred nodes.
  await expect.poll(async () => (await counted(devTools)).Nodes).toBeLessThan(before.Nodes + 50);
  // In the desktop app there is no socket.
  if (app.shell === 'browser') {
    expect(open.size).toBeGreaterThan(0);
    await expect.poll(() => [...open].filter(([, count]) => count !== 0)).toEqual([]);
  }
  expect(complaints).toEqual([]);
});
