// What is said by itself keeps its place in the accessibility tree while a dialog is open. The library behind dialogs hides
// the rest of the page from readers, save what has `aria-live`; a region that only has its role is taken away and comes
// back with the closing dialog, and what stands in it is said once more.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** Opening tags that have a role of things that are said, without saying so. */
function silentRegions(source: string): readonly string[] {
  return [
    ...source.matchAll(/role=(?:"(?:status|alert)"|\{[^}]*'(?:status|alert)'[^}]*\})(?!\s+aria-live)/g),
  ].map(([found]) => found);
}

test('every status and alert is a live region by its attribute too', async () => {
  expect(silentRegions('<p role="status">a</p>')).toHaveLength(1);
  expect(silentRegions('<p role="alert" aria-live="assertive">a</p>')).toEqual([]);
  const files = await readdir(root, { recursive: true });
  const views = files.filter((file) => file.endsWith('.tsx') && !file.includes('.test.'));
  expect(views.length).toBeGreaterThan(100);
  const silent: string[] = [];
  for (const file of views) {
    const found = silentRegions(await readFile(path.join(root, file), 'utf8'));
    silent.push(...found.map((tag) => `${file}: ${tag}`));
  }
  expect(silent).toEqual([]);
});
