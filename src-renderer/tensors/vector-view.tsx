// An embedding: its values as a strip, its length, and how near it is to the one that came before it.

import { useMemo, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { t } from '../texts/translate.ts';
import { Facts } from '../ui/card.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { AnswerSource } from './class-names.ts';
import { vectorsOf } from './output-kind.ts';
import { Picture } from './picture-view.tsx';
import { cosine, norm } from './ranking.ts';
import { SlicePicker } from './tensor-table.tsx';
import { useNumbers } from './use-elements.ts';
import { valueText } from './value-text.ts';

interface Seen {
  readonly blob: string;
  readonly values: Float64Array;
}

/** The last two vectors of each output that were looked at. */
const seen = new Map<string, readonly Seen[]>();

/** Remembers the vector; returns the one of the answer before it. */
function vectorBefore(key: string, now: Seen): Float64Array | undefined {
  const known = seen.get(key) ?? [];
  if (known[0]?.blob !== now.blob) seen.set(key, [now, ...known.slice(0, 1)]);
  return seen.get(key)?.[1]?.values;
}

/** Nearness is the cosine of the angle between the two, -1 to 1. */
export function VectorView({
  output,
  source,
}: {
  readonly output: PlaygroundOutput;
  readonly source: AnswerSource | undefined;
}) {
  const { length, count } = vectorsOf(output.shape);
  const [item, setItem] = useState(0);
  const { values, error } = useNumbers(output, item * length, length);
  const model = source?.model ?? '';
  const { name, blob } = output;
  const before = useMemo(
    () =>
      values === undefined || model === ''
        ? undefined
        : vectorBefore(`${model} ${name} ${item}`, { blob, values }),
    [values, model, name, item, blob],
  );
  const likeness = values === undefined || before === undefined ? undefined : cosine(values, before);
  return (
    <>
      <SlicePicker picked={[count]} positions={[item]} onChange={([next = 0]) => setItem(next)} />
      <div className="flex flex-col gap-3 p-3">
        {error !== undefined && <p className="text-sm text-bad">{error}</p>}
        {values === undefined ? (
          <Skeleton rows={2} />
        ) : (
          <>
            <Picture
              values={values}
              layout={{ width: length, height: 1, channels: 1, order: 'NCHW' }}
              isHeat
              name={output.name}
            />
            <Facts
              items={[
                [t('tensor.vector.length'), String(length)],
                [t('tensor.vector.norm'), valueText(norm(values), 3)],
                // What was sent, or went from step to step, is no answer.
                ...(source === undefined
                  ? []
                  : [
                      [
                        t('tensor.vector.cosine'),
                        likeness === undefined ? t('tensor.vector.noOther') : likeness.toFixed(4),
                      ] as const,
                    ]),
              ]}
            />
          </>
        )}
      </div>
    </>
  );
}
