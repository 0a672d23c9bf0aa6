// Keys of an ensemble's drawing: Delete takes the selected line or step away, F2 gives the selected tensor another name.

import type { KeyboardEvent } from 'react';

import type { DagEnd, EnsembleDag } from './ensemble-dag.ts';
import type { Target } from './ensemble-edits.ts';

/** What the keys do. */
export interface CanvasActs {
  /** Delete on a line; `target`: the end that it leads to. */
  readonly disconnect: (target: Target) => void;
  /** Delete on a step; `step`: its index in the list of steps, from 0. */
  readonly removeStep: (step: number) => void;
  /** F2 on a tensor; `tensor`: its name in the ensemble. */
  readonly rename: (tensor: string) => void;
}

/** `selected` is an id of the drawing. Other keys, and keys that have nothing to act on, are left alone. */
export function onCanvasKey(
  event: KeyboardEvent,
  dag: EnsembleDag,
  selected: string | undefined,
  acts: CanvasActs,
): void {
  const edge = dag.edges.find(({ id }) => selected === `edge:${id}`);
  const node = dag.nodes.find(({ id }) => id === selected);
  if (event.key === 'F2') {
    const tensor = edge?.tensor ?? (node === undefined || node.kind === 'step' ? undefined : node.tensor);
    if (tensor === undefined) return;
    event.preventDefault();
    acts.rename(tensor);
    return;
  }
  if (event.key !== 'Delete' && event.key !== 'Backspace') return;
  const target = edge === undefined ? undefined : targetOf(dag, edge.to);
  if (target !== undefined) acts.disconnect(target);
  else if (node?.kind === 'step') acts.removeStep(node.index);
  else return;
  event.preventDefault();
}

/** The end of a line as what reads; undefined where nothing reads there. */
export function targetOf({ nodes }: EnsembleDag, { node, port }: DagEnd): Target | undefined {
  const found = nodes.find(({ id }) => id === node);
  if (found?.kind === 'step') return { kind: 'step', step: found.index, port };
  return found?.kind === 'output' ? { kind: 'output', tensor: found.tensor } : undefined;
}
