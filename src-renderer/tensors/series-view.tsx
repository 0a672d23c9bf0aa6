// Values over time as lines, with the values of one step as numbers. Of many lines a few are shown at a time.

import { useMemo, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { t } from '../texts/translate.ts';
import { LINE_ROLES, ROLE_COLORS, ROLE_DASHES } from '../ui/chart-types.ts';
import { Field } from '../ui/field.tsx';
import { NumberInput } from '../ui/number-input.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { extentOf } from './pixels.ts';
import { lineOf, piecesOf, seriesOf } from './series.ts';
import { SlicePicker } from './tensor-table.tsx';
import { useNumbers } from './use-elements.ts';
import { valueText } from './value-text.ts';

/** Of the drawing, in its own units. */
const [WIDTH, HEIGHT] = [600, 200];
const MOST_LINES = LINE_ROLES.length;

/** One slice of the last two dimensions, the longer of which is time. */
export function SeriesView({ output }: { readonly output: PlaygroundOutput }) {
  const { name, shape } = output;
  const plan = useMemo(() => seriesOf(shape), [shape]);
  const { steps, lines, picked } = plan;
  const [positions, setPositions] = useState<readonly number[]>(() => picked.map(() => 0));
  const [first, setFirst] = useState(0);
  const slice = positions.reduce((index, position, axis) => index * (picked[axis] ?? 1) + position, 0);
  const { values, error } = useNumbers(output, slice * steps * lines, steps * lines);
  const drawn = useMemo(
    () =>
      Array.from({ length: Math.min(MOST_LINES, lines - first) }, (_, at) =>
        lineOf(values ?? new Float64Array(), first + at, plan),
      ),
    [values, first, lines, plan],
  );
  if (error !== undefined) return <p className="p-3 text-sm text-bad">{error}</p>;
  return (
    <>
      <SlicePicker picked={picked} positions={positions} onChange={setPositions} />
      <div className="flex flex-col gap-2 p-3">
        {lines > MOST_LINES && (
          <Field label={t('tensor.series.first')} isInline>
            <NumberInput
              value={first}
              min={0}
              max={lines - 1}
              className="w-20"
              aria-label={t('tensor.series.firstOf', { count: lines, shown: MOST_LINES })}
              onChange={(next = 0) => setFirst(next)}
            />
          </Field>
        )}
        {values === undefined ? <Skeleton rows={5} /> : <Lines name={name} lines={drawn} first={first} />}
      </div>
    </>
  );
}

interface LinesProps {
  readonly name: string;
  readonly lines: readonly Float64Array[];
  /** Number of the first line. */
  readonly first: number;
}

function Lines({ name, lines, first }: LinesProps) {
  const last = Math.max(0, (lines[0]?.length ?? 1) - 1);
  const [picked, setStep] = useState(last);
  const step = Math.min(picked, last);
  const extent = useMemo(() => extentOfAll(lines), [lines]);
  return (
    <figure className="flex flex-col gap-1">
      <div className="flex gap-2">
        <div className="flex flex-col justify-between text-right font-mono text-sm text-faint">
          <span>{valueText(extent.max, 3)}</span>
          <span>{valueText(extent.min, 3)}</span>
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t('tensor.series.of', {
            name,
            count: last + 1,
            min: valueText(extent.min, 3),
            max: valueText(extent.max, 3),
          })}
          data-testid={`tensor-series-${name}`}
          className="h-52 min-w-0 flex-1 rounded border border-line bg-sunken"
        >
          {lines.map((line, at) => (
            <Line key={at} line={line} at={at} extent={extent} />
          ))}
          <line
            x1={(step / Math.max(1, last)) * WIDTH}
            x2={(step / Math.max(1, last)) * WIDTH}
            y1={0}
            y2={HEIGHT}
            stroke="var(--text-faint)"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      </div>
      <input
        type="range"
        min={0}
        max={last}
        value={step}
        aria-label={t('tensor.series.step')}
        aria-valuetext={t('tensor.series.stepOf', { step, last })}
        data-testid={`tensor-series-step-${name}`}
        className="w-full accent-c1"
        onChange={({ target }) => setStep(Number(target.value))}
      />
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-soft">
        <span>{t('tensor.series.stepOf', { step, last })}</span>
        {lines.map((line, at) => (
          <span key={at} className="flex items-center gap-1.5" data-testid={`tensor-series-value-${name}`}>
            <svg aria-hidden="true" width={24} height={4}>
              <line x1={0} x2={24} y1={2} y2={2} {...strokeOf(at)} />
            </svg>
            {lines.length > 1 && <span>{first + at}:</span>}
            <span className="font-mono text-strong">{valueText(line[step] ?? Number.NaN)}</span>
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

interface LineProps {
  readonly line: Float64Array;
  readonly at: number;
  readonly extent: { readonly min: number; readonly max: number };
}

function Line({ line, at, extent }: LineProps) {
  const pieces = useMemo(() => piecesOf(line, extent), [line, extent]);
  return pieces.map((places, piece) => (
    <polyline
      key={piece}
      fill="none"
      points={places.map(({ x, y }) => `${x * WIDTH},${y * HEIGHT}`).join(' ')}
      vectorEffect="non-scaling-stroke"
      {...strokeOf(at)}
    />
  ));
}

function strokeOf(at: number) {
  const role = LINE_ROLES[at % MOST_LINES] ?? 'c1';
  return { stroke: ROLE_COLORS[role], strokeDasharray: ROLE_DASHES[role], strokeWidth: 1.5 };
}

/** From the smallest to the largest value, with a little room; around zero where there is none. */
function extentOfAll(lines: readonly Float64Array[]) {
  const found = lines.map(extentOf).filter((one) => one !== undefined);
  const min = Math.min(...found.map((one) => one.min));
  const max = Math.max(...found.map((one) => one.max));
  if (found.length === 0) return { min: 0, max: 1 };
  return min < max ? { min, max } : { min: min - 1, max: max + 1 };
}
