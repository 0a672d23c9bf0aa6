// The Statistics tab under real traffic: live charts, the batch doctor, and what it offers while there is none.

import { expect, test } from './harness/app-test.ts';
import { seriousFindings } from './harness/axe-scan.ts';
import { FrameWatch } from './harness/frame-watch.ts';
import { keepInFlight, mlpTarget, sendAtRate } from './harness/outside-client.ts';
import { AppPage } from './pages/app-page.ts';
import { StatisticsPage } from './pages/statistics-page.ts';

test.setTimeout(120_000);

test.beforeEach(async ({ app }) => {
  const frame = new AppPage(app.page);
  await frame.openScreen('models');
  await frame.expectState('batch_mlp', 'ready');
});

const PER_SECOND = 50;
/** The first request of a fresh engine is slow, and the first drawing loads code; both are not the steady state. */
const WARM_COUNT = 20;
const FRAME_GAP_MS = 100;
/** A collection of all the page's memory may take this long, once. */
const LONGEST_GAP_MS = 250;

/** Requests that the throughput chart, shown as a table, has since that time: each rate holds until the next one. */
async function answeredSince(statistics: StatisticsPage, startMs: number): Promise<number> {
  const rows = await statistics.rows('throughput');
  const counts = rows.map(({ x, values }, at) => {
    const untilMs = rows[at + 1]?.x ?? x;
    return untilMs > startMs ? ((values['inferences'] ?? 0) * (untilMs - x)) / 1000 : 0;
  });
  return Math.round(counts.reduce((sum, count) => sum + count, 0));
}

test('E21 live statistics of an outside client: rate, pending gauge, an even picture', async ({
  app,
}, info) => {
  const statistics = new StatisticsPage(app.page);
  await statistics.open('batch_mlp');
  await keepInFlight(mlpTarget(await app.httpAddress()), { concurrency: 1, count: WARM_COUNT });
  await expect(statistics.chart('throughput').locator('[data-plot]').first()).toBeVisible();

  const session = await app.devTools();
  const frames = await FrameWatch.start(app.page, session);
  const sent = await sendAtRate(mlpTarget(await app.httpAddress()), {
    perSecond: PER_SECOND,
    durationMs: 10_000,
  });
  const report = await frames.stop();
  await session.detach();

  await expect(statistics.now('waiting')).toHaveText(/^\d+$/);
  await expect(app.page.getByTestId('status-waiting')).toBeVisible();

  await statistics.showTable('throughput');
  // The rates, each over its time, are what was sent, however unevenly this machine sent it.
  await expect.poll(() => answeredSince(statistics, sent.startMs)).toBeGreaterThanOrEqual(sent.count);
  // Those before may share the first bucket.
  expect(await answeredSince(statistics, sent.startMs)).toBeLessThanOrEqual(sent.count + WARM_COUNT);
  await info.attach('frames', { body: JSON.stringify(report), contentType: 'application/json' });
  // How many there are is the machine's business; that the page draws on is ours.
  expect(report.frameCount).toBeGreaterThan(20);
  // A gap is the page's own when its main thread worked that long; what other processes took is not.
  const long = report.gaps.filter(({ ownMs }) => ownMs > FRAME_GAP_MS);
  expect(long.slice(1)).toEqual([]);
  expect(long.filter(({ ownMs }) => ownMs > LONGEST_GAP_MS)).toEqual([]);
});

test('E22 the batch doctor tells one client from many', async ({ app }) => {
  const statistics = new StatisticsPage(app.page);
  const target = mlpTarget(await app.httpAddress());
  await statistics.open('batch_mlp');
  await keepInFlight(target, { concurrency: 1, count: 200 });
  await expect(statistics.sentence).toContainText('clients send one request at a time');

  const stop = new AbortController();
  const sending = keepInFlight(target, { concurrency: 32, signal: stop.signal });
  try {
    await statistics.showTable('batch');
    await expect
      .poll(async () => (await statistics.rows('batch')).at(-1)?.values['mean'] ?? 0)
      .toBeGreaterThan(2);
    await expect(statistics.sentence).not.toContainText('clients send one request at a time');
    await expect(statistics.sentence).toHaveAttribute('data-state', /^(batching-works|full)$/);
  } finally {
    stop.abort();
  }
  expect(await sending).toBeGreaterThan(32);
});

test('a suggestion is tried without saving, and taken back by a reload', async ({ app }) => {
  const { page } = app;
  const statistics = new StatisticsPage(page);
  const target = mlpTarget(await app.httpAddress());
  const delay = async (): Promise<unknown> => {
    const answer = await fetch(`${target.address}/v2/models/batch_mlp/config`);
    const config = (await answer.json()) as {
      dynamic_batching: { max_queue_delay_microseconds: unknown };
    };
    return config.dynamic_batching.max_queue_delay_microseconds;
  };
  await statistics.open('batch_mlp');
  const before = await delay();
  // Until the doctor has forgotten what others sent before.
  const stop = new AbortController();
  const sending = keepInFlight(target, { concurrency: 1, signal: stop.signal });
  try {
    const attempt = page.getByTestId('doctor-try').filter({ hasText: 'Try without the queue delay' });
    await expect(attempt).toBeVisible();
    await attempt.click();
    await expect.poll(delay).not.toEqual(before);
  } finally {
    stop.abort();
    await sending;
  }
  await page.getByTestId('model-reload').click();
  await expect.poll(delay).toEqual(before);
});

