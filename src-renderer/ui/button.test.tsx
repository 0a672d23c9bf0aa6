// A button that cannot be used stays where the keyboard finds it, does nothing, and says why.

import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { RefreshCw } from 'lucide-react';

import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, click, renderView } from '../testing/render.tsx';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { OfflineContext } from './offline.ts';

let page: Rendered | undefined;
let count = 0;

afterEach(async () => {
  await page?.close();
  count = 0;
});

const bump = (): void => void (count += 1);

test('it runs when it is pressed', async () => {
  page = await renderView(
    <Button data-testid="b" onClick={bump}>
      Load
    </Button>,
  );
  await click(page.get('b'));
  expect(count).toBe(1);
  expect(page.get('b').hasAttribute('aria-disabled')).toBe(false);
});

test.each([
  ['for a reason', { disabledReason: 'Nothing is selected' }],
  ['while it is busy', { isBusy: true }],
])('%s it does nothing, and can still have the focus', async (_why, props) => {
  page = await renderView(
    <>
      <Button data-testid="b" onClick={bump} {...props}>
        Load
      </Button>
      <IconButton data-testid="i" label="Refresh" icon={RefreshCw} onClick={bump} {...props} />
    </>,
  );
  for (const id of ['b', 'i']) {
    const button = page.get(id);
    await click(button);
    button.focus();
    expect([id, document.activeElement === button, button.getAttribute('aria-disabled')]).toEqual([
      id,
      true,
      'true',
    ]);
  }
  expect(count).toBe(0);
  expect(await accessibilityFaults()).toEqual([]);
});

test('an icon says its name, and the reason behind it', async () => {
  page = await renderView(
    <>
      <IconButton data-testid="on" label="Refresh" icon={RefreshCw} shortcut="F5" />
      <IconButton data-testid="off" label="Refresh" icon={RefreshCw} disabledReason="A load runs" />
    </>,
  );
  expect(page.get('on').dataset['tip']).toBe('Refresh  F5');
  expect(page.get('on').getAttribute('aria-label')).toBe('Refresh');
  expect(page.get('off').dataset['tip']).toBe('Refresh: A load runs');
});

test('without the server a button is off, unless it works without one', async () => {
  page = await renderView(
    <OfflineContext value="The server is not there">
      <Button data-testid="needs" onClick={bump}>
        Load
      </Button>
      <Button data-testid="works" worksOffline onClick={bump}>
        Cancel
      </Button>
      <IconButton data-testid="icon-works" label="Close" icon={RefreshCw} onClick={bump} />
      <IconButton data-testid="icon-needs" label="Refresh" icon={RefreshCw} needsServer onClick={bump} />
    </OfflineContext>,
  );
  for (const id of ['needs', 'works', 'icon-works', 'icon-needs']) await click(page.get(id));
  expect(count).toBe(2);
  expect(page.get('icon-needs').dataset['tip']).toBe('Refresh: The server is not there');
});

function Loading() {
  const [isLoading, setIsLoading] = useState(false);
  return (
    <>
      <Button
        data-testid="send"
        disabledReason={isLoading ? 'The model is loading' : undefined}
        onClick={bump}
      >
        Send
      </Button>
      <button data-testid="load" onClick={() => setIsLoading(!isLoading)}>
        Load
      </button>
    </>
  );
}

test('it stays what it is, with its focus, when a reason comes and goes', async () => {
  page = await renderView(<Loading />);
  const { get } = page;
  const send = get('send');
  send.focus();
  await click(get('load'));
  expect(get('send')).toBe(send);
  expect(document.activeElement).toBe(send);
  expect([send.dataset['tip'], send.getAttribute('aria-description')]).toEqual([
    'The model is loading',
    'The model is loading',
  ]);
  await click(get('load'));
  expect(get('send')).toBe(send);
  expect([send.dataset['tip'], send.getAttribute('aria-description')]).toEqual([undefined, null]);
  await click(send);
  expect(count).toBe(1);
});
