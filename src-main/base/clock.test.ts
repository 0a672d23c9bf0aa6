import { expect, test } from 'vitest';
import { systemClock } from './clock.ts';

test.each([0, 0.2, 0.9, 1.5])(
  'a timer of %s ms never fires early by more than a millisecond',
  async (delayMs) => {
    const startNs = systemClock.nowNs();
    await new Promise<void>((resolve) => {
      systemClock.after(delayMs, resolve);
    });
    const elapsedMs = (systemClock.nowNs() - startNs) / 1e6;
    expect(elapsedMs).toBeGreaterThanOrEqual(delayMs < 1 ? delayMs : delayMs - 1);
  },
);

test('a cancelled short timer never fires', async () => {
  let hasFired = false;
  const timer = systemClock.after(0.1, () => {
    hasFired = true;
  });
  timer.cancel();
  await new Promise<void>((resolve) => {
    systemClock.after(0.5, resolve);
  });
  expect(hasFired).toBe(false);
});
