// The overlay while files are over the window: which zone counts, what is said of it, and that it goes away.

import { afterEach, expect, test } from 'vitest';

import type { Rendered } from '../../testing/render.tsx';
import { renderView, until } from '../../testing/render.tsx';
import { Announcer } from '../../ui/announcer.tsx';
import { DropOverlay } from './components/drop-overlay.tsx';

let page: Rendered | undefined;

afterEach(() => page?.close());

/** jsdom has no DragEvent: an event with the fields that are read. */
function drag(kind: string, target: EventTarget, fields: Readonly<Record<string, unknown>> = {}): void {
  const event = new Event(kind, { bubbles: true, cancelable: true });
  const dataTransfer = { types: ['Files'], effectAllowed: 'all', dropEffect: 'none' };
  Object.assign(event, {
    dataTransfer,
    clientX: 0,
    clientY: 0,
    altKey: false,
    relatedTarget: null,
    ...fields,
  });
  target.dispatchEvent(event);
}

async function start(): Promise<Rendered> {
  const view = await renderView(
    <>
      <DropOverlay />
      <Announcer />
    </>,
  );
  page = view;
  await until(() => {
    drag('dragenter', window);
    return view.get('drop-overlay');
  });
  return view;
}

const chosen = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('[data-testid^="drop-zone-"][data-state="chosen"]')].map(
    ({ dataset }) => dataset['testid'] ?? '',
  );

test('the zone under the pointer counts, is said, and Alt means in place as long as it is held', async () => {
  const { get } = await start();
  expect(chosen()).toEqual(['drop-zone-copy']);
  drag('dragover', window, { altKey: true });
  await until(() => expect(chosen()).toEqual(['drop-zone-link']));
  drag('dragover', window);
  await until(() => expect(chosen()).toEqual(['drop-zone-copy']));
  drag('dragenter', get('drop-zone-inspect'));
  await until(() => expect(chosen()).toEqual(['drop-zone-inspect']));
  await until(() =>
    expect(document.querySelector('[aria-live]')?.textContent).toContain('Drop zone: Inspect only'),
  );
});

test('leaving the window and Escape take it away', async () => {
  const { query } = await start();
  drag('dragleave', window);
  await until(() => expect(query('drop-overlay')).toBeNull());
  drag('dragenter', window);
  await until(() => expect(query('drop-overlay')).not.toBeNull());
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  await until(() => expect(query('drop-overlay')).toBeNull());
});
