// Notes of a model: drawn as Markdown without anything that could leave the window, edited, and never lost.

import { afterEach, expect, test } from 'vitest';

import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, press, renderView, type, until } from '../../testing/render.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { NotesCard } from './components/notes-card.tsx';

let page: Rendered | undefined;
afterEach(() => page?.close());

async function drawn(text: string): Promise<{ readonly root: HTMLElement; readonly followed: string[] }> {
  const followed: string[] = [];
  page = await renderView(<Markdown text={text} onLink={(url) => followed.push(url)} testId="md" />);
  return { root: page.get('md'), followed };
}

test('text is drawn, and headings stay below those of the page', async () => {
  const { root } = await drawn(
    '# Plan\n\n- one\n- **two**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n- [ ] open',
  );
  expect(root.querySelector('h4')?.textContent).toBe('Plan');
  expect(root.querySelectorAll('[id]')).toHaveLength(0);
  expect(root.querySelector('strong')?.textContent).toBe('two');
  expect(root.querySelectorAll('td')).toHaveLength(2);
  expect([...root.querySelectorAll('[role="img"]')].map((box) => box.getAttribute('aria-label'))).toEqual([
    'done',
    'to do',
  ]);
  expect(await accessibilityFaults(root)).toEqual([]);
});

test('HTML is text, and nothing is fetched', async () => {
  const { root } = await drawn(
    'before <img src="https://example.com/a.png" onerror="alert(1)"> <script>alert(1)</script>\n\n<iframe src="https://example.com"></iframe>\n\n![chart](https://example.com/b.png)',
  );
  expect(root.querySelectorAll('img, script, iframe, object, embed, link, style')).toHaveLength(0);
  expect(root.textContent).toContain('<script>');
  expect([...root.querySelectorAll('a')].at(-1)?.textContent).toBe('Image: chart');
});

test.each([
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/html,x',
  '#top',
  'notes.md',
  ' jAvAsCrIpT:alert(1)',
])('a link to %s leads nowhere', async (url) => {
  const { root } = await drawn(`[here](${url}) <${url}>`);
  expect(root.querySelectorAll('a')).toHaveLength(0);
  expect(root.textContent).toContain('here');
});

test.each(['https://example.com/x', 'http://localhost:8000/v2', 'wb://models/simple/config?line=3'])(
  'a link to %s is handed over, the page stays',
  async (url) => {
    const { root, followed } = await drawn(`[here](${url})`);
    const link = root.querySelector('a');
    const event = new MouseEvent('click', { bubbles: true, cancelable: true });
    link?.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(true);
    expect(followed).toEqual([url]);
  },
);

const saved = (fake: FakeEngine): unknown[] =>
  fake.argsOf('settings/writeLayout').map(({ json }) => JSON.parse(json) as unknown);

test('what was typed is saved, also when the card goes away at once', async () => {
  const model = fakeModel('noted');
  page = await renderView(<NotesCard model={model} />);
  await type(await until(() => page?.get('notes-text') as HTMLElement), 'Ask *Ada*');
  await page.close();
  await until(() => expect(saved(page?.fake ?? new FakeEngine())).toEqual(['Ask *Ada*']));
});

test('notes are read drawn and edited as text; Control and Enter goes back', async () => {
  const fake = new FakeEngine();
  fake.overrides['settings/readLayout'] = () => ({ json: JSON.stringify('Ask *Ada*') });
  page = await renderView(<NotesCard model={fakeModel('read')} />, fake);
  const preview = await until(() => page?.get('notes-preview'));
  expect(preview?.querySelector('em')?.textContent).toBe('Ada');
  const edit = page.get('notes-view').querySelector<HTMLElement>('[role="radio"]');
  edit?.click();
  const field = await until(() => page?.get('notes-text'));
  await press(field as HTMLElement, 'Enter', { ctrlKey: true });
  await until(() => page?.get('notes-preview'));
});

test('notes that could not be saved say so', async () => {
  const fake = new FakeEngine();
  fake.overrides['settings/writeLayout'] = () => {
    throw new Error('no space left on the disk');
  };
  page = await renderView(<NotesCard model={fakeModel('full')} />, fake);
  await type(await until(() => page?.get('notes-text') as HTMLElement), 'x');
  await until(() => expect(page?.get('model-notes').textContent).toContain('Not saved: no space left'));
});

test('notes that could not be read cannot be typed over; reading again shows them', async () => {
  const fake = new FakeEngine();
  fake.overrides['settings/readLayout'] = () => {
    throw new Error('permission denied');
  };
  page = await renderView(<NotesCard model={fakeModel('locked')} />, fake);
  const { get, query } = page;
  await until(() => expect(get('notes-unread').textContent).toContain('permission denied'));
  expect(query('notes-text')).toBeNull();
  fake.overrides['settings/readLayout'] = () => ({ json: JSON.stringify('Ask Ada') });
  await click(get('notes-retry'));
  await until(() => expect(get('notes-preview').textContent).toContain('Ask Ada'));
  expect(saved(fake)).toEqual([]);
});
