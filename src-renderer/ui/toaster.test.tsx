// The messages themselves: how long they stay, what stands in them, and that they are reached and answered by keys.

import { toast } from 'sonner';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { byRole } from '../testing/by-role.ts';
import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, click, press, renderView, until } from '../testing/render.tsx';
import { Dialog } from './dialog.tsx';
import { forgetSubject, showToast, ToastRegion } from './toaster.tsx';

let page: Rendered | undefined;

beforeEach(async () => {
  toast.dismiss();
  page = await renderView(<ToastRegion />);
  await until(() => expect(shown()).toEqual([]));
});

afterEach(async () => {
  toast.dismiss();
  await until(() => expect(document.querySelectorAll('[data-sonner-toast]')).toHaveLength(0));
  await page?.close();
});

const shown = (): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('[data-sonner-toast][data-removed=false]'),
];
const texts = (): readonly string[] => shown().map(({ textContent }) => textContent);
const nothing = { action: undefined, subject: undefined };

test('an error that is shown elsewhere as well goes by itself after ten seconds', async () => {
  showToast({
    kind: 'error',
    text: 'It did not load.',
    ...nothing,
    subject: 'simple',
    isShownElsewhere: true,
  });
  await until(() => expect(texts()).toEqual(['It did not load.']));
  expect(toast.getToasts()).toMatchObject([{ duration: 10_000 }]);
});

test('what may be done about an error stands below it', async () => {
  showToast({ kind: 'error', text: 'No space is left.', ...nothing, advice: 'Empty the bin.' });
  const message = await until(() => byRole('listitem'));
  expect(message.textContent).toBe('No space is left.Empty the bin.');
  expect(message.dataset['testid']).toBe('toast-error');
  expect(await accessibilityFaults()).toEqual([]);
});

test('the action of a message is a button that takes the focus, is carried out once, and closes the message', async () => {
  const undo = vi.fn<() => void>();
  showToast({
    kind: 'success',
    text: 'Removed.',
    subject: undefined,
    action: { label: 'Undo', onClick: undo },
  });
  const button = await until(() => byRole('button', 'Undo'));
  button.focus();
  expect(document.activeElement).toBe(button);
  await click(button);
  expect(undo).toHaveBeenCalledOnce();
  await until(() => expect(shown()).toEqual([]));
});

test('the region is named, and its key brings the focus to the messages', async () => {
  showToast({ kind: 'info', text: 'The engine was started again.', ...nothing });
  await until(() => expect(shown()).toHaveLength(1));
  const list = document.querySelector<HTMLElement>('[data-sonner-toaster]');
  expect(byRole('region', /^Notifications/).contains(list)).toBe(true);
  await press(document, 't', { altKey: true, code: 'KeyT' });
  await until(() => expect(document.activeElement).toBe(list));
});

test('the focus goes on past the messages, and comes back only when one takes it away', async () => {
  await page?.close();
  page = await renderView(
    <>
      <button type="button">Before</button>
      <ToastRegion />
      <button type="button">After</button>
    </>,
  );
  showToast({ kind: 'error', text: 'It did not load.', ...nothing });
  const close = await until(() => byRole('button', 'Close toast'));
  byRole('button', 'Before').focus();
  close.focus();
  byRole('button', 'After').focus();
  expect(document.activeElement).toBe(byRole('button', 'After'));
  close.focus();
  await press(close, 'Escape');
  expect(document.activeElement).toBe(byRole('button', 'After'));
  close.focus();
  await click(close);
  await until(() => expect(document.querySelectorAll('[data-sonner-toast]')).toHaveLength(0));
  await until(() => expect(document.activeElement).toBe(byRole('button', 'After')));
});

test('forgetting a subject takes its last message away and no other', async () => {
  showToast({ kind: 'error', text: 'simple failed.', action: undefined, subject: 'simple' });
  showToast({ kind: 'error', text: 'other failed.', action: undefined, subject: 'other' });
  await until(() => expect(shown()).toHaveLength(2));
  forgetSubject('nobody');
  forgetSubject(undefined);
  forgetSubject('simple');
  await until(() => expect(texts()).toEqual(['other failed.']));
});

test('over a dialog messages come up at the top, where they cover none of its buttons', async () => {
  const place = (): string | null | undefined =>
    document.querySelector('[data-sonner-toaster]')?.getAttribute('data-y-position');
  showToast({ kind: 'error', text: 'No space is left.', ...nothing });
  await until(() => expect(place()).toBe('bottom'));
  await page?.close();
  page = await renderView(
    <>
      <ToastRegion />
      <Dialog isOpen onClose={() => undefined} title="Import" />
    </>,
  );
  showToast({ kind: 'error', text: 'Still no space.', ...nothing });
  await until(() => expect(place()).toBe('top'));
  // One that comes up while all are taken away would stay.
  await until(() => expect(texts()).toContain('Still no space.'));
});
