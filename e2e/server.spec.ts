// The server as a whole: loading by click, a port that is taken, bad models, no GPU, a restart of the app (E08, E28,
// E29, E30, E35).

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import type { Page } from '@playwright/test';

import type { AppUnderTest } from './harness/app-test.ts';
import { expect, test } from './harness/app-test.ts';
import { sampleFiles, TempRepository } from './harness/fixture-models.ts';
import { AppPage } from './pages/app-page.ts';

async function indexState(app: AppUnderTest, name: string): Promise<string> {
  const answer = await fetch(`${await app.httpAddress()}/v2/repository/index`, { method: 'POST' });
  const index = (await answer.json()) as { name: string; state?: string }[];
  return index.find((entry) => entry.name === name)?.state ?? '';
}

async function status(app: AppUnderTest, path: string): Promise<number> {
  return (await fetch(`${await app.httpAddress()}${path}`)).status;
}

/** The state of a model and the words behind it from now on, read in the page so that nothing in between is missed. */
async function followState(page: Page, name: string): Promise<() => Promise<readonly string[]>> {
  const seen = await page.evaluateHandle<string[]>(`(() => {
    const texts = [];
    const look = () => {
      const say = (part) => document.querySelector(\`[data-testid="model-\${part}-${name}"]\`)?.textContent;
      const text = [say('state'), say('reason')].filter(Boolean).join(': ');
      if (text !== texts.at(-1)) texts.push(text);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    return texts;
  })()`);
  return () => seen.jsonValue();
}

/** Long enough in its load for a page that is told twenty times a second. */
const SLOW_START = `name: "slow_start" backend: "identity" max_batch_size: 0
input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 1 ] } ]
instance_group [ { kind: KIND_CPU } ]
parameters { key: "creation_delay_sec" value { string_value: "1" } }
`;

/** Of the cell with the memory of a model; there is none while no model's is known. */
const MEMORY = /^(What the process grew by|Weights times instances)/;

test('E08 unload and load by click, seen in the repository index', async ({ app }) => {
  const { page } = app;
  const frame = new AppPage(page);
  await frame.openScreen('models');
  await frame.expectState('accumulate', 'ready');
  // Measured when nothing else was loaded meanwhile, else not told; never a zero that means "not known".
  const told = frame.modelRow('accumulate').getByTitle(MEMORY);
  await expect(told.filter({ hasText: /^0 B$/ })).toHaveCount(0);
  await page.getByTestId('btn-unload-accumulate').click();
  await frame.expectState('accumulate', 'unloaded');
  expect(await indexState(app, 'accumulate')).toBe('UNAVAILABLE');
  await expect(told.filter({ hasText: /\d/ })).toHaveCount(0);
  await page.getByTestId('btn-load-accumulate').click();
  await frame.expectState('accumulate', 'ready');
  expect(await indexState(app, 'accumulate')).toBe('READY');
});

