// What an input of a step, or an output of the ensemble, is read from: the choices are those that dragging a line has.

import { t } from '../../../texts/translate.ts';
import { Select } from '../../../ui/select.tsx';
import type { DagEdge } from '../ensemble-dag.ts';
import type { Target } from '../ensemble-edits.ts';
import { LOOSE_SOURCE, currentChoice, sourceChoices } from '../ensemble-sources.ts';
import type { Ensemble } from '../use-ensemble.ts';

/** `edge`: the line that leads there now; `onConnect` is told of another source, never of a tensor that nothing writes. */
export function SourceSelect({
  ensemble,
  target,
  edge,
  label,
  onConnect,
}: {
  readonly ensemble: Ensemble;
  readonly target: Target;
  readonly edge: DagEdge | undefined;
  /** Of the target, for screen readers. */
  readonly label: string;
  readonly onConnect: (sourceValue: string, target: Target) => void;
}) {
  const { dag, text, config } = ensemble;
  const isLoose = dag.nodes.some(({ id, kind }) => id === edge?.from.node && kind === 'loose');
  const loose = isLoose ? edge?.tensor : undefined;
  const place = target.kind === 'step' ? `${target.step}-${target.port}` : target.tensor;
  return (
    <Select
      aria-label={t('graph.step.readsFrom', { port: label })}
      data-testid={`graph-source-${place}`}
      className="w-full min-w-0"
      value={currentChoice(config, target, loose)}
      options={sourceChoices(dag, text, target, loose)}
      onChange={(value) => {
        if (value !== LOOSE_SOURCE) onConnect(value, target);
      }}
    />
  );
}
