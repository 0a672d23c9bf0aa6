// Rules of toasts: repeats count, errors stay, what has the focus stays.

import { afterEach, expect, test } from 'vitest';

import { act } from 'react';
import { toast } from 'sonner';

import type { Rendered } from '../testing/render.tsx';
import { click, renderView, until } from '../testing/render.tsx';
import { toastError, ToastHost, toastSuccess } from './toast.tsx';

let page: Rendered | undefined;

afterEach(async () => {
  toast.dismiss();
  // Each leaves with a timer that would look for a window when the file has ended.
  if (page !== undefined) {
    await until(() => expect(document.querySelectorAll('[data-sonner-toast]')).toHaveLength(0));
  }
  await page?.close();
});

/** Files share their modules: what an earlier one said is no longer there once this page is. */
async function start(): Promise<void> {
  toast.dismiss();
  page = await renderView(<ToastHost />);
  await until(() => expect(shown()).toEqual([]));
}

const durations = () => toast.getToasts().flatMap((one) => ('duration' in one ? [one.duration] : []));
/** Without those that are on their way out. */
const shown = () => [...document.querySelectorAll<HTMLElement>('[data-sonner-toast][data-removed=false]')];

test('the same message within ten seconds becomes a counter', async () => {
  await start();
  for (let times = 0; times < 3; times += 1) toastSuccess('Copied.');
  await until(() => expect(shown().map(({ textContent }) => textContent)).toEqual(['Copied. (3)']));
});

const texts = () => shown().map(({ textContent }) => textContent);

async function pressIn(text: string, button: string): Promise<void> {
  const pressed = await until(() => {
    const found = shown()
      .find(({ textContent }) => textContent.startsWith(text))
      ?.querySelector<HTMLElement>(button);
    if (found === undefined || found === null) throw new Error(`${text} has no ${button} yet`);
    return found;
  });
  await click(pressed);
}

test.each([
  ['closed', '[data-close-button]'],
  ['answered with its button', '[data-action]'],
])('a message that was %s is told again as a new one, also while the old one leaves', async (_, button) => {
  await start();
  const text = `Refused, ${button}.`;
  const tell = (): void => toastError(text, { label: 'Retry', onClick: () => undefined });
  tell();
  await pressIn(text, button);
  tell();
  await until(() => expect(texts()).toEqual([`${text}Retry`]));
  await pressIn(text, button);
  await until(() => expect(shown()).toEqual([]));
  tell();
  await until(() => expect(texts()).toEqual([`${text}Retry`]));
});

test('an error that its success took away is told again as a new one', async () => {
  await start();
  toastError('It is down.', undefined, 'simple');
  await until(() => expect(texts()).toEqual(['It is down.']));
  toastSuccess('It is up.', undefined, 'simple');
  toastError('It is down.', undefined, 'simple');
  await until(() => expect(texts().toSorted()).toEqual(['It is down.', 'It is up.']));
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

test('a message that comes up under a resting pointer is not held; one that the pointer moves onto is', async () => {
  await start();
  const move = (kind: string, to: Element, screenX: number): void => {
    act(() => void to.dispatchEvent(new MouseEvent(kind, { bubbles: true, screenX, screenY: 5 })));
  };
  move('mousedown', document.body, 5);
  toastSuccess('It was made.');
  const message = await until(() => {
    const [first] = shown();
    if (first === undefined) throw new Error('nothing is told yet');
    return first;
  });
  // As a browser tells of it: what was left first.
  const left = { bubbles: true, relatedTarget: message };
  act(() => void document.body.dispatchEvent(new MouseEvent('mouseout', left)));
  move('mouseover', message, 5);
  expect(message.dataset['expanded']).toBe('false');
  move('mousemove', document.body, 9);
  toastSuccess('Another one.');
  await until(() => expect(shown()).toHaveLength(2));
  move('mouseover', message, 5);
  await until(() => expect(message.dataset['expanded']).toBe('true'));
});
