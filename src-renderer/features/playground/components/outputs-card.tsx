// Which outputs are asked for, and which of them as classes.

import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Checkbox } from '../../../ui/toggles.tsx';
import type { OutputDraft } from '../draft.ts';
import { DEFAULT_TOP_K } from '../draft.ts';
import type { PlaygroundStore } from '../playground-store.ts';
import { editDraft } from '../playground-store.ts';

/** The number of classes is asked for where the datatype can be classified. */
export function OutputsCard({
  store,
  outputs,
}: {
  readonly store: PlaygroundStore;
  readonly outputs: readonly OutputDraft[];
}) {
  const set = (name: string, changes: Partial<OutputDraft>): void =>
    editDraft(store, (draft) => ({
      ...draft,
      outputs: draft.outputs.map((output) => (output.name === name ? { ...output, ...changes } : output)),
    }));
  return (
    <Card title={t('playground.outputs')}>
      <ul className="flex flex-col gap-1.5">
        {outputs.map(({ name, datatype, isWanted, classification }) => (
          <li key={name} className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
            <Checkbox
              isOn={isWanted}
              onChange={(next) => set(name, { isWanted: next })}
              data-testid={`pg-output-wanted-${name}`}
            >
              <span className="font-mono text-sm text-strong">{name}</span>
            </Checkbox>
            <Badge>{datatype}</Badge>
            {isWanted && canClassify(datatype) && (
              <span className="ml-auto flex items-center gap-2">
                <Checkbox
                  isOn={classification > 0}
                  onChange={(next) => set(name, { classification: next ? DEFAULT_TOP_K : 0 })}
                  data-testid={`pg-classify-${name}`}
                >
                  {t('playground.topK')}
                </Checkbox>
                {classification > 0 && (
                  <NumberInput
                    value={classification}
                    min={1}
                    className="w-20"
                    aria-label={t('playground.topKOf', { name })}
                    data-testid={`pg-top-k-${name}`}
                    onChange={(next) => set(name, { classification: next ?? 1 })}
                  />
                )}
              </span>
            )}
          </li>
        ))}
      </ul>
      {outputs.every(({ isWanted }) => !isWanted) && (
        <p className="mt-2 text-sm text-faint">{t('playground.noneMeansAll')}</p>
      )}
    </Card>
  );
}

/** The server refuses classes of texts and of true or false. */
function canClassify(datatype: string): boolean {
  return datatype !== 'BYTES' && datatype !== 'BOOL';
}
