// The chart colours as the style sheet has them: every role can be seen on its ground, and the second set keeps them
// further apart than the first, also for the two common kinds of colour blindness.

import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

const SHEET = readFileSync(path.join(import.meta.dirname, 'theme.css'), 'utf8');
const ROLES = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'danger'];
const THEMES = ['light', 'dark', 'high-contrast'] as const;

type Rgb = readonly [number, number, number];
type Matrix = readonly [Rgb, Rgb, Rgb];

/** Declarations of the first rule whose selectors have all of `parts` and nothing else in brackets. */
function variables(...parts: readonly string[]): ReadonlyMap<string, string> {
  for (const [, selectors = '', body = ''] of SHEET.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    const isMeant = selectors.split(',').some((selector) => {
      const found: readonly string[] = selector.match(/\[[^\]]+\]/g) ?? [];
      return found.length === parts.length && parts.every((part) => found.includes(part));
    });
    if (isMeant)
      return new Map([...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map((m) => [m[1] ?? '', m[2] ?? '']));
  }
  throw new Error(`the style sheet has no rule for ${parts.join('')}`);
}

function colours(theme: (typeof THEMES)[number], palette: string): ReadonlyMap<string, Rgb> {
  const base = variables(`[data-theme='${theme}']`);
  const set = `[data-palette='${palette}']`;
  const own =
    palette === 'okabe-ito'
      ? base
      : theme === 'light'
        ? variables(set)
        : variables(set, `[data-theme='${theme}']`);
  const wanted = [...ROLES.map((role) => [role, own] as const), ['surface', base] as const];
  return new Map(wanted.map(([name, sheet]) => [name, linear(sheet.get(name) ?? '')]));
}

function linear(hex: string): Rgb {
  expect(hex).toMatch(/^#[0-9a-f]{6}$/i);
  const part = (at: number): number => {
    const share = parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

const luminance = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(a: Rgb, b: Rgb): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** What an eye without one kind of cone sees, after Machado, Oliveira and Fernandes. */
const EYES: Readonly<Record<string, Matrix>> = {
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
};

function seen(eye: Matrix, [r, g, b]: Rgb): Rgb {
  const part = (row: Rgb): number => Math.min(1, Math.max(0, row[0] * r + row[1] * g + row[2] * b));
  const [x, y, z] = [part(eye[0]), part(eye[1]), part(eye[2])];
  const f = (value: number): number => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const fx = f((0.4124 * x + 0.3576 * y + 0.1805 * z) / 0.95047);
  const fy = f(0.2126 * x + 0.7152 * y + 0.0722 * z);
  const fz = f((0.0193 * x + 0.1192 * y + 0.9505 * z) / 1.08883);
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

function smallestDistance(set: ReadonlyMap<string, Rgb>, eye: Matrix): number {
  const all = ROLES.map((role) => seen(eye, set.get(role) ?? [0, 0, 0]));
  return Math.min(
    ...all.flatMap((a, at) =>
      all.slice(at + 1).map((b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])),
    ),
  );
}

describe.each(THEMES)('chart colours of the theme %s', (theme) => {
  test.each(['okabe-ito', 'high-distinction'])('%s stands out from its ground', (palette) => {
    const set = colours(theme, palette);
    const faint = ROLES.filter(
      (role) => contrast(set.get(role) ?? [0, 0, 0], set.get('surface') ?? [0, 0, 0]) < 3,
    );
    expect(faint).toEqual([]);
  });

  test.each(Object.keys(EYES))('the second set is told apart better: %s', (name) => {
    const { [name]: eye } = EYES;
    if (eye === undefined) throw new Error(name);
    const second = smallestDistance(colours(theme, 'high-distinction'), eye);
    expect(second).toBeGreaterThan(smallestDistance(colours(theme, 'okabe-ito'), eye));
    expect(second).toBeGreaterThan(20);
  });
});
