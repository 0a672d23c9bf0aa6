// The last captured request to an ensemble: which captured rows are its steps, and where a tensor of the drawing lies in
// them.

import type { CapturedRequest, CapturedRow } from '../../../src-shared/contract/capture-calls.ts';
import type { PlaygroundOutput } from '../../../src-shared/contract/playground-answer.ts';
import type { DagEdge, DagTensor, EnsembleDag } from './ensemble-dag.ts';

/** A captured request to an ensemble and those to its steps. */
export interface CapturedRun {
  readonly whole: CapturedRow;
  /** By step index; a step that answers several times has its newest request here. */
  readonly steps: ReadonlyMap<number, CapturedRow>;
}

/** A tensor of a run: one of the ensemble's own request, or of a step's. */
export interface TensorPlace {
  /** -1 = the ensemble itself. */
  readonly step: number;
  readonly side: 'inputs' | 'outputs';
  readonly name: string;
}

/** `rows` newest first; undefined when no request to the ensemble is among them. */
export function newestRun(rows: readonly CapturedRow[], ensemble: string): CapturedRun | undefined {
  const whole = rows.find(({ model }) => model === ensemble);
  if (whole === undefined) return undefined;
  const steps = new Map<number, CapturedRow>();
  for (const row of rows) {
    if (row.parentId === whole.id && !steps.has(row.stepIndex)) steps.set(row.stepIndex, row);
  }
  return { whole, steps };
}

/** Where the tensor of a line is written; undefined for one that nothing writes. */
export function placeOfEdge({ nodes }: EnsembleDag, { from }: DagEdge): TensorPlace | undefined {
  const writer = nodes.find(({ id }) => id === from.node);
  if (writer?.kind === 'step') return { step: writer.index, side: 'outputs', name: from.port };
  return writer?.kind === 'input' ? placeOfTensor(writer) : undefined;
}

/** Where an input or output of the ensemble is captured; undefined for a tensor that nothing writes. */
export function placeOfTensor({ kind, tensor }: DagTensor): TensorPlace | undefined {
  if (kind === 'loose') return undefined;
  return { step: -1, side: kind === 'input' ? 'inputs' : 'outputs', name: tensor };
}

/** The captured request that carried the tensor at a place; undefined when the run did not get there. */
export function rowAt({ whole, steps }: CapturedRun, { step }: TensorPlace): CapturedRow | undefined {
  return step < 0 ? whole : steps.get(step);
}

/** The tensor of that name in a captured request, of its first answer for outputs; undefined when it has none. */
export function tensorAt(
  { inputs, responses }: CapturedRequest,
  { side, name }: TensorPlace,
): PlaygroundOutput | undefined {
  const tensors = side === 'inputs' ? inputs : (responses[0]?.outputs ?? []);
  return tensors.find((tensor) => tensor.name === name);
}
