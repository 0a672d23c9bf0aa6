// What of a file's graph is drawn now, and where it lies: the visible nodes and their layout in a worker.

import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';

import { t } from '../../texts/translate.ts';
import { NODE_SIZE } from './components/operator-node.tsx';
import type { GraphIndex } from './graph-index.ts';
import type { ScopeTree } from './graph-scopes.ts';
import { initiallyOpen, scopeTree } from './graph-scopes.ts';
import type { DrawingMode, GraphView } from './graph-views.ts';
import { graphViews, viewOf } from './graph-views.ts';
import type { LayoutJob } from './layout-jobs.ts';
import { layouts, useLayout } from './layouts.ts';
import type { VisibleGraph } from './visible-graph.ts';
import { neighbourhood, visibleGraph } from './visible-graph.ts';

/** From here on a graph opens as a list with the neighbourhood of one operator. */
export const LARGE_FROM = 5000;
const HOPS = 2;
const MAX_NEIGHBOURS = 300;

/** The view of a graph with everything that follows from it. */
export interface Drawing {
  readonly view: GraphView;
  readonly tree: ScopeTree;
  readonly mode: DrawingMode;
  readonly open: ReadonlySet<string>;
  /** Operator whose neighbourhood is drawn in the mode for it. */
  readonly center: number | undefined;
  /** Of an operator's index in the file: false for a constant that is folded away. */
  readonly drawn: (operator: number) => boolean;
  readonly visible: VisibleGraph;
  readonly job: LayoutJob | undefined;
  readonly key: string;
  /** Lays out what is visible now; `again`: also when that was done or cancelled. */
  readonly start: (again: boolean) => void;
  /** Ends the layout that is running, if there is one. */
  readonly cancel: () => void;
}

/**
 * What is drawn of `model`'s graph; starts the layout whenever that changes. `sourceKey` changes with the file.
 */
export function useDrawing(model: string, sourceKey: string, index: GraphIndex): Drawing {
  const view = useStore(graphViews, (state) => viewOf(model, state));
  const { withConstants } = view;
  const drawn = useMemo(
    () => (withConstants ? () => true : (at: number) => !index.constants.has(at)),
    [withConstants, index],
  );
  const tree = useMemo(() => scopeTree(index, drawn), [index, drawn]);
  const firstDrawn = useMemo(() => index.data.operators.findIndex((_, at) => drawn(at)), [index, drawn]);
  // The view is that of the model: another version, or a file that changed, may have fewer operators.
  const kept =
    view.center === undefined || view.center < index.data.operators.length ? view.center : undefined;
  const center = kept ?? (firstDrawn < 0 ? undefined : firstDrawn);
  const mode = view.mode ?? (index.data.operators.length > LARGE_FROM ? 'around' : 'scopes');
  const initial = useMemo(() => initiallyOpen(tree), [tree]);
  const open = view.open ?? initial;
  const visible = useMemo(() => {
    if (mode === 'scopes') {
      const countText = (count: number): string => t('graph.counts', { count });
      return visibleGraph({ index, tree, open, drawn, countText });
    }
    if (center === undefined) return { nodes: [], edges: [], hiddenCount: 0 };
    return neighbourhood(index, center, { hops: HOPS, drawn, limit: MAX_NEIGHBOURS });
  }, [index, tree, mode, open, drawn, center]);
  const key = useMemo(() => {
    const what = mode === 'around' ? String(center) : [...open].sort().join('\n');
    return [sourceKey, mode, String(withConstants), what].join('\n');
  }, [sourceKey, mode, withConstants, center, open]);
  const job = useLayout(model);
  const isEmpty = visible.nodes.length === 0;
  const start = (again: boolean): void => {
    const nodes = visible.nodes.map(({ id }) => ({ id, ...NODE_SIZE }));
    layouts.start(model, key, { nodes, edges: visible.edges, direction: 'TB' }, again);
  };
  useEffect(() => {
    if (isEmpty) return;
    const nodes = visible.nodes.map(({ id }) => ({ id, ...NODE_SIZE }));
    layouts.start(model, key, { nodes, edges: visible.edges, direction: 'TB' });
  }, [model, key, visible, isEmpty]);
  return {
    view,
    tree,
    mode,
    open,
    center,
    drawn,
    visible,
    job: job?.key === key ? job : undefined,
    key,
    start,
    cancel: () => layouts.cancel(model),
  };
}
