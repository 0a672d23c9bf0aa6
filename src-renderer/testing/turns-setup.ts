// Behind each test file of the window: React draws in later turns of the event loop, and finds no page there once the file's
// is taken away. On a busy machine such a turn came after it ("window is not defined").

import { afterAll } from 'vitest';

const TURNS = 20;

// The first hook that is made is the last that runs.
afterAll(async () => {
  if (typeof window === 'undefined') return;
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
});
