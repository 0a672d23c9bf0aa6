// What follows a draft's head is not drawn for every key.

import { useEffect } from 'react';
import { afterEach, expect, test } from 'vitest';

import { renderView, until } from '../../testing/render.tsx';
import { dropDrafts, newDraft, putDraft, setDraftText } from './config-drafts.ts';
import { useDraftHead, useDraftText } from './use-draft.ts';

const DISK = {
  path: 'config.pbtxt',
  text: 'name: "m"',
  hash: 'h',
  exists: true,
  readOnlyReason: undefined,
  refusal: undefined,
} as const;

afterEach(() => dropDrafts(['m']));

test('the head is drawn again when the text becomes unsaved, the text for every change', async () => {
  const drawn = { head: 0, text: 0 };
  const countHead = (): void => void (drawn.head += 1);
  const countText = (): void => void (drawn.text += 1);
  function Head() {
    useEffect(countHead);
    return <p data-testid="head">{String(useDraftHead('m')?.isDirty)}</p>;
  }
  function Text() {
    useEffect(countText);
    return <p data-testid="text">{useDraftText('m')}</p>;
  }
  putDraft(newDraft('m', DISK));
  const { get, close } = await renderView(
    <>
      <Head />
      <Text />
    </>,
  );
  expect(get('head').textContent).toBe('false');
  setDraftText('m', 'name: "m"\n#');
  await until(() => expect(get('head').textContent).toBe('true'));
  const { head, text } = drawn;
  for (const typed of ['#a', '#ab', '#abc']) {
    setDraftText('m', typed);
    await until(() => expect(get('text').textContent).toBe(typed));
  }
  expect(drawn.head).toBe(head);
  expect(drawn.text).toBeGreaterThanOrEqual(text + 3);
  setDraftText('m', DISK.text);
  await until(() => expect(get('head').textContent).toBe('false'));
  await close();
});
