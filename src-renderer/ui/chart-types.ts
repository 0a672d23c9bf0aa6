// What a chart is made of. One wrapper draws all of them, so that another engine could replace it without touching a
// screen.

/** Colour, dash and meaning belong together: infer is always c1, queue c2 and the cache c6, in every screen. */
export type ChartRole = 'c1' | 'c2' | 'c3' | 'c4' | 'c5' | 'c6' | 'danger';

/** For the lines of a chart that mean nothing by themselves; more than these cannot be told apart. */
export const LINE_ROLES = ['c1', 'c2', 'c3', 'c4', 'c5'] as const satisfies readonly ChartRole[];

/** One line, area or row of bars. */
export interface ChartSeries {
  /** Name of the value in a point. Must stay the same while the chart lives. */
  readonly key: string;
  readonly title: string;
  readonly role: ChartRole;
  /** `points` are dots without a line; `path` joins its dots over x values that only other series have. */
  readonly shape?: 'line' | 'area' | 'bar' | 'points' | 'path';
  readonly axis?: 'left' | 'right';
  /** Areas and bars with the same name stand on each other. */
  readonly stack?: string;
  /** Value of a point that is written beside the dot of this series. */
  readonly labelKey?: string;
}

/** `x` is a time in ms, a number, or the place of a bar. A missing value is a gap, never zero. */
export type ChartPoint = Readonly<Record<string, number | undefined>> & { readonly x: number };

/** `us` picks µs, ms or s for the whole axis. */
export type ChartUnit = 'us' | 'perSecond' | 'count' | 'percent' | 'bytes';

/** A line across the chart at `x`, in the unit of its points. */
export interface ChartMarker {
  readonly x: number;
  readonly text: string;
}

/** A stretch of a time axis that is shaded. */
export type ChartBand = readonly [from: number, to: number];

/** A line along the chart at `value` of the left axis, with its name. */
export interface ChartLimit {
  readonly value: number;
  readonly title: string;
}

/** CSS colours of the roles, which follow the theme. */
export const ROLE_COLORS: Readonly<Record<ChartRole, string>> = {
  c1: 'var(--c1)',
  c2: 'var(--c2)',
  c3: 'var(--c3)',
  c4: 'var(--c4)',
  c5: 'var(--c5)',
  c6: 'var(--c6)',
  danger: 'var(--danger)',
};

/** As `stroke-dasharray` takes them; "" = an unbroken line. They tell series apart without colour. */
export const ROLE_DASHES: Readonly<Record<ChartRole, string>> = {
  c1: '',
  c2: '6 3',
  c3: '2 2',
  c4: '8 2 2 2',
  c5: '1 3',
  c6: '10 4',
  danger: '',
};
