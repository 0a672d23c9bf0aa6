// The charts of a run as one picture: everything on the screen is in it, and it needs no style sheet.

import { afterEach, expect, test } from 'vitest';

import { chartsImage } from './chart-image.ts';

afterEach(() => document.body.replaceChildren());

const BOX = { width: 400, height: 100 };

/** A drawn chart as the window draws one: title, unit, legend, and what is drawn. */
function figure(title: string, unit: string, names: readonly string[], drawing: string): string {
  const legend = names
    .map((name) => `<button aria-pressed="true"><svg><rect class="swatch"/></svg>${name}</button>`)
    .join('');
  return `<figure><header><h3>${title}</h3><span>${unit}</span>${legend}</header>${drawing}</figure>`;
}

function draw(html: string): HTMLElement {
  const root = document.createElement('div');
  root.innerHTML = html;
  document.body.append(root);
  for (const svg of root.querySelectorAll<SVGElement>('svg[data-plot]'))
    svg.getBoundingClientRect = () => BOX as DOMRect;
  return root;
}

const PLOT = '<svg data-plot><g class="line" style="stroke: rgb(1, 2, 3)"><path d="M0 0L1 1"/></g></svg>';

function parsed(svg: string): Document {
  const picture = new DOMParser().parseFromString(svg, 'image/svg+xml');
  expect(picture.querySelector('parsererror')).toBeNull();
  return picture;
}

test('charts stand one under the other, with title, unit and legend', () => {
  const root = draw(
    figure('Throughput', 'inf/s', ['rate', 'p99'], PLOT) + figure('Parts', '', ['queue'], PLOT),
  );
  const image = chartsImage(root, 'm, instances 2');
  const picture = parsed(image?.svg ?? '');
  const texts = [...picture.querySelectorAll('text')].map(({ textContent }) => textContent);
  expect(texts).toEqual(['m, instances 2', 'Throughput (inf/s)', 'p99', 'rate', 'Parts', 'queue']);
  const plots = [...picture.querySelectorAll('svg > svg')].filter(
    (svg) => svg.querySelector('path') !== null,
  );
  const tops = plots.map((plot) => Number(plot.getAttribute('y')));
  expect(tops).toHaveLength(2);
  // The second begins below the end of the first.
  expect(tops[1]! - tops[0]!).toBeGreaterThan(BOX.height);
  expect(image?.height).toBeGreaterThanOrEqual(tops[1]! + BOX.height);
  expect(image?.width).toBeGreaterThan(BOX.width);
});

test('colours are written into the drawing, and classes are gone', () => {
  const image = chartsImage(draw(figure('Throughput', '', [], PLOT)), 'm');
  const line = parsed(image?.svg ?? '').querySelector('g');
  expect(line?.getAttribute('stroke')).toBe('rgb(1, 2, 3)');
  expect(image?.svg).not.toMatch(/class=|style=/);
});

test('names with signs of XML are texts, not markup', () => {
  const image = chartsImage(draw(figure('a &lt; b', '', ['&quot;x&quot; &amp; y'], PLOT)), '<m> & "n"');
  const texts = [...parsed(image?.svg ?? '').querySelectorAll('text')].map(({ textContent }) => textContent);
  expect(texts).toEqual(['<m> & "n"', 'a < b', '"x" & y']);
});

test('without a drawn chart there is no picture', () => {
  expect(chartsImage(draw('<figure><header><h3>Empty</h3></header></figure>'), 'm')).toBeUndefined();
});
