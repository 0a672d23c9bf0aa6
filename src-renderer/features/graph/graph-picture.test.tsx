// A drawing that is saved as a file: its size, its colours, its texts, and what is said when it cannot be made.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Rendered } from '../../testing/render.tsx';
import { renderWithHosts, until } from '../../testing/render.tsx';
import type { Picture } from './graph-picture.ts';
import { pictureColors, pictureSize, pictureSvg, smoothPath } from './graph-picture.ts';
import { savePicture } from './save-picture.ts';

const PICTURE: Picture = {
  ...{ width: 100, height: 400, title: 'm' },
  nodes: [
    { id: 'a', x: 0, y: 0, width: 100, height: 40, title: 'Conv', subtitle: 'first', kind: 'operator' },
    { id: 'b', x: 0, y: 90, width: 100, height: 40, title: 'x'.repeat(99), subtitle: '', kind: 'scope' },
    { id: 'c', x: 0, y: 300, width: 100, height: 40, title: 'y', subtitle: 'FP32', kind: 'output' },
  ],
  edges: [
    {
      points: [
        { x: 50, y: 40 },
        { x: 50.06, y: 60 },
        { x: 50, y: 90 },
      ],
      label: 'a & b',
    },
  ],
};

const saved: { name: string; blob: Blob }[] = [];
const canvases: { width: number; height: number }[] = [];
let shown: Rendered;
let decodes: () => Promise<void>;
let isTooLarge: boolean;

beforeEach(async () => {
  saved.length = 0;
  canvases.length = 0;
  decodes = () => Promise.resolve();
  isTooLarge = false;
  const blobs = new Map<string, Blob>();
  URL.createObjectURL = (blob) => {
    const url = `blob:${blobs.size}`;
    blobs.set(url, blob as Blob);
    return url;
  };
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob: blobs.get(this.href) as Blob });
  });
  HTMLImageElement.prototype.decode = () => decodes();
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    drawImage: () => undefined,
  } as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (
    this: HTMLCanvasElement,
    done,
  ) {
    canvases.push({ width: this.width, height: this.height });
    done(isTooLarge ? null : new Blob(['png']));
  });
  shown = await renderWithHosts(null);
});

afterEach(async () => {
  await shown.close();
  vi.restoreAllMocks();
});

test('a PNG has the proportions of the picture with its margin: nothing is stretched', async () => {
  await savePicture('m', 'png', PICTURE);
  expect(saved.map(({ name }) => name)).toEqual(['m.png']);
  expect(pictureSize(PICTURE)).toEqual({ width: 132, height: 432 });
  expect(canvases).toEqual([{ width: 264, height: 864 }]);
});

test('an SVG is the text itself, under the name of the model', async () => {
  await savePicture('m-2', 'svg', PICTURE);
  expect(saved.map(({ name }) => name)).toEqual(['m-2.svg']);
  const parsed = new DOMParser().parseFromString(await saved[0]!.blob.text(), 'image/svg+xml');
  expect(parsed.querySelector('parsererror')).toBeNull();
  expect(parsed.documentElement.getAttribute('viewBox')).toBe('-16 -16 132 432');
  const texts = [...parsed.querySelectorAll('text')].map(({ textContent }) => textContent);
  expect(texts).toContain('a & b');
  expect(texts.find((text) => text.startsWith('xx'))).toMatch(/^x{5,20}…$/);
  const sizes = [...parsed.querySelectorAll('text')].map((text) => Number(text.getAttribute('font-size')));
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
  expect(parsed.querySelectorAll('rect[stroke-dasharray]')).toHaveLength(1);
});

test.each([
  ['cannot be drawn', () => (decodes = () => Promise.reject(new Error('bad picture'))), 'bad picture'],
  ['is too large', () => (isTooLarge = true), 'too large'],
])('a picture that %s is told, and nothing is saved', async (_what, spoil, words) => {
  spoil();
  await savePicture('m', 'png', PICTURE);
  await until(() => expect(document.body.textContent).toContain(words));
  expect(saved).toEqual([]);
});

test('colours are those of the window, written out', () => {
  const host = document.createElement('div');
  host.style.setProperty('--canvas', ' #123456 ');
  document.body.append(host);
  const colors = pictureColors(host);
  expect(colors.background).toBe('#123456');
  expect(pictureSvg(PICTURE, colors)).toContain('fill="#123456"');
});

test('a line through points has rounded bends and short numbers', () => {
  expect(smoothPath([])).toBe('');
  expect(smoothPath([{ x: 1.04, y: 2 }])).toBe('M1 2');
  expect(
    smoothPath([
      { x: 0, y: 0 },
      { x: 10, y: 0 },
      { x: 10, y: 10 },
    ]),
  ).toBe('M0 0Q10 0 10 5L10 10');
});
