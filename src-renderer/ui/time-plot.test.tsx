// The plot of a time chart as its user meets it: pointer, keys, drag, and what other charts of the group show.

import { act } from 'react';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { Chart } from './chart.tsx';
import { ChartGroup, ChartGroupControls } from './chart-group.tsx';
import type { ChartPoint, ChartSeries } from './chart-types.ts';

const SERIES: readonly ChartSeries[] = [{ key: 'rate', title: 'Rate', role: 'c1' }];
const POINTS: readonly ChartPoint[] = Array.from({ length: 11 }, (_, index) => ({
  x: index * 1000,
  rate: index === 5 ? undefined : index * 10,
}));
const WIDTH = 556;

let host: HTMLElement;
let root: Root;

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(WIDTH);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(180);
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => {
    callback();
    return 0;
  });
  host = document.createElement('div');
  document.body.append(host);
  root = createRoot(host);
});

afterEach(() => {
  act(() => root.unmount());
  host.remove();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function draw(children: ReactNode): void {
  act(() => root.render(<ChartGroup>{children}</ChartGroup>));
}

const chart = (id: string, points = POINTS) => (
  <Chart
    key={id}
    title={id}
    series={SERIES}
    points={points}
    range={[points[0]?.x ?? 0, points.at(-1)?.x ?? 0]}
    unit="perSecond"
    xText={(x) => `at ${x}`}
    testId={id}
  />
);

const plot = (id: string): HTMLElement => {
  const found = host.querySelector<HTMLElement>(`[data-testid="${id}"] [role="application"]`);
  if (found === null) throw new Error(`no plot in ${id}`);
  return found;
};
const crosshair = (id: string): string | undefined =>
  host.querySelector<HTMLElement>(`[data-testid="${id}"] [data-crosshair]`)?.dataset['crosshair'];
const spoken = (id: string): string => plot(id).querySelector('[role="status"]')?.textContent ?? '';

/** The plot is 500 pixels wide, from 48 on. */
function pointer(id: string, type: string, fraction: number): void {
  const event = new MouseEvent(type, { bubbles: true, clientX: 48 + fraction * 500, button: 0 });
  act(() => void plot(id).dispatchEvent(event));
}

function key(id: string, name: string): void {
  act(() => void plot(id).dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true })));
}

test('the line is drawn with its gap, and new points replace it', () => {
  draw(chart('one'));
  const path = () => plot('one').querySelector('[data-series="rate"] path')?.getAttribute('d') ?? '';
  expect(path().match(/M/g)).toHaveLength(2);
  draw(chart('one', POINTS.slice(6)));
  expect(path().match(/M/g)).toHaveLength(1);
});

test('the crosshair of one chart stands in all charts of the group', () => {
  draw([chart('one'), chart('two')]);
  pointer('one', 'pointermove', 0.31);
  expect([crosshair('one'), crosshair('two')]).toEqual(['3000', '3000']);
  expect(host.querySelector('[data-testid="two"] [data-crosshair]')?.textContent).toContain('30 1/s');
  pointer('one', 'pointerout', 0.31);
  expect([crosshair('one'), crosshair('two')]).toEqual([undefined, undefined]);
});

test('the pointer stands still while the data move on beneath it', () => {
  draw(chart('one'));
  pointer('one', 'pointermove', 0.3);
  const later = POINTS.map(({ x, rate }) => ({ x: x + 2000, rate }));
  draw(chart('one', later));
  expect(crosshair('one')).toBe('5000');
});

test('arrow keys read the points that have a value', () => {
  draw(chart('one'));
  key('one', 'ArrowLeft');
  expect(spoken('one')).toBe('at 10000: Rate 100 1/s');
  key('one', 'Home');
  expect(crosshair('one')).toBe('0');
  for (let step = 0; step < 5; step += 1) key('one', 'ArrowRight');
  expect(spoken('one')).toBe('at 6000: Rate 60 1/s');
  key('one', 'Escape');
  expect(crosshair('one')).toBeUndefined();
});

test('a drag zooms every chart of the group, a double click shows all again', () => {
  draw([chart('one'), chart('two'), <ChartGroupControls key="controls" />]);
  const element = plot('one');
  element.setPointerCapture = vi.fn<(pointerId: number) => void>();
  pointer('one', 'pointerdown', 0.6);
  pointer('one', 'pointermove', 0.2);
  pointer('one', 'pointerup', 0.2);
  expect(host.querySelector('[data-testid="chart-reset-zoom"]')).not.toBeNull();
  pointer('two', 'pointermove', 0.5);
  expect([crosshair('one'), crosshair('two')]).toEqual(['4000', '4000']);
  pointer('two', 'dblclick', 0.5);
  expect(host.querySelector('[data-testid="chart-reset-zoom"]')).toBeNull();
});

test('space pauses the group: what comes later is not drawn', () => {
  draw([chart('one'), <ChartGroupControls key="controls" />]);
  key('one', ' ');
  const before = plot('one').querySelector('[data-series="rate"] path')?.getAttribute('d');
  draw([chart('one', POINTS.slice(6)), <ChartGroupControls key="controls" />]);
  expect(plot('one').querySelector('[data-series="rate"] path')?.getAttribute('d')).toBe(before);
});

test('bands are shaded as far as they lie within the axis', () => {
  const bands = [
    [-5000, 1000],
    [4000, 5000],
    [20_000, 30_000],
  ] as const;
  draw(
    <Chart
      title="one"
      series={SERIES}
      points={POINTS}
      range={[0, 10_000]}
      unit="perSecond"
      bands={bands}
      testId="one"
    />,
  );
  const drawn = [...plot('one').querySelectorAll('[data-band]')].map((band) => [
    Number(band.getAttribute('x')),
    Number(band.getAttribute('width')),
  ]);
  expect(drawn).toEqual([
    [48, 50],
    [248, 50],
  ]);
});
