// The layouts of this window.

import { useStore } from 'zustand';

import type { LayoutJob } from './layout-jobs.ts';
import { LayoutJobs } from './layout-jobs.ts';
import LayoutWorker from './layout-worker.ts?worker';

export const layouts = new LayoutJobs(() => new LayoutWorker());

export function useLayout(place: string): LayoutJob | undefined {
  return useStore(layouts.store, ({ byPlace }) => byPlace.get(place));
}

/** Where the drawing of a model's file, and that of an ensemble's steps, is kept. */
export function placesOf(model: string): readonly [file: string, steps: string] {
  return [model, `${model}/steps`];
}
