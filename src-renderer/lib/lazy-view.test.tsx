// Views that are fetched when they are drawn, and what becomes of them when that fails.

import { Suspense } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { createStore, useStore } from 'zustand';

import { ErrorBoundary } from '../layout/error-boundary.tsx';
import type { Rendered } from '../testing/render.tsx';
import { render, until } from '../testing/render.tsx';
import { OfflineContext } from '../ui/offline.ts';
import { forgetFailedViews, lazyView } from './lazy-view.ts';

let page: Rendered | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await page?.close();
  forgetFailedViews();
});

const gone = new TypeError('Failed to fetch dynamically imported module: http://127.0.0.1:1/assets/a.js');

const connection = createStore<{ readonly reason: string | undefined }>(() => ({ reason: undefined }));

/** A view that comes once `isThere`, and how often it was asked for. */
function fetchedView() {
  const state = { isThere: false, count: 0 };
  const View = lazyView(() => {
    state.count += 1;
    return state.isThere
      ? Promise.resolve(({ word }: { readonly word: string }) => <p data-testid="here">{word}</p>)
      : Promise.reject(gone);
  });
  return { state, View };
}

async function draw(view: ReturnType<typeof fetchedView>, reason?: string): Promise<Rendered> {
  // React prints what a boundary caught.
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  connection.setState({ reason });
  const { View } = view;
  function Page() {
    const offline = useStore(connection, (state) => state.reason);
    return (
      <OfflineContext value={offline}>
        <ErrorBoundary>
          <Suspense>
            <View word="drawn" />
          </Suspense>
        </ErrorBoundary>
      </OfflineContext>
    );
  }
  page = await render(() => <Page />);
  return page;
}

test('a view is fetched once, however often it is drawn or fetched before', async () => {
  const view = fetchedView();
  view.state.isThere = true;
  await Promise.all([view.View.preload(), view.View.preload()]);
  const { get } = await draw(view);
  await until(() => expect(get('here').textContent).toBe('drawn'));
  expect(view.state.count).toBe(1);
});

test('a view that did not come is asked for again by Retry, and not before', async () => {
  const view = fetchedView();
  const { get } = await draw(view);
  const failed = await until(() => get('region-failed'));
  expect(view.state.count).toBe(1);
  view.state.isThere = true;
  [...failed.querySelectorAll('button')].find(({ textContent }) => textContent === 'Retry')?.click();
  await until(() => get('here'));
  expect(view.state.count).toBe(2);
});

test('while the server is away the page cannot be loaded again; the view comes when it is back', async () => {
  const view = fetchedView();
  const { get } = await draw(view, 'Not connected to the server since 10:00.');
  const failed = await until(() => get('region-failed'));
  expect(failed.textContent).toContain('The server process does not answer now.');
  expect(failed.textContent).not.toContain('Load the page again');
  view.state.isThere = true;
  connection.setState({ reason: undefined });
  await until(() => get('here'));
});

test('a fetch ahead of time that failed is not held against the view', async () => {
  const view = fetchedView();
  await expect(view.View.preload()).rejects.toThrow(gone.message);
  view.state.isThere = true;
  const { get } = await draw(view);
  await until(() => get('here'));
});
