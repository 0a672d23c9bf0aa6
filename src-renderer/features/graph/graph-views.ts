// How each model's graph is being looked at: which scopes are open, what is selected, what is searched for. Survives
// changes of tab.

import { createStore } from 'zustand/vanilla';

/** The scopes of the whole graph, or the neighbourhood of one operator. */
export type DrawingMode = 'scopes' | 'around';

/** How one graph is looked at. Scopes are named by path. */
export interface GraphView {
  /** Undefined = as the graph opens: by its size. */
  readonly mode: DrawingMode | undefined;
  /** Scopes that are drawn open; undefined = as the graph opens. */
  readonly open: ReadonlySet<string> | undefined;
  /** Scopes that are open in the list. */
  readonly listed: ReadonlySet<string>;
  /** Id of a node of the drawing, which is also that of its row in the list; undefined = nothing. */
  readonly selected: string | undefined;
  /** Operator whose neighbourhood is drawn. */
  readonly center: number | undefined;
  readonly query: string;
  readonly withConstants: boolean;
}

const INITIAL: GraphView = {
  mode: undefined,
  open: undefined,
  listed: new Set(),
  selected: undefined,
  center: undefined,
  query: '',
  withConstants: false,
};

type Views = Readonly<Record<string, GraphView>>;

/** By model; those that nobody looked at are not in it. */
export const graphViews = createStore<{ readonly byModel: Views }>(() => ({ byModel: {} }));

/** How the graph of `model` is looked at; as it opens when nobody looked yet. */
export function viewOf(model: string, { byModel } = graphViews.getState()): GraphView {
  return byModel[model] ?? INITIAL;
}

/** Changes what is given and leaves the rest. */
export function changeView(model: string, change: Partial<GraphView>): void {
  graphViews.setState((state) => ({
    byModel: { ...state.byModel, [model]: { ...viewOf(model, state), ...change } },
  }));
}

/** The graph of `model` opens the next time as if it were the first. */
export function forgetView(model: string): void {
  graphViews.setState(({ byModel }) => ({
    byModel: Object.fromEntries(Object.entries(byModel).filter(([name]) => name !== model)),
  }));
}
