// The frame that the page shows before its script is there says what the window will say.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

import { features } from './features/registry.ts';
import { railFeatures } from './layout/rail.tsx';
import { t } from './texts/translate.ts';

const page = readFileSync(path.join(import.meta.dirname, 'index.html'), 'utf8');
const theme = readFileSync(path.join(import.meta.dirname, 'styles/theme.css'), 'utf8');

test('it names the screens as the rail does, in its order', () => {
  const named = [...page.matchAll(/data-boot="([^"]+)"[^>]*>([^<]*)</g)].map(([, key, text]) => [key, text]);
  expect(named).toEqual(railFeatures(features).map(({ title }) => [title, t(title)]));
});

test.each([
  ['light', 0],
  ['dark', 1],
])('it has the colours of the %s theme', (name, index) => {
  const boot = page.matchAll(/--boot-(canvas|surface|line|text): (#\w+);/g);
  const shown = [...boot].slice(index * 4, index * 4 + 4).map(([, role, colour]) => [role, colour]);
  const [, rules = ''] = new RegExp(`\\[data-theme='${name}'\\] \\{([^}]*)\\}`).exec(theme) ?? [];
  const colourOf = (role: string): string | undefined => new RegExp(`--${role}: (#\\w+);`).exec(rules)?.[1];
  const roles = ['canvas', 'surface', 'line', 'text'];
  expect(shown).toEqual(roles.map((role) => [role, colourOf(role === 'text' ? 'text-soft' : role)]));
});
