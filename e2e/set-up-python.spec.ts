// Set up Python with the real `uv` and the real package index: without a network, cancelled half-way, to its end, again.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { expect, test } from './harness/app-test.ts';
import { TempRepository } from './harness/fixture-models.ts';
import { canReachIndex, indexProxy } from './harness/package-index.ts';
import { AppPage } from './pages/app-page.ts';

const uv = spawnSync('uv', ['--version'], { encoding: 'utf8' });

const MODEL = `import sys, numpy
import triton_python_backend_utils as pb_utils
class TritonPythonModel:
    def initialize(self, args):
        print("runs on", sys.prefix, flush=True)
    def execute(self, requests):
        return [pb_utils.InferenceResponse([]) for _ in requests]
`;
const CONFIG = 'backend: "python"\noutput { name: "Y" data_type: TYPE_FP32 dims: [ 1 ] }\n';

test.describe(`Set up Python with uv${uv.status === 0 ? '' : ' (skipped: no uv on PATH)'}`, () => {
  test.skip(uv.status !== 0, 'no uv on PATH');

  test('ends in a Python that runs models, after a failure and a cancel that left nothing', async ({
    launch,
    userDataPath,
  }) => {
    test.skip(!(await canReachIndex()), 'the Python package index does not answer');
    test.setTimeout(240_000);
    await using folder = await TempRepository.create({
      'served/plain/config.pbtxt': CONFIG,
      'served/plain/1/model.py': MODEL,
    });
    await using proxy = await indexProxy();
    // So that the packages are fetched.
    const cache = await mkdtemp(path.join(os.tmpdir(), 'conch-uv-'));
    const { page } = await launch({
      args: [`--model-repository=${folder.at('served')}`],
      userDataPath,
      env: { HTTPS_PROXY: proxy.url, UV_CACHE_DIR: cache, UV_HTTP_RETRIES: '0', UV_HTTP_TIMEOUT: '600' },
    });
    const shot = (name: string): Promise<unknown> =>
      page.screenshot({ path: test.info().outputPath(`${name}.png`) });
    const made = async (): Promise<readonly string[]> =>
      (await readdir(userDataPath)).filter((name) => name.startsWith('python'));
    const frame = new AppPage(page);
    await frame.openScreen('server');
    const start = async (): Promise<void> => {
      await page.getByTestId('python-set-up').click();
      const question = page.getByTestId('python-ask');
      await expect(question).toContainText('with uv and installs numpy');
      await question.getByRole('button', { name: 'Set up' }).click();
    };
    const tasks = page.getByTestId('tasks-list').getByRole('listitem').filter({ hasText: 'Set up Python' });
    const task = (state: string) => tasks.and(page.locator(`[data-state="${state}"]`));

    proxy.mode = 'refused';
    await start();
    await expect(task('failed')).toContainText('Failed to fetch: https://pypi.org/simple/', {
      timeout: 60_000,
    });
    await shot('no-network');
    expect(await made()).toEqual([]);

    proxy.mode = 'silent';
    const before = proxy.asked;
    await start();
    await expect(task('running')).toContainText('installing numpy');
    await expect.poll(() => proxy.asked).toBeGreaterThan(before);
    expect(await made()).toEqual(['python.making']);
    await shot('running');
    await task('running').getByRole('button', { name: 'Cancel' }).click();
    await expect(task('cancelled')).toBeVisible();
    await expect.poll(made).toEqual([]);

    proxy.mode = 'through';
    await start();
    await expect(task('done')).toBeVisible({ timeout: 120_000 });
    await shot('done');
    expect(await made()).toEqual(['python']);
    const python = path.join(userDataPath, 'python');
    // Both ways in which authors install more.
    for (const pip of [[path.join(python, 'bin/python3'), '-m', 'pip'], [path.join(python, 'bin/pip')]]) {
      const [program = '', ...args] = pip;
      const said = execFileSync(program, [...args, '--version'], { encoding: 'utf8' });
      expect(said).toContain(`${python}/lib`);
    }
    await frame.toasts.getByRole('button', { name: 'Restart server' }).click();
    const own = page.getByTestId('python-program').filter({ hasText: path.join(python, 'bin/python3') });
    await expect(own).toHaveAttribute('data-state', 'used', { timeout: 60_000 });
    await expect(own).toContainText('With numpy');
    await shot('used');
    await frame.openScreen('models');
    await frame.expectState('plain', 'ready');

    await frame.openScreen('server');
    proxy.mode = 'silent';
    await page.getByTestId('python-set-up').click();
    await expect(page.getByTestId('python-ask')).toContainText('anew with uv');
    await page.keyboard.press('Escape');
    await rm(cache, { recursive: true, force: true });
  });
});
