// The points around the place where a hill climb stands, and what was measured of them. Pure geometry and bookkeeping:
// what is worth more is decided by whoever hands in the weights.

import { compareConstraints, passes, type Goals } from '../rank/constraints.ts';
import { compareObjectives } from '../rank/objectives.ts';
import type { TrialResult } from './trial.ts';

/** Whole numbers, one for each dimension. */
export type Point = readonly number[];

/** Both ends belong to it. */
export interface Axis {
  readonly min: number;
  readonly max: number;
}

const RADIUS = 3;
const ENOUGH = 3;

/** Same place, same text. */
export function pointKey(point: Point): string {
  return point.join(',');
}

function distance(a: Point, b: Point): number {
  return Math.hypot(...a.map((value, at) => value - (b[at] ?? 0)));
}

function isInside(point: Point, axes: readonly Axis[]): boolean {
  return point.every((value, at) => {
    const axis = axes[at];
    return axis !== undefined && value >= axis.min && value <= axis.max;
  });
}

/** Results by point; a point that failed is there with undefined. */
export type Measured = ReadonlyMap<string, TrialResult>;

/** Looks at the results each time it is asked, so that it knows new ones. */
export class Neighborhood {
  readonly home: Point;
  readonly #axes: readonly Axis[];
  readonly #measured: Measured;
  readonly #goals: Goals;
  readonly #isForcedSlow: boolean;
  /** In-bounds points within the radius, home among them. */
  readonly points: readonly Point[];

  constructor(options: {
    readonly home: Point;
    readonly axes: readonly Axis[];
    readonly measured: Measured;
    readonly goals: Goals;
    readonly isForcedSlow: boolean;
  }) {
    this.home = options.home;
    this.#axes = options.axes;
    this.#measured = options.measured;
    this.#goals = options.goals;
    this.#isForcedSlow = options.isForcedSlow;
    this.points = around(options.home).filter((point) => isInside(point, options.axes));
  }

  /** A point of the neighbourhood, measured or not; of several the first. */
  nearestTo(target: Point): Point {
    return this.points.reduce(
      (found, point) => (distance(point, target) < distance(found, target) ? point : found),
      this.points[0] ?? this.home,
    );
  }

  /** Some neighbours meet the goals and others do not, or it was asked for: steps are to be small. */
  get isSlow(): boolean {
    if (this.#isForcedSlow) return true;
    const home = this.#resultOf(this.home);
    if (home === undefined) return false;
    const isPassing = passes(home.metrics, this.#goals);
    return this.#neighbours().some(({ result }) => passes(result.metrics, this.#goals) !== isPassing);
  }

  /** So much was measured around home that a step can be decided. */
  get hasEnough(): boolean {
    if (this.isSlow) return this.#adjacent().every((point) => this.#isMeasured(point));
    return this.#neighbours().length >= ENOUGH;
  }

  /** The next point to look at; undefined = none is left. */
  pick(): Point | undefined {
    if (this.isSlow) return this.#adjacent().find((point) => !this.#isMeasured(point));
    const known = this.points.filter((point) => this.#resultOf(point) !== undefined);
    const newness = (point: Point): number =>
      point.filter((value, at) => known.every((other) => other[at] !== value)).length;
    return this.points
      .filter((point) => !this.#isMeasured(point))
      .reduce<Point | undefined>(
        (found, point) => (found === undefined || newness(point) > newness(found) ? point : found),
        undefined,
      );
  }

  /** Where to stand next; home = there is nothing better. */
  move(): Point {
    return this.isSlow ? this.#slowMove() : this.#fastMove();
  }

  #slowMove(): Point {
    const goals = this.#goals;
    const passing = this.points.flatMap((point) => {
      const result = this.#resultOf(point);
      return result !== undefined && passes(result.metrics, goals) ? [{ point, result }] : [];
    });
    const [first, ...others] = passing;
    if (first === undefined) return this.home;
    return others.reduce(
      (best, one) =>
        compareObjectives(best.result.metrics, one.result.metrics, goals.objectives) > 0 ? one : best,
      first,
    ).point;
  }

  #fastMove(): Point {
    const home = this.#resultOf(this.home);
    if (home === undefined) return this.home;
    const goals = this.#goals;
    const isPassing = passes(home.metrics, goals);
    const weighed = this.#neighbours().map(({ point, result }) => ({
      offset: point.map((value, at) => value - (this.home[at] ?? 0)),
      weight: isPassing
        ? compareObjectives(home.metrics, result.metrics, goals.objectives)
        : compareConstraints(home.metrics, result.metrics, goals),
    }));
    return this.home.map((value, at) => {
      const axis = this.#axes[at];
      const moved = value + stepsOf(weighed, at);
      return axis === undefined ? moved : Math.min(axis.max, Math.max(axis.min, moved));
    });
  }

  #neighbours(): { readonly point: Point; readonly result: NonNullable<TrialResult> }[] {
    return this.points.flatMap((point) => {
      const result = this.#resultOf(point);
      return result === undefined || pointKey(point) === pointKey(this.home) ? [] : [{ point, result }];
    });
  }

  /** One step off in one dimension: for each dimension down, then up. */
  #adjacent(): Point[] {
    return this.home
      .flatMap((value, at) => [-1, 1].map((step) => this.home.with(at, value + step)))
      .filter((point) => isInside(point, this.#axes));
  }

  #resultOf(point: Point): TrialResult {
    return this.#measured.get(pointKey(point));
  }

  #isMeasured(point: Point): boolean {
    return this.#measured.has(pointKey(point));
  }
}

/** Weights pull into the direction of their points; how strongly says how many steps are taken. */
function stepsOf(
  weighed: readonly { readonly offset: Point; readonly weight: number }[],
  at: number,
): number {
  let pull = 0;
  let reach = 0;
  for (const { offset, weight } of weighed) {
    const along = offset[at] ?? 0;
    if (along === 0) continue;
    pull += Math.sign(along) * weight;
    reach += Math.abs(along);
  }
  if (reach === 0) return 0;
  const strength = Math.abs(pull / reach);
  const steps = strength <= 0.09 ? 0 : strength <= 0.3 ? 1 : strength <= 1 ? 2 : 3;
  return Math.sign(pull) * steps;
}

/** Whole points within the radius, in the order of their coordinates. */
function around(home: Point): Point[] {
  const steps = Array.from({ length: 2 * RADIUS + 1 }, (_, at) => at - RADIUS);
  return home
    .reduce<Point[]>(
      (known, value) => known.flatMap((point) => steps.map((step) => [...point, value + step])),
      [[]],
    )
    .filter((point) => distance(point, home) <= RADIUS);
}
