// Whose names the classes of an output get: those of the model, of a step inside it, of a well-known list, or none.

import type { StepLabels } from '../../src-shared/contract/inference-calls.ts';
import { t } from '../texts/translate.ts';
import { Select } from '../ui/select.tsx';
import type { NameList, NameSource } from './class-names.ts';

/** The chosen source, and which others there are. */
export interface NameChoiceProps {
  readonly source: NameSource;
  /** The model names them. */
  readonly hasLabels: boolean;
  readonly step: StepLabels | undefined;
  /** Well-known lists that may be meant. */
  readonly lists: readonly (NameList | undefined)[];
  /** The source that the user chose. */
  readonly onChange: (source: NameSource) => void;
}

/** Nothing where there is nothing to choose. */
export function NameChoice({ source, hasLabels, step, lists, onChange }: NameChoiceProps) {
  const sources: readonly NameSource[] = [
    ...(hasLabels ? (['model'] as const) : []),
    ...(step === undefined ? [] : (['step'] as const)),
    ...lists.filter((list) => list !== undefined),
    'none',
  ];
  if (sources.length < 2) return null;
  return (
    <Select
      aria-label={t('tensor.names')}
      data-testid="tensor-names"
      value={source}
      options={sources.map((value) => ({
        value,
        label:
          value === 'step'
            ? t('tensor.names.step', { model: step?.model ?? '' })
            : t(`tensor.names.${value}`),
      }))}
      onChange={onChange}
    />
  );
}
