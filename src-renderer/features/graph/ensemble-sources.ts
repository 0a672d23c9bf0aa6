// What a step's input or the ensemble's output can be connected to, as choices of a list: the way to connect without
// dragging. Pure.

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { t } from '../../texts/translate.ts';
import type { EnsembleDag } from './ensemble-dag.ts';
import type { Source, Target } from './ensemble-edits.ts';
import { refusalOf, sourceOf } from './ensemble-edits.ts';

/** Nothing leads there. */
export const NO_SOURCE = 'none';
/** The tensor it names is written by nothing. */
export const LOOSE_SOURCE = 'loose';

/** A line of the list. `value` stands for a source; a `disabledReason` says why it cannot be chosen. */
export interface SourceChoice {
  readonly value: string;
  readonly label: string;
  readonly disabledReason?: string;
}

/** The choice that stands for a source. */
export function sourceValue(source: Source): string {
  return source.kind === 'input' ? `in:${source.tensor}` : `step:${source.step}:${source.port}`;
}

/** The source that a choice stands for; undefined for "not connected" and for a tensor that nothing writes. */
export function sourceFromValue(value: string): Source | undefined {
  const input = /^in:(.*)$/s.exec(value);
  if (input !== null) return { kind: 'input', tensor: input[1] ?? '' };
  const step = /^step:(\d+):(.*)$/s.exec(value);
  return step === null ? undefined : { kind: 'step', step: Number(step[1]), port: step[2] ?? '' };
}

/**
 * All sources in the order of the drawing, behind "not connected". `loose` is the tensor that is named now and
 * that nothing writes; undefined without one.
 */
export function sourceChoices(
  dag: EnsembleDag,
  text: string,
  target: Target,
  loose: string | undefined,
): readonly SourceChoice[] {
  const choices: SourceChoice[] = [{ value: NO_SOURCE, label: t('graph.source.none') }];
  if (loose !== undefined)
    choices.push({ value: LOOSE_SOURCE, label: t('graph.source.loose', { tensor: loose }) });
  const add = (source: Source, label: string): void => {
    const refusal = refusalOf(text, source, target);
    const value = sourceValue(source);
    choices.push(
      refusal === undefined
        ? { value, label }
        : { value, label, disabledReason: t(`graph.refused.${refusal}`) },
    );
  };
  for (const node of dag.nodes) {
    if (node.kind === 'input') {
      add({ kind: 'input', tensor: node.tensor }, t('graph.source.input', { tensor: node.tensor }));
    } else if (node.kind === 'step') {
      for (const { name, tensor } of node.outputs) {
        const place = { port: name, step: node.index + 1, model: node.model };
        const label =
          tensor === undefined
            ? t('graph.source.newTensor', place)
            : t('graph.source.step', { tensor, ...place });
        add({ kind: 'step', step: node.index, port: name }, label);
      }
    }
  }
  return choices;
}

/** The choice that stands for what is written now. */
export function currentChoice(config: ModelConfig, target: Target, loose: string | undefined): string {
  const source = sourceOf(config, target);
  if (source !== undefined) return sourceValue(source);
  return loose === undefined ? NO_SOURCE : LOOSE_SOURCE;
}
