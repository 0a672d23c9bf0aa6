import { afterEach, expect, test, vi } from 'vitest';

import type { Rendered } from '../testing/render.tsx';
import { renderView, until } from '../testing/render.tsx';
import { announce, Announcer } from './announcer.tsx';

let page: Rendered | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await page?.close();
});

test('sentences that come at once are all said, in their order, and a repeated one again', async () => {
  page = await renderView(<Announcer />);
  const region = page.get('announcer');
  const said: string[] = [];
  new MutationObserver(() => said.push(region.textContent)).observe(region, {
    childList: true,
    characterData: true,
    subtree: true,
  });
  announce('Connected again.');
  announce('simple is ready');
  announce('simple is ready');
  await until(() =>
    expect(said.filter((text) => text !== '')).toEqual([
      'Connected again.',
      'simple is ready',
      'simple is ready',
    ]),
  );
});

test('what was said is gone once nobody waits for it any more', async () => {
  page = await renderView(<Announcer />);
  const region = page.get('announcer');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  announce('Drop zone: copy');
  vi.advanceTimersByTime(5100);
  vi.useRealTimers();
  await until(() => expect(region.textContent).toBe('Drop zone: copy'));

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  announce('Drop zone: inspect');
  vi.advanceTimersByTime(5300);
  vi.useRealTimers();
  await until(() => expect(region.textContent).toBe(''));
});
