// The layouts of this window.

import { useStore } from 'zustand';

import type { Direction } from './ensemble-sizes.ts';
import type { LayoutJob } from './layout-jobs.ts';
import { LayoutJobs } from './layout-jobs.ts';
import LayoutWorker from './layout-worker.ts?worker';

export const layouts = new LayoutJobs(() => new LayoutWorker());

/** The layout of a place, as it changes; undefined before the first. */
export function useLayout(place: string): LayoutJob | undefined {
  return useStore(layouts.store, ({ byPlace }) => byPlace.get(place));
}

const STEPS = { LR: '/steps', TB: '/steps-down' } as const;

/** Where the drawing of an ensemble's steps is kept; that of a file is kept under the model's name. */
export function stepsPlace(model: string, direction: Direction): string {
  return `${model}${STEPS[direction]}`;
}

/** The model that a place belongs to. */
export function modelOf(place: string): string {
  const ending = Object.values(STEPS).find((steps) => place.endsWith(steps)) ?? '';
  return place.slice(0, place.length - ending.length);
}
