// Before each test file of the window: all texts, as in a window that has shown a screen.

import { expect } from 'vitest';

if (expect.getState().testPath?.includes('src-renderer') === true) {
  const [{ addTexts }, { lateTexts }] = await Promise.all([
    import('../texts/translate.ts'),
    import('../texts/late-texts.ts'),
  ]);
  addTexts(lateTexts);
}