test('E08 a model that takes its time shows what its load is doing', async ({ app }) => {
  const { page } = app;
  const frame = new AppPage(page);
  const folder = path.join(app.repositoryPath, 'slow_start');
  await mkdir(path.join(folder, '1'), { recursive: true });
  await writeFile(path.join(folder, 'config.pbtxt'), SLOW_START);
  try {
    await frame.openScreen('models');
    await frame.expectState('slow_start', 'unloaded');
    const states = await followState(page, 'slow_start');
    await page.getByTestId('btn-load-slow_start').click();
    await frame.expectState('slow_start', 'ready');
    expect((await states()).join('\n')).toMatch(/^Loading: \S+/m);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('E28 a taken port is named, and free ones are one click away', async ({ launch }) => {
  const taken = createServer();
  await new Promise<void>((resolve) => {
    taken.listen(0, '127.0.0.1', resolve);
  });
  const { port } = taken.address() as AddressInfo;
  try {
    const app = await launch({
      args: [`--http-port=${port}`],
      waitsForEndpoints: false,
      samples: ['simple'],
    });
    const frame = new AppPage(app.page);
    const dialog = app.page.getByTestId('port-conflict');
    await expect(dialog).toContainText(`Port ${port} is used by`);
    if (process.platform === 'linux') {
      await expect(dialog).toContainText(`(pid ${process.pid})`);
      await app.page.getByTestId('port-process').click();
      await expect(app.page.getByTestId('port-process-command')).toContainText('playwright');
    }
    await app.page.getByTestId('port-use-free').click();
    await expect(frame.statusServer).toHaveAttribute('data-state', 'serving');
    await expect(dialog).toBeHidden();
    await frame.expectState('simple', 'ready');
    expect(await app.httpAddress()).not.toBe(`http://127.0.0.1:${port}`);
    await expect.poll(() => status(app, '/v2/health/ready')).toBe(200);
    await frame.openScreen('server');
    for (const kind of ['http', 'grpc', 'metrics']) {
      await expect(app.page.getByTestId(`endpoint-${kind}`)).toHaveAttribute('data-listening', 'true');
    }
    await expect(app.page.getByRole('main')).toContainText(`curl -s ${await app.httpAddress()}/v2`);
  } finally {
    taken.close();
  }
});

test('endpoints answer when they are asked, and a repository can be switched off and on', async ({
  launch,
}) => {
  const app = await launch({ samples: ['simple'] });
  const frame = new AppPage(app.page);
  await frame.expectState('simple', 'ready');
  await frame.openScreen('server');
  for (const kind of ['http', 'grpc', 'metrics']) {
    await expect(app.page.getByTestId(`endpoint-state-${kind}`)).toContainText('Answers in');
  }
  await app.page.getByTestId('endpoints-check').click();
  await expect(app.page.getByTestId('endpoint-rate-http')).not.toHaveText('0 requests/s');
  await expect(app.page.getByTestId('server-clients')).toContainText('Nobody has sent a request yet.');

  const toggle = app.page.getByTestId(`repository-enable-${app.repositoryPath}`);
  await toggle.click();
  await expect(app.page.getByTestId(`repository-${app.repositoryPath}`)).toHaveAttribute('data-state', 'off');
  await expect.poll(() => status(app, '/v2/models/simple/ready')).toBe(400);
  await toggle.click();
  await frame.openScreen('models');
  await frame.expectState('simple', 'ready');
  expect(await status(app, '/v2/models/simple/ready')).toBe(200);
});

test('E29 a corrupt model is shown as failed, and the rest is served', async ({ launch }) => {
  await using folder = await TempRepository.create({
    ...sampleFiles('simple'),
    ...sampleFiles('batch_mlp', 'corrupt'),
    'corrupt/1/model.onnx': 'this is no model, but it is long enough to be looked at',
  });
  const app = await launch({ args: [`--model-repository=${folder.path}`] });
  const frame = new AppPage(app.page);
  await frame.expectState('simple', 'ready');
  await frame.expectState('corrupt', 'failed');
  expect(await status(app, '/v2/health/live')).toBe(200);
  expect(await status(app, '/v2/models/simple/ready')).toBe(200);
  expect(await status(app, '/v2/health/ready')).toBe(400);
  await frame.openScreen('server');
  const ready = app.page.getByTestId('health-ready');
  await expect(ready).toHaveAttribute('data-state', 'false');
  await expect(ready).toContainText('corrupt');
  const health = app.page.getByText(/^Ready means that/);
  await expect(health).toContainText('every model of the start set is ready (strict readiness)');
  await app.page.getByTestId('setting-input-server.strictReadiness').click();
  await app.page.getByRole('button', { name: 'Restart now' }).click();
  await expect(ready).toHaveAttribute('data-state', 'true');
  await expect(health).not.toContainText('strict readiness');
  expect(await status(app, '/v2/health/ready')).toBe(200);
  await frame.openScreen('models');
  await frame.expectState('corrupt', 'failed');
});

/** `simple`, asking for a GPU. */
async function gpuRepository(): Promise<TempRepository> {
  const files = sampleFiles('simple', 'wants_gpu');
  const text = String(files['wants_gpu/config.pbtxt']);
  return TempRepository.create({
    ...files,
    'wants_gpu/config.pbtxt': `${text}\ninstance_group [ { kind: KIND_GPU } ]\n`,
  });
}

test.describe('E30 a model that asks for a GPU, on a machine without one', () => {
  test('falls back to the CPU with a mark', async ({ launch }) => {
    await using folder = await gpuRepository();
    const app = await launch({ args: [`--model-repository=${folder.path}`] });
    const frame = new AppPage(app.page);
    await expect(frame.modelState('wants_gpu')).toHaveAttribute('data-state', /ready|degraded/);
    const device = await frame.modelRow('wants_gpu').textContent();
    test.skip(/GPU \d/.test(device ?? ''), 'this machine has a GPU');
    await frame.expectState('wants_gpu', 'degraded');
    await expect(frame.modelRow('wants_gpu')).toContainText('CPU');
    await frame.openModel('wants_gpu');
    await expect(app.page.getByTestId('banner-degraded')).toContainText(
      'The config asks for a GPU. None is available here, so wants_gpu runs on CPU.',
    );
  });

  test('fails when the policy is strict', async ({ launch }) => {
    await using folder = await gpuRepository();
    const app = await launch({ args: [`--model-repository=${folder.path}`, '--gpu-policy=strict'] });
    const frame = new AppPage(app.page);
    await expect(frame.modelState('wants_gpu')).toHaveAttribute('data-state', /ready|failed/);
    const state = await frame.modelState('wants_gpu').getAttribute('data-state');
    test.skip(state === 'ready', 'this machine has a GPU');
    await frame.openModel('wants_gpu');
    await expect(app.page.getByTestId('failure-original-wants_gpu')).toContainText('wants_gpu');
  });
});

/** What was written for the next start; a page that is shut from outside, as here, has no last word. */
async function keptLayouts(userDataPath: string): Promise<string> {
  const folder = path.join(userDataPath, 'layouts');
  // What is being written has a name that begins with a dot, and is gone at once.
  const names = (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith('.'));
  return (await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))).join('\n');
}

test('E35 theme, panel and tabs are as before after a restart of the app', async ({
  launch,
  userDataPath,
}) => {
  const first = await launch({ userDataPath, samples: ['simple', 'batch_mlp'] });
  const frame = new AppPage(first.page);
  await frame.expectState('simple', 'ready');
  await frame.openModel('simple');
  await frame.openModel('batch_mlp');
  await first.page.getByRole('tab', { name: 'Versions' }).click();
  await expect(first.page.getByTestId('model-versions')).toBeVisible();
  await first.page.keyboard.press('Control+j');
  await expect(first.page.getByRole('tab', { name: 'Problems' })).toBeVisible();
  await frame.command('Toggle theme');
  await expect(first.page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect.poll(() => keptLayouts(userDataPath)).toContain('"isBottomOpen":true');
  expect(await keptLayouts(userDataPath)).toContain('versions');
  await first[Symbol.asyncDispose]();
  const second = await launch({ userDataPath });
  await expect(second.page.getByTestId('model-view-batch_mlp')).toBeVisible();
  await expect(second.page.getByTestId('model-versions')).toBeVisible();
  await expect(second.page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(second.page.getByRole('tab', { name: 'Problems' })).toBeVisible();
  const tabs = second.page.getByRole('toolbar', { name: 'Open tabs' });
  await expect(tabs.getByRole('button', { name: 'simple', exact: true })).toBeVisible();
});

test('the server screen: clients, a request to the model in Python, proto files, a command that is imported', async ({
  launch,
}) => {
  const app = await launch({ samples: ['simple'] });
  const { page } = app;
  const frame = new AppPage(page);
  await frame.openScreen('server');
  await fetch(`${await app.httpAddress()}/v2/models/nobody`, { headers: { 'user-agent': 'acceptance/1' } });
  const row = page.getByTestId('server-clients-table').getByRole('row', { name: /acceptance\/1/ });
  await expect(row).toContainText('HTTP');
  await page.getByTestId('server-snippets-language').click();
  await page.getByRole('option', { name: 'Python (gRPC)' }).click();
  const snippets = page.getByTestId('server-snippets');
  await expect(snippets).toContainText('client.async_stream_infer(');
  const { name } = await app.savedFile(() => page.getByTestId('save-proto-files').click());
  expect(name).toMatch(/\.proto$/);
  await page.getByTestId('import-command').click();
  await page
    .getByTestId('import-command-text')
    .fill('docker run tritonserver tritonserver --exit-timeout-secs=7 --pinned-memory-pool-byte-size=1');
  const dialog = page.getByTestId('import-command-dialog');
  await expect(dialog).toContainText('Time to finish requests: 7');
  await expect(dialog).toContainText('--pinned-memory-pool-byte-size=1');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByTestId('banner-restart')).toContainText('Time to finish requests');
});
