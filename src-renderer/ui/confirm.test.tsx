// Questions: the safe answer has the focus and is what Escape gives; one question at a time; nothing that needs the
// server can be chosen while it is lost.

import { afterEach, expect, test } from 'vitest';

import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, click, press, renderView, until } from '../testing/render.tsx';
import { ask, ConfirmHost } from './confirm.tsx';
import { OfflineContext } from './offline.ts';

let page: Rendered | undefined;

afterEach(() => page?.close());

const remove = () =>
  ask({
    title: 'Remove simple?',
    text: 'It goes to the bin.',
    choices: [{ value: 'remove', label: 'Remove', isDanger: true }],
  });

test('the safe answer has the focus, and Escape gives it', async () => {
  page = await renderView(<ConfirmHost />);
  const { get, query } = page;
  const answer = remove();
  await until(() => expect(document.activeElement).toBe(get('confirm-cancel')));
  expect(get('confirm').textContent).toContain('It goes to the bin.');
  expect(await accessibilityFaults()).toEqual([]);
  await press(get('confirm-cancel'), 'Escape');
  expect(await answer).toBeUndefined();
  await until(() => expect(query('confirm')).toBeNull());
});

test('the answer is the choice that was pressed', async () => {
  page = await renderView(<ConfirmHost />);
  const answer = remove();
  await click(await until(() => page?.get('confirm-remove') as HTMLElement));
  expect(await answer).toBe('remove');
});

test('a second question cancels the first', async () => {
  page = await renderView(<ConfirmHost />);
  const first = remove();
  const second = ask({
    title: 'Stop?',
    text: 'Two requests run.',
    choices: [{ value: 'stop', label: 'Stop' }],
  });
  expect(await first).toBeUndefined();
  await until(() => expect(page?.get('confirm').textContent).toContain('Two requests run.'));
  await click(page.get('confirm-stop'));
  expect(await second).toBe('stop');
});

test('an explanation has one button, which closes it', async () => {
  page = await renderView(<ConfirmHost />);
  const answer = ask({ title: 'Why', text: 'Because.', choices: [] });
  const button = await until(() => page?.get('confirm-cancel') as HTMLElement);
  expect(button.textContent).toBe('Close');
  await click(button);
  expect(await answer).toBeUndefined();
});

test('without the server only the safe answer can be given', async () => {
  page = await renderView(
    <OfflineContext value="The server is not there">
      <ConfirmHost />
    </OfflineContext>,
  );
  const { get } = page;
  const answer = remove();
  const danger = await until(() => get('confirm-remove'));
  expect(danger.getAttribute('aria-disabled')).toBe('true');
  await click(danger);
  expect(get('confirm')).toBeDefined();
  await click(get('confirm-cancel'));
  expect(await answer).toBeUndefined();
});
