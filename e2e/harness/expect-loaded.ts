// When a screen that was just opened shows what it has.

import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** Waits until nothing of the window says that it is still loading. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
}
