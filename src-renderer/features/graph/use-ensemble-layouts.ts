// The two layouts of an ensemble, to the right and downwards: which one is shown depends on the room that there is.

import { useEffect, useMemo } from 'react';

import type { EnsembleDag } from './ensemble-dag.ts';
import { ensembleLayoutInput } from './ensemble-nodes.ts';
import type { Direction } from './ensemble-sizes.ts';
import type { LayoutJob } from './layout-jobs.ts';
import { layouts, stepsPlace, useLayout } from './layouts.ts';

/** The layout in one direction; `start(true)` makes it again. */
export interface EnsembleLayout {
  readonly job: LayoutJob | undefined;
  /** Of the drawing that the job is for. */
  readonly key: string;
  /** Lays out what is there now; `again`: also when that was done or cancelled. */
  readonly start: (again: boolean) => void;
  /** Ends the layout that is running, if there is one. */
  readonly cancel: () => void;
}

/** One for each direction. */
export type EnsembleLayouts = Readonly<Record<Direction, EnsembleLayout>>;

/** Nothing is laid out before `isReady`. */
export function useEnsembleLayouts(model: string, dag: EnsembleDag, isReady: boolean): EnsembleLayouts {
  return {
    LR: useEnsembleLayout(model, dag, isReady, 'LR'),
    TB: useEnsembleLayout(model, dag, isReady, 'TB'),
  };
}

function useEnsembleLayout(
  model: string,
  dag: EnsembleDag,
  isReady: boolean,
  direction: Direction,
): EnsembleLayout {
  const place = stepsPlace(model, direction);
  const input = useMemo(() => ensembleLayoutInput(dag, direction), [dag, direction]);
  const key = useMemo(() => JSON.stringify(input), [input]);
  const isDrawn = isReady && input.nodes.length > 0;
  useEffect(() => {
    if (isDrawn) layouts.start(place, key, input);
  }, [isDrawn, place, key, input]);
  const job = useLayout(place);
  return {
    job: job?.key === key ? job : undefined,
    key,
    start: (again) => layouts.start(place, key, input, again),
    cancel: () => layouts.cancel(place),
  };
}
