// The overlay while files are over the window: which zone counts, what is said of it, and that it goes away.

import { afterEach, expect, test } from 'vitest';

import { FakeEngine } from '../../testing/fake-engine.ts';
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

async function start(fake = new FakeEngine()): Promise<Rendered> {
  const view = await renderView(
    <>
      <DropOverlay />
      <Announcer />
    </>,
    fake,
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

test('it names the repository that the copy goes to: one of the user, never the samples or one that is unreadable', async () => {
  const fake = new FakeEngine();
  const [some] = fake.snapshot.repositories;
  const repositories = [`${fake.server.userDataPath}/samples`, '/srv/broken', '/srv/off', '/srv/own'].map(
    (path) => ({
      ...some!,
      path,
      error: path === '/srv/broken' ? 'no right to read' : undefined,
      isEnabled: path !== '/srv/off',
    }),
  );
  fake.snapshot = { ...fake.snapshot, repositories };
  const { get } = await start(fake);
  await until(() => expect(get('drop-zone-copy').textContent).toContain('Copy into /srv/own'));
});

test('without one it names the folder that the first model makes', async () => {
  const fake = new FakeEngine();
  fake.snapshot = { ...fake.snapshot, repositories: [] };
  const { get } = await start(fake);
  await until(() =>
    expect(get('drop-zone-copy').textContent).toContain(`Copy into ${fake.server.defaultRepositoryPath}`),
  );
});