test('a view that is reset counts from there, and undoing brings the rest back', async ({ app }) => {
  const { page } = app;
  const statistics = new StatisticsPage(page);
  const target = mlpTarget(await app.httpAddress());
  await keepInFlight(target, { concurrency: 1, count: 5 });
  await statistics.open('batch_mlp');
  const answered = statistics.counter('Answered requests');
  await expect(answered).not.toHaveText('0');
  const whole = Number((await answered.textContent())?.replaceAll(',', ''));
  await page.getByTestId('statistics-reset').click();
  await expect(answered).toHaveText('0');
  await keepInFlight(target, { concurrency: 1, count: 3 });
  await expect(answered).toHaveText('3');
  await page.getByTestId('statistics-reset-undo').click();
  await expect(answered).toHaveText((whole + 3).toLocaleString('en'));
});

test('a model without requests offers a first one, and pausing holds the picture', async ({ launch }) => {
  const app = await launch({ samples: ['simple'] });
  const { page } = app;
  await new AppPage(page).expectState('simple', 'ready');
  const statistics = new StatisticsPage(page);
  await statistics.open('simple');
  const answered = statistics.counter('Answered requests');
  await page.getByTestId('statistics-send-one').click();
  await expect(page.getByTestId('statistics-idle')).toBeHidden();
  await expect(answered).toHaveText('1');

  await page.getByTestId('chart-pause').click();
  await expect(page.getByText(/^Paused, \d+ s behind/)).toBeVisible();
  const address = await app.httpAddress();
  const zeros = Array.from({ length: 16 }, () => 0);
  const body = JSON.stringify({
    inputs: ['INPUT0', 'INPUT1'].map((name) => ({ name, datatype: 'INT32', shape: [1, 16], data: zeros })),
  });
  await keepInFlight({ address, model: 'simple', body }, { concurrency: 1, count: 4 });
  await expect(page.getByText(/^Paused, ([2-9]|\d{2,}) s behind/)).toBeVisible();
  await expect(answered).toHaveText('1');
  await page.getByTestId('chart-pause').click();
  await expect(answered).toHaveText('5');
});

/** Text for the page: a browser without a screen never hides one by itself. */
const setHidden = (isHidden: boolean): string => `
  Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
  document.dispatchEvent(new Event('visibilitychange'));
`;

test('a hidden page asks for nothing', async ({ app }) => {
  test.skip(app.shell === 'electron', 'the page and its socket are watched as a browser has them');
  const { page } = app;
  const statistics = new StatisticsPage(page);
  await statistics.open('batch_mlp');
  const session = await app.devTools();
  await session.send('Network.enable');
  const sent: string[] = [];
  session.on('Network.webSocketFrameSent', ({ response }) => sent.push(response.payloadData));
  const asked = (name: string): number => sent.filter((text) => text.includes(name)).length;
  await expect.poll(() => asked('observe/series')).toBeGreaterThan(2);
  await page.evaluate(setHidden(true));
  const target = mlpTarget(await app.httpAddress());
  const before = [asked('observe/series'), asked('observe/doctor'), asked('observe/statistics')];
  // Long enough for three more rounds, as the traffic of another client shows.
  await sendAtRate(target, { perSecond: 20, durationMs: 3500 });
  const after = [asked('observe/series'), asked('observe/doctor'), asked('observe/statistics')];
  expect(after.map((count, index) => count - (before[index] ?? 0)).every((more) => more <= 1)).toBe(true);
  await page.evaluate(setHidden(false));
  await expect.poll(() => asked('observe/series')).toBeGreaterThan((after[0] ?? 0) + 1);
  await session.detach();
});

test('a stopped server is said above the charts, with the way back', async ({ app }) => {
  const { page } = app;
  const frame = new AppPage(page);
  const statistics = new StatisticsPage(page);
  await statistics.open('batch_mlp');
  await page.getByTestId('server-switch').click();
  await expect(page.getByTestId('statistics-stopped')).toBeVisible();
  await page.getByTestId('statistics-stopped').getByRole('button', { name: 'Start' }).click();
  await expect(page.getByTestId('statistics-stopped')).toBeHidden();
  await expect(frame.statusServer).toHaveAttribute('data-state', 'serving');
});

test('no serious accessibility fault in either theme, as charts and as tables', async ({ app }) => {
  const { page } = app;
  const statistics = new StatisticsPage(page);
  await statistics.open('batch_mlp');
  await keepInFlight(mlpTarget(await app.httpAddress()), { concurrency: 4, count: 100 });
  await expect(page.getByTestId('statistics-idle')).toBeHidden();
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    for (const id of ['throughput', 'latency', 'parts', 'queue', 'batch', 'batches', 'resources'])
      await page.getByTestId(`chart-${id}-table`).click();
    const where = theme === 'light' ? 'tables' : 'charts';
    expect(await seriousFindings(page, { theme, where })).toEqual([]);
  }
});
