// How the desktop app starts and ends, as only a real window can tell.

import { expect, test } from '../harness/app-test.ts';
import { TempRepository } from '../harness/fixture-models.ts';

const SETTLE_MS = 2000;

test('a repository that is being opened is shown, never the Welcome page', async ({ launch }) => {
  await using folder = await TempRepository.create({ 'models/': '' });
  const app = await launch({ args: [`--model-repository=${folder.at('models')}`] });
  await expect(app.page.getByTestId('models-empty')).toBeVisible();
  await app.page.waitForTimeout(SETTLE_MS);
  await expect(app.page.getByTestId('first-run')).toHaveCount(0);
});
