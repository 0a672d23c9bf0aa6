// npm leaves an optional native package out without a word. What does not need it goes on.

import { expect, test, vi } from 'vitest';

vi.mock('@napi-rs/image', () => {
  throw new Error('Cannot find native binding.');
});

test('without the library of pictures everything starts, and a picture says what is missing', async () => {
  const { imagePixels } = await import('./image-pixels.ts');
  const wanted = { width: 1, height: 1, channels: 3, fit: 'stretch' } as const;
  await expect(imagePixels(new Uint8Array(4), wanted)).rejects.toMatchObject({ code: 'INVALID_ARG' });
});
