// The layouts of this window.

import { useStore } from 'zustand';

import type { LayoutJob } from './layout-jobs.ts';
import { LayoutJobs } from './layout-jobs.ts';
import LayoutWorker from './layout-worker.ts?worker';

export const layouts = new LayoutJobs(() => new LayoutWorker());

export function useLayout(place: string): LayoutJob | undefined {
  return useStore(layouts.store, ({ byPlace }) => byPlace.get(place));
}

const STEPS = '/steps';

/** Where the drawing of an ensemble's steps is kept; that of a file is kept under the model's name. */
export function stepsPlace(model: string): string {
  return `${model}${STEPS}`;
}

export function modelOf(place: string): string {
  return place.endsWith(STEPS) ? place.slice(0, -STEPS.length) : place;
}
