// Execution providers are tried in processes that Electron's main process starts: the program itself cannot be run as
// plain Node.

import { expect, test } from '../harness/app-test.ts';

test('a provider is tried in a process of its own, and a failure is told with its reason', async ({
  launch,
}) => {
  const { page } = await launch({ samples: [] });
  await page.getByTestId('rail-settings').click();
  await page.getByTestId('settings-section-runtime').click();
  const cpu = page.getByTestId('provider-cpu');
  await cpu.getByRole('button').click();
  await expect(cpu).toHaveAttribute('data-state', 'ok');
  const cuda = page.getByTestId('provider-cuda');
  test.skip((await cuda.count()) === 0, 'the library was built without CUDA');
  await cuda.getByRole('button').click();
  await expect(cuda).not.toHaveAttribute('data-state', 'untested');
  if ((await cuda.getAttribute('data-state')) === 'failed') await expect(cuda).toContainText(/cuda/i);
});
