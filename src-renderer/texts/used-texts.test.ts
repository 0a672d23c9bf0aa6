// Every text has a user. A key that no source of the window names, neither whole nor as a template that it fits, is shown
// nowhere.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { frameTexts } from './en.ts';
import { lateTexts } from './late-texts.ts';

const window = path.resolve(import.meta.dirname, '..');
const NOT_THE_WINDOW = /\.test\.tsx?$|^(?:testing|texts)[/\\]/;

/** The sources that draw the window, without tests and without the texts themselves. */
function sourcesOfWindow(): string {
  return readdirSync(window, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !NOT_THE_WINDOW.test(name))
    .map((name) => readFileSync(path.join(window, name), 'utf8'))
    .join('\n');
}

/** What keys a template can make; undefined for one that could make any. */
function fitting(template: string): RegExp | undefined {
  const parts = template.split(/\$\{[^}]*\}/);
  if (!(parts[0] ?? '').includes('.')) return undefined;
  return new RegExp(`^${parts.map((part) => part.replaceAll(/\W/g, '\\$&')).join('[\\w.-]+')}$`);
}

test('every text is named by what draws the window', () => {
  const sources = sourcesOfWindow();
  const named = new Set([...sources.matchAll(/['"`]([\w.-]+)['"`]/g)].map(([, key]) => key));
  const templates = new Set([...sources.matchAll(/`([\w.-]*\$\{[^`]*)`/g)].map(([, text = '']) => text));
  const made = [...templates].map(fitting).filter((pattern) => pattern !== undefined);
  const keys = Object.keys({ ...frameTexts, ...lateTexts });
  expect(keys.length).toBeGreaterThan(2000);
  expect(keys.filter((key) => !named.has(key) && !made.some((each) => each.test(key)))).toEqual([]);
});
