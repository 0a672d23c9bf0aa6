// The values of a vector as a sorted list with bars: the best five first, more on demand, with the names of classes
// where there are any. Logits get the share that softmax makes of them beside the value.

import { useMemo, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { formatCount, formatPercent } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { NumberInput } from '../ui/number-input.tsx';
import { Select } from '../ui/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { KnownLabels, NameSource } from './class-names.ts';
import { useNameList } from './class-names.ts';
import { NameChoice } from './name-choice.tsx';
import { looksLikeClasses, MOST_RANKED, namesFor, SHORTEST_VOCABULARY, vectorsOf } from './output-kind.ts';
import type { RankOrder } from './ranking.ts';
import { barOf, meaningOf, ranked, softmax } from './ranking.ts';
import { useNumbers } from './use-elements.ts';
import { valueText } from './value-text.ts';

const FIRST_SHOWN = 5;
const MORE = 20;
const ORDERS: readonly RankOrder[] = ['largest', 'smallest', 'index'];

/** A vector, or a batch of them, and the names of its elements. */
export interface RankedViewProps {
  readonly output: PlaygroundOutput;
  readonly known: KnownLabels;
}

/** Of a batch one item is shown at a time. */
export function RankedView({ output, known: { labels, step } }: RankedViewProps) {
  const { length, count } = vectorsOf(output.shape);
  // What a language model says comes next stands behind its last token.
  const [item, setItem] = useState(length > SHORTEST_VOCABULARY ? count - 1 : 0);
  const [order, setOrder] = useState<RankOrder>('largest');
  const inside = step?.labels.length === length ? step : undefined;
  const guessed = inside !== undefined ? 'step' : looksLikeClasses(output) ? namesFor(length) : undefined;
  const [chosen, setChosen] = useState<NameSource>();
  const source: NameSource = chosen ?? (labels.length > 0 ? 'model' : (guessed ?? 'none'));
  const list = useNameList(source === 'imagenet' || source === 'coco' ? source : undefined, length);
  const names = source === 'model' ? labels : source === 'step' ? (inside?.labels ?? []) : list;
  const read = Math.min(length, MOST_RANKED);
  const { values, error } = useNumbers(output, item * length, read);
  return (
    <div className="flex flex-col gap-2 p-3">
      <div className="flex flex-wrap items-center gap-2">
        {count > 1 && (
          <Field label={t('tensor.item')} isInline>
            <NumberInput
              value={item}
              min={0}
              max={count - 1}
              className="w-20"
              aria-label={t('tensor.itemOf', { count })}
              onChange={(next = 0) => setItem(next)}
            />
          </Field>
        )}
        <Select
          aria-label={t('tensor.order')}
          value={order}
          options={ORDERS.map((value) => ({ value, label: t(`tensor.order.${value}`) }))}
          onChange={setOrder}
        />
        <NameChoice
          source={source}
          hasLabels={labels.length > 0}
          step={inside}
          lists={[namesFor(length)]}
          onChange={setChosen}
        />
      </div>
      {source === guessed && source !== 'step' && chosen === undefined && (
        <p className="text-sm text-faint">{t('tensor.names.guessed', { count: length })}</p>
      )}
      {error !== undefined && <p className="text-sm text-bad">{error}</p>}
      {values === undefined ? (
        <Skeleton rows={FIRST_SHOWN} />
      ) : (
        <Ranking
          key={order}
          values={values}
          order={order}
          names={names}
          name={output.name}
          isWhole={isWhole(output)}
        />
      )}
    </div>
  );
}

interface RankingProps {
  readonly values: Float64Array;
  readonly order: RankOrder;
  readonly names: readonly string[];
  readonly name: string;
  /** Whole numbers, which are no logits. */
  readonly isWhole: boolean;
}

function isWhole({ datatype }: PlaygroundOutput): boolean {
  return /INT/.test(datatype);
}

function Ranking({ values, order, names, name, isWhole: isCounted }: RankingProps) {
  const [shown, setShown] = useState(FIRST_SHOWN);
  const indices = useMemo(() => ranked(values, order), [values, order]);
  const meaning = useMemo(() => meaningOf(values), [values]);
  const shares = useMemo(
    () => (meaning === 'logits' && names.length > 0 && !isCounted ? softmax(values) : undefined),
    [meaning, names, values, isCounted],
  );
  const { min, max } = useMemo(() => range(values), [values]);
  const equality = equalityOf(values);
  return (
    <>
      {equality !== undefined && (
        <p className="text-strong" data-testid="tensor-equal">
          {t(equality, { count: formatCount(values.length), value: valueText(min) })}
        </p>
      )}
      <ol
        className="grid grid-cols-[fit-content(60%)_minmax(4rem,1fr)_auto_auto] gap-x-3 gap-y-1"
        aria-label={t('playground.valuesOf', { name })}
      >
        {indices.slice(0, shown).map((index) => {
          const value = values[index] ?? Number.NaN;
          const share = meaning === 'shares' ? value : shares?.[index];
          const bar = share === undefined ? barOf(value, min, max) : barOf(share, 0, 1);
          return (
            <RankedRow
              key={index}
              label={names[index] ?? ''}
              index={index}
              value={value}
              share={share}
              from={bar.from}
              to={bar.to}
            />
          );
        })}
      </ol>
      {shares !== undefined && <p className="text-sm text-faint">{t('tensor.softmax')}</p>}
      {shown < indices.length && (
        <div className="flex items-center gap-2 text-sm text-faint">
          <Button
            size="sm"
            worksOffline
            data-testid="tensor-more"
            onClick={() => setShown((before) => before + MORE)}
          >
            {t('tensor.more')}
          </Button>
          {t('tensor.shownOf', { shown: formatCount(shown), count: formatCount(indices.length) })}
        </div>
      )}
    </>
  );
}

/** What to say of values that are one, or that are told apart by no digit that is shown; undefined = they differ. */
function equalityOf(values: Float64Array): 'tensor.allEqual' | 'tensor.nearlyEqual' | undefined {
  const [first] = values;
  if (first === undefined || values.length < 2 || !values.every(Number.isFinite)) return undefined;
  if (values.every((value) => value === first)) return 'tensor.allEqual';
  const { min, max } = range(values);
  return valueText(min) === valueText(max) ? 'tensor.nearlyEqual' : undefined;
}

function range(values: Float64Array): { readonly min: number; readonly max: number } {
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return { min, max };
}

interface RankedRowProps {
  readonly label: string;
  readonly index: number;
  readonly value: number;
  readonly share: number | undefined;
  /** 0..1 */
  readonly from: number;
  readonly to: number;
}

function RankedRow({ label, index, value, share, from, to }: RankedRowProps) {
  return (
    <li data-testid="pg-class" className="col-span-4 grid grid-cols-subgrid items-center">
      <span className="truncate text-strong" title={label}>
        {label === '' ? <span className="font-mono text-sm text-soft">[{index}]</span> : label}
        {label !== '' && <span className="ml-1.5 font-mono text-sm text-faint">[{index}]</span>}
      </span>
      <span
        className="relative h-2 overflow-hidden rounded-full bg-hover forced-color-adjust-none"
        aria-hidden="true"
      >
        <span
          className="absolute h-full rounded-full bg-c1"
          style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
        />
      </span>
      <span className="text-right font-mono text-sm text-strong">{valueText(value)}</span>
      <span className="text-right text-sm text-soft">
        {share === undefined ? '' : formatPercent(share, 1)}
      </span>
    </li>
  );
}
