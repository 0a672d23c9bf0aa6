// A trace file that is dragged over the window: it is said what letting go would do, but where the page takes JSON itself.

import { afterEach, expect, test } from 'vitest';

import type { Rendered } from '../../testing/render.tsx';
import { renderWithHosts, until } from '../../testing/render.tsx';
import { TraceHost } from './trace-host.tsx';

let page: Rendered;
afterEach(() => page.close());

async function show(): Promise<void> {
  page = await renderWithHosts(
    <>
      <TraceHost />
      <div data-testid="screen">
        <div data-testid="own" data-drop-target="input" />
      </div>
    </>,
  );
}

function drag(name: string, over: string, type: string): void {
  const dataTransfer = { types: ['Files'], items: [{ kind: 'file', type }], files: [] };
  const event = new Event(name, { bubbles: true, cancelable: true });
  page.get(over).dispatchEvent(Object.assign(event, { dataTransfer, relatedTarget: null }));
}

test('while a JSON file is over the window it is said what letting go would do, until it leaves', async () => {
  await show();
  drag('dragenter', 'screen', 'application/octet-stream');
  expect(page.query('trace-drop-hint')).toBeNull();
  drag('dragenter', 'screen', 'application/json');
  await until(() => expect(page.get('trace-drop-hint').textContent).toContain('Drop to see it as a trace'));
  drag('dragleave', 'screen', 'application/json');
  await until(() => expect(page.query('trace-drop-hint')).toBeNull());
  expect(document.body.hasAttribute('data-drop-target')).toBe(false);
});

test('over what takes JSON itself nothing is promised', async () => {
  await show();
  drag('dragover', 'screen', 'application/json');
  await until(() => page.get('trace-drop-hint'));
  drag('dragover', 'own', 'application/json');
  await until(() => expect(page.query('trace-drop-hint')).toBeNull());
});
