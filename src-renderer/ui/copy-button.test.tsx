// Several texts can be copied on one screen: each button says which, until it says that it did.

import { afterEach, expect, test, vi } from 'vitest';

import type { Rendered } from '../testing/render.tsx';
import { click, renderView, renderWithHosts, until } from '../testing/render.tsx';
import { copyText, CopyButton } from './copy-button.tsx';

let page: Rendered | undefined;

afterEach(async () => {
  vi.unstubAllGlobals();
  await page?.close();
});

test.each([true, false])('it names what it copies (icon only: %s)', async (isIconOnly) => {
  const written: string[] = [];
  vi.stubGlobal('navigator', {
    clipboard: { writeText: (text: string) => Promise.resolve(void written.push(text)) },
  });
  page = await renderView(
    <CopyButton text="conch perf" what="the command" isIconOnly={isIconOnly} testId="copy" />,
  );
  const button = page.get('copy');
  expect(button.getAttribute('aria-label')).toBe('Copy: the command');
  const names = namesFromNowOn(button);
  await click(button);
  expect(written).toEqual(['conch perf']);
  await until(() => expect(names).toContain('Copied'));
});

test('what no button shows is told: a short text itself, of a long one that it was copied', async () => {
  vi.stubGlobal(
    'navigator',
    Object.assign(Object.create(navigator) as Navigator, {
      clipboard: { writeText: () => Promise.resolve() },
    }),
  );
  page = await renderWithHosts(<p />);
  await copyText('http://127.0.0.1:8002/metrics');
  await until(() => expect(document.body.textContent).toContain('Copied: http://127.0.0.1:8002/metrics'));
  await copyText('x'.repeat(1000));
  await until(() => expect(document.body.textContent).toMatch(/Copied(?!:)/));
  expect(document.body.textContent).not.toContain('xxx');
});

/** Every name that the button takes, however short it keeps it: a busy machine looks again only after it is gone. */
function namesFromNowOn(button: HTMLElement): string[] {
  const names: string[] = [];
  const watch = new MutationObserver(() => {
    names.push(button.getAttribute('aria-label') ?? button.textContent);
  });
  watch.observe(button, { attributes: true, childList: true, characterData: true, subtree: true });
  return names;
}
