// Drawings of reports: pictures inside of a file that is read without a window, so they are plain SVG text.

import { doubleText } from '../../perf/report/number-text.ts';

const WIDTH = 640;
const HEIGHT = 320;
const MARGIN = { left: 80, right: 190, top: 32, bottom: 48 };
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000'];
const TICKS = 5;

/** Points in any order. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

interface Axes {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
}

/** Scales begin at zero. */
export interface LineChart extends Axes {
  readonly series: readonly Series[];
  /** Limit on x or y, drawn as a dashed line. */
  readonly limits: readonly { readonly axis: 'x' | 'y'; readonly value: number; readonly name: string }[];
}

/** Text for HTML and SVG. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Dots joined by lines, in the order of x. */
export function lineChart({ series, limits, ...axes }: LineChart): string {
  const all = series.flatMap(({ points }) => points);
  const limit = (axis: 'x' | 'y'): number[] =>
    limits.filter((one) => one.axis === axis).map(({ value }) => value);
  const x = scale([...all.map(([value]) => value), ...limit('x')], [MARGIN.left, WIDTH - MARGIN.right]);
  const y = scale([...all.map(([, value]) => value), ...limit('y')], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const lines = series.map(({ name, points }, at) => {
    const color = COLORS[at % COLORS.length] ?? '#000000';
    const places = points.toSorted(([a], [b]) => a - b).map(([px, py]) => [x.at(px), y.at(py)] as const);
    const path = places.map(([px, py]) => `${px},${py}`).join(' ');
    const dots = places.map(([px, py]) => `<circle cx="${px}" cy="${py}" r="3.5" fill="${color}"/>`).join('');
    return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="1.5"/>${dots}${legend(at, color, name)}`;
  });
  const dashed = limits.map(({ axis, value, name }) => {
    const [x1, y1, x2, y2] =
      axis === 'x'
        ? [x.at(value), MARGIN.top, x.at(value), HEIGHT - MARGIN.bottom]
        : [MARGIN.left, y.at(value), WIDTH - MARGIN.right, y.at(value)];
    return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#b00020" stroke-dasharray="6 4"/><text x="${x1 + 4}" y="${y1 + 12}" fill="#b00020">${escaped(name)}</text>`;
  });
  return frame(axes, [...ticks(x, 'x'), ...ticks(y, 'y'), ...lines, ...dashed]);
}

/** One layer of the bars. */
export interface BarPart {
  readonly name: string;
  readonly color: string;
}

/** Bars in the order given. */
export interface StackedBars extends Axes {
  readonly parts: readonly BarPart[];
  /** One value for each part. */
  readonly bars: readonly { readonly label: string; readonly values: readonly number[] }[];
  /** Over the bars, on a scale of its own. */
  readonly line: { readonly name: string; readonly values: readonly number[] };
}

/** Layers from the bottom up, with a line over them. */
export function stackedBars({ parts, bars, line, ...axes }: StackedBars): string {
  const totals = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const y = scale(totals, [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const over = scale(line.values, [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const step = (WIDTH - MARGIN.left - MARGIN.right) / Math.max(1, bars.length);
  const middle = (at: number): number => MARGIN.left + step * (at + 0.5);
  const drawn = bars.flatMap(({ label, values }, at) => {
    let below = 0;
    const rects = values.map((value, part) => {
      const top = y.at(below + value);
      const height = round(y.at(below) - top);
      below += value;
      return `<rect x="${round(middle(at) - step * 0.3)}" y="${top}" width="${round(step * 0.6)}" height="${height}" fill="${parts[part]?.color ?? '#000000'}"/>`;
    });
    return [
      ...rects,
      `<text x="${round(middle(at))}" y="${HEIGHT - MARGIN.bottom + 16}" text-anchor="middle">${escaped(label)}</text>`,
    ];
  });
  const path = line.values.map((value, at) => `${round(middle(at))},${over.at(value)}`).join(' ');
  const legends = [...parts, { name: line.name, color: '#000000' }].map(({ name, color }, at) =>
    legend(at, color, name),
  );
  return frame(axes, [
    ...ticks(y, 'y'),
    ...drawn,
    `<polyline points="${path}" fill="none" stroke="#000000" stroke-width="1.5"/>`,
    ...legends,
  ]);
}

interface Scale {
  readonly max: number;
  at(value: number): number;
}

/** From zero, so that shares of what is seen are shares of what was measured. */
function scale(values: readonly number[], [from, to]: readonly [number, number]): Scale {
  const max = Math.max(...values, 0) * 1.05 || 1;
  return { max, at: (value) => round(from + ((to - from) * value) / max) };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function ticks({ max, at }: Scale, axis: 'x' | 'y'): string[] {
  return Array.from({ length: TICKS + 1 }, (_, index) => {
    const value = (max * index) / TICKS;
    const label = doubleText(Number(value.toPrecision(3)));
    return axis === 'x'
      ? `<text x="${at(value)}" y="${HEIGHT - MARGIN.bottom + 16}" text-anchor="middle">${label}</text>`
      : `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${at(value)}" y2="${at(value)}" stroke="#dddddd"/><text x="${MARGIN.left - 6}" y="${at(value) + 4}" text-anchor="end">${label}</text>`;
  });
}

function legend(at: number, color: string, name: string): string {
  const x = WIDTH - MARGIN.right + 12;
  const y = MARGIN.top + at * 18;
  return `<rect x="${x}" y="${y}" width="10" height="10" fill="${color}"/><text x="${x + 16}" y="${y + 9}">${escaped(name)}</text>`;
}

function frame({ title, xLabel, yLabel }: Axes, parts: readonly string[]): string {
  const center = MARGIN.left + (WIDTH - MARGIN.left - MARGIN.right) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="11">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    `<text x="${center}" y="18" text-anchor="middle" font-size="13">${escaped(title)}</text>`,
    ...parts,
    `<text x="${center}" y="${HEIGHT - 8}" text-anchor="middle">${escaped(xLabel)}</text>`,
    `<text x="14" y="${HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 14 ${HEIGHT / 2})">${escaped(yLabel)}</text>`,
    '</svg>',
  ].join('\n');
}
