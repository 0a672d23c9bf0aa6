// What leaves the window: files, links, paths. Each has one way in the desktop app and another in a browser.

import { afterEach, expect, test, vi } from 'vitest';
import type { DragEvent } from 'react';

import { internal } from '../../src-shared/errors.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../lib/workspace-store.ts';
import type { ActionPage } from '../testing/action-page.tsx';
import { actionPage } from '../testing/action-page.tsx';
import type { FakeShell } from '../testing/fake-shell.ts';
import { installShell } from '../testing/fake-shell.ts';
import { until } from '../testing/render.tsx';
import { dragOutProps } from './drag-out.ts';
import { followLink, openUrl } from './open-url.ts';
import { revealPath } from './reveal.ts';
import { saveBytes } from './save-bytes.ts';
import { saveText } from './save-text.ts';

let page: ActionPage | undefined;
let shell: FakeShell | undefined;

afterEach(async () => {
  shell?.remove();
  shell = undefined;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await page?.close();
  page = undefined;
});

/** What a browser would have downloaded: name and bytes, noted when the link is pressed. */
function downloads(): { readonly name: string; readonly blob: Blob }[] {
  const made = new Map<string, Blob>();
  const found: { readonly name: string; readonly blob: Blob }[] = [];
  URL.createObjectURL = (blob) => {
    const url = `blob:made-${made.size}`;
    made.set(url, blob as Blob);
    return url;
  };
  URL.revokeObjectURL = (url) => void made.delete(url);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const blob = made.get(this.href);
    if (blob === undefined) throw new Error('the link leads to nothing');
    found.push({ name: this.download, blob });
  });
  return found;
}

const clipboard = (writeText: (text: string) => Promise<void>) =>
  vi.stubGlobal(
    'navigator',
    Object.assign(Object.create(navigator) as Navigator, { clipboard: { writeText } }),
  );

test('a text is downloaded in a browser, with its type', async () => {
  const files = downloads();
  await saveText('report.csv', 'a,b\n1,2\n', 'text/csv');
  expect(files[0]).toMatchObject({ name: 'report.csv', blob: { type: 'text/csv', size: 8 } });
});

test('the desktop app asks where a text goes, and nothing is downloaded', async () => {
  const files = downloads();
  shell = installShell({ 'shell/saveText': () => undefined });
  await saveText('report.csv', 'a,b');
  expect(shell.calls).toEqual([
    { name: 'shell/saveText', args: { title: 'report.csv', defaultName: 'report.csv', text: 'a,b' } },
  ]);
  expect(files).toEqual([]);
});

test('bytes are downloaded under a name that every system can have', () => {
  const files = downloads();
  saveBytes('OUTPUT 0/scores:1.npy', Uint8Array.of(1, 2, 3));
  expect(files[0]).toMatchObject({ name: 'OUTPUT_0_scores_1.npy', blob: { size: 3 } });
});

test('a path is copied in a browser, which is said, or why it could not be', async () => {
  page = await actionPage();
  const copied: string[] = [];
  clipboard((text) => Promise.resolve(void copied.push(text)));
  await revealPath('/home/ada/models/a');
  expect(copied).toEqual(['/home/ada/models/a']);
  await page.told('info', 'Path copied: /home/ada/models/a');
  clipboard(() => Promise.reject(new Error('denied')));
  await revealPath('/home/ada/models/b');
  await page.told('error', 'The clipboard is not available here.');
  expect(page.messages('info').join()).not.toContain('/models/b');
});

test('the desktop app shows a path in its file manager, and tells what went wrong there', async () => {
  page = await actionPage();
  shell = installShell({
    'shell/reveal': ({ path }: { path: string }) => {
      if (path === '/gone') throw internal("there is no '/gone'");
    },
  });
  await revealPath('/home/ada/models/a');
  expect(shell.calls).toEqual([{ name: 'shell/reveal', args: { path: '/home/ada/models/a' } }]);
  await revealPath('/gone');
  await page.told('error', "there is no '/gone'");
});

test('a link opens outside of the window, without a way back to it', () => {
  const opened: unknown[][] = [];
  vi.spyOn(window, 'open').mockImplementation((...args) => {
    opened.push(args);
    return null;
  });
  openUrl('https://example.com/');
  expect(opened).toEqual([['https://example.com/', '_blank', 'noopener,noreferrer']]);
  shell = installShell({ 'shell/openExternal': () => undefined });
  openUrl('https://example.com/desktop');
  expect(shell.calls).toEqual([{ name: 'shell/openExternal', args: { url: 'https://example.com/desktop' } }]);
  expect(opened).toHaveLength(1);
});

test('a link of a text leads to a place of the window or to the web, and nowhere else', () => {
  workspace.setState(INITIAL_WORKSPACE, true);
  const opened: string[] = [];
  vi.spyOn(window, 'open').mockImplementation((url) => {
    opened.push(String(url));
    return null;
  });
  followLink('wb://models/simple/config?line=3');
  expect(activeTab()?.address).toMatchObject({ model: 'simple', tab: 'config', query: { line: '3' } });
  followLink('HTTPS://example.com/a');
  for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'mailto:a@b.c', '/relative', '']) {
    followLink(url);
  }
  expect(opened).toEqual(['HTTPS://example.com/a']);
});

test('nothing can be dragged out of a browser', () => {
  expect(dragOutProps(() => ({ name: 'a', bytes: new Uint8Array() }))).toEqual({});
});

test('what is dragged out of the desktop app becomes a file of a name that every system can have', async () => {
  shell = installShell({ 'shell/dragOut': () => undefined });
  const props = dragOutProps((element: HTMLElement) => ({
    name: `${element.id} of m.npy`,
    bytes: Uint8Array.of(0, 255, 128),
  }));
  const element = document.createElement('p');
  element.id = 'OUTPUT';
  let isPrevented = false;
  props.onDragStart?.({
    currentTarget: element,
    preventDefault: () => (isPrevented = true),
  } as unknown as DragEvent<HTMLElement>);
  await until(() => expect(shell?.calls).toHaveLength(1));
  expect(isPrevented).toBe(true);
  expect(shell.calls[0]?.args).toEqual({ name: 'OUTPUT_of_m.npy', content: 'AP+A', isBase64: true });
});

test('a name that is too long for a file keeps its end, which says of which kind the file is', async () => {
  shell = installShell({ 'shell/dragOut': () => undefined });
  const props = dragOutProps(() => ({ name: `${'layer/'.repeat(100)}OUT.npy`, bytes: new Uint8Array() }));
  props.onDragStart?.({
    currentTarget: document.body,
    preventDefault: () => undefined,
  } as unknown as DragEvent<HTMLElement>);
  await until(() => expect(shell?.calls).toHaveLength(1));
  expect(shell.calls[0]?.args).toMatchObject({ name: expect.stringMatching(/^.{192}_OUT\.npy$/) });
});

test('a file that could not be made is told', async () => {
  page = await actionPage();
  shell = installShell();
  const props = dragOutProps(() => Promise.reject(new Error('the blob is gone')));
  props.onDragStart?.({
    currentTarget: document.body,
    preventDefault: () => undefined,
  } as unknown as DragEvent<HTMLElement>);
  await page.told('error', 'the blob is gone');
  expect(shell.calls).toEqual([]);
});
