// The best class of each step with its score, in their order, and the text that they are where one class means "nothing
// new". Of a batch one item is shown at a time.

import { useMemo, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { formatCount, formatPercent } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Step } from './best-steps.ts';
import { bestSteps, blankOf, collapsed } from './best-steps.ts';
import type { KnownLabels } from './class-names.ts';
import { sequencesOf } from './output-kind.ts';
import { SlicePicker } from './tensor-table.tsx';
import { useNumbers } from './use-elements.ts';
import { valueText } from './value-text.ts';

const FIRST_SHOWN = 25;
const MORE = 100;
type Blank = 'none' | 'first' | 'last';
const BLANKS: readonly Blank[] = ['none', 'first', 'last'];

/** For outputs with a score of every class at every step. */
export function StepsView({
  output,
  known: { labels: own, step },
}: {
  readonly output: PlaygroundOutput;
  readonly known: KnownLabels;
}) {
  const { length, count, items } = sequencesOf(output.shape);
  const [item, setItem] = useState(0);
  const [shown, setShown] = useState(FIRST_SHOWN);
  const [chosen, setChosen] = useState<Blank>();
  const { values, error } = useNumbers(output, item * count * length, count * length);
  const steps = useMemo(() => values && bestSteps(values, length), [values, length]);
  const labels = own.length > 0 ? own : step?.labels.length === length ? step.labels : own;
  const known = blankOf(labels);
  const blank = chosen ?? (known === undefined ? 'none' : known === 0 ? 'first' : 'last');
  if (error !== undefined) return <p className="p-3 text-sm text-bad">{error}</p>;
  if (steps === undefined) return <Skeleton rows={5} />;
  return (
    <>
      <SlicePicker picked={[items]} positions={[item]} onChange={([next = 0]) => setItem(next)} />
      <div className="flex flex-col gap-2 p-3">
        <Select
          aria-label={t('tensor.steps.blank')}
          data-testid={`tensor-blank-${output.name}`}
          className="self-start"
          value={blank}
          options={BLANKS.map((value) => ({ value, label: t(`tensor.steps.${value}`) }))}
          onChange={setChosen}
        />
        {blank !== 'none' && (
          <p
            className="text-lg break-words whitespace-pre-wrap text-strong select-text"
            data-testid={`tensor-collapsed-${output.name}`}
          >
            {collapsed(steps, blank === 'first' ? 0 : length - 1, labels) || t('tensor.steps.nothing')}
          </p>
        )}
        <ol
          className="grid grid-cols-[auto_fit-content(60%)_minmax(4rem,1fr)_auto] gap-x-3 gap-y-1"
          aria-label={t('tensor.steps.of', { name: output.name })}
        >
          {steps.slice(0, shown).map((one, at) => (
            <StepRow key={at} at={at} step={one} label={labels[one.index] ?? ''} />
          ))}
        </ol>
        {shown < steps.length && (
          <div className="flex items-center gap-2 text-sm text-faint">
            <Button size="sm" worksOffline onClick={() => setShown((before) => before + MORE)}>
              {t('tensor.more')}
            </Button>
            {t('tensor.shownOf', { shown: formatCount(shown), count: formatCount(steps.length) })}
          </div>
        )}
      </div>
    </>
  );
}

function StepRow({
  at,
  step: { index, value, share },
  label,
}: {
  readonly at: number;
  readonly step: Step;
  readonly label: string;
}) {
  return (
    <li data-testid="tensor-step" className="col-span-4 grid grid-cols-subgrid items-center">
      <span className="text-right font-mono text-sm text-faint">{at}</span>
      <span className="truncate text-strong" title={label}>
        {label}
        <span className="ml-1.5 font-mono text-sm text-faint">[{index}]</span>
      </span>
      <span
        aria-hidden="true"
        className="relative h-2 overflow-hidden rounded-full bg-hover forced-color-adjust-none"
      >
        <span
          className="absolute left-0 h-full rounded-full bg-c1"
          style={{ width: `${(share ?? 0) * 100}%` }}
        />
      </span>
      <span className="text-right font-mono text-sm text-soft">
        {share === undefined ? valueText(value) : formatPercent(share, 1)}
      </span>
    </li>
  );
}
