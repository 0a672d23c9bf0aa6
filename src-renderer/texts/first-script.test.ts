// The first script draws the frame with the texts of the frame alone: others come later, and would be shown as keys.

import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { frameTexts } from './en.ts';
import { lateTexts } from './late-texts.ts';

const IMPORT = /^\s*(?:import|export)\s+(?!type\b)[^'";]*?from\s+'([^']+)'|^\s*import\s+'([^']+)'/gm;

/** Every file that the page's start imports, other than by `import()`. */
function filesOfFirstScript(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const waiting = [path.join(import.meta.dirname, '../main.tsx')];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    const text = readFileSync(file, 'utf8');
    files.set(file, text);
    for (const [, from = '', bare = ''] of text.matchAll(IMPORT)) {
      const target = from === '' ? bare : from;
      if (/^\..*\.tsx?$/.test(target)) waiting.push(path.resolve(path.dirname(file), target));
    }
  }
  return files;
}

function lateKeysIn(text: string): readonly string[] {
  const keys = Object.keys(lateTexts);
  const named = [...text.matchAll(/'([a-z][\w.]*)'/gi)].map(([, key = '']) => key);
  const begun = [...text.matchAll(/`([a-z][\w.]*\.)\$\{/gi)].map(([, start = '']) => start);
  return keys.filter((key) => named.includes(key) || begun.some((start) => key.startsWith(start)));
}

test('what draws the frame uses no text that comes later', () => {
  const files = filesOfFirstScript();
  expect(files.size).toBeGreaterThan(80);
  const found = [...files].flatMap(([file, text]) =>
    lateKeysIn(text).map((key) => `${path.basename(file)}: ${key}`),
  );
  expect(found).toEqual([]);
});

test('no text is in both parts', () => {
  expect(Object.keys(lateTexts).filter((key) => Object.hasOwn(frameTexts, key))).toEqual([]);
});
