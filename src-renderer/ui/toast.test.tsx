// Rules of toasts: repeats count, errors stay, what has the focus stays.

import { afterEach, expect, test } from 'vitest';

import { toast } from 'sonner';

import type { Rendered } from '../testing/render.tsx';
import { renderView, until } from '../testing/render.tsx';
import { toastError, ToastHost, toastSuccess } from './toast.tsx';

let page: Rendered | undefined;

afterEach(async () => {
  toast.dismiss();
  await page?.close();
});

/** Files share their modules: what an earlier one said is no longer there once this page is. */
async function start(): Promise<void> {
  toast.dismiss();
  page = await renderView(<ToastHost />);
  await until(() => expect(shown()).toEqual([]));
}

const durations = () => toast.getToasts().flatMap((one) => ('duration' in one ? [one.duration] : []));
const shown = () => [...document.querySelectorAll<HTMLElement>('[data-sonner-toast]')];

test('the same message within ten seconds becomes a counter', async () => {
  await start();
  for (let times = 0; times < 3; times += 1) toastSuccess('Copied.');
  await until(() => expect(shown().map(({ textContent }) => textContent)).toEqual(['Copied. (3)']));
});

test('an error stays, a success goes after five seconds', async () => {
  await start();
  toastError('It failed.');
  toastSuccess('It worked.');
  await until(() => expect(shown()).toHaveLength(2));
  expect(durations()).toEqual([Infinity, 5000]);
});

test('at most three are seen', async () => {
  await start();
  for (const text of ['one', 'two', 'three', 'four']) toastSuccess(text);
  await until(() => expect(shown()).toHaveLength(4));
  expect(shown().filter(({ dataset }) => dataset['visible'] === 'true')).toHaveLength(3);
});

test('what has the focus stays until the focus leaves', async () => {
  await start();
  toastSuccess('Saved.', { label: 'Undo', onClick: () => undefined });
  const action = await until(() => {
    const button = document.querySelector<HTMLElement>('[data-sonner-toast] [data-action]');
    if (button === null) throw new Error('there is no action yet');
    return button;
  });
  action.focus();
  await until(() => expect(durations()).toEqual([Infinity]));
  action.blur();
  await until(() => expect(durations()).toEqual([5000]));
});
