// The parts of one request one behind the other, as bars over its whole time and as numbers.

import { formatMicros, formatPercent } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { cx } from '../../../ui/cx.ts';
import type { PartName, TracePart, UsualParts } from '../trace-parts.ts';

interface WaterfallProps {
  readonly parts: readonly TracePart[];
  /** Monotonic nanoseconds at which the bars begin. */
  readonly startNs: number;
  readonly totalNs: number;
  readonly usual: UsualParts;
}

/** Queue and compute have the colours that they have in every chart. */
const COLOURS: Readonly<Record<PartName, string>> = {
  receive: 'bg-c5',
  parse: 'bg-c4',
  queue: 'bg-c2',
  input: 'bg-c3',
  infer: 'bg-c1',
  output: 'bg-c3',
  steps: 'bg-c1',
  answer: 'bg-c4',
  send: 'bg-c5',
};

/** A table, since its numbers are what is read. */
export function Waterfall({ parts, startNs, totalNs, usual }: WaterfallProps) {
  const hasUsual = usual.count > 1;
  return (
    <table
      className="w-full border-collapse"
      aria-label={t('traces.waterfall')}
      data-testid="trace-waterfall"
    >
      <thead>
        <tr className="text-left text-sm text-faint">
          <th scope="col" className="w-20 py-1 font-medium">
            {t('traces.part')}
          </th>
          <th aria-hidden="true" />
          <NumberHead text={t('traces.part.time')} />
          <NumberHead text={t('traces.part.share')} />
          {hasUsual && <NumberHead text={t('traces.part.usual')} />}
        </tr>
      </thead>
      <tbody>
        {parts.map(({ name, startNs: from, endNs: to }) => (
          <tr key={name} data-testid={`trace-part-${name}`} data-ns={to - from}>
            <th scope="row" className="py-0.5 text-left font-normal text-soft">
              {t(`traces.part.${name}`)}
            </th>
            <td aria-hidden="true" className="min-w-16 px-2">
              <Bar
                from={share(from - startNs, totalNs)}
                width={share(to - from, totalNs)}
                colour={COLOURS[name]}
              />
            </td>
            <Number text={formatMicros((to - from) / 1000)} isStrong />
            <Number text={formatPercent(share(to - from, totalNs))} />
            {hasUsual && <Number text={micros(usual.parts.get(name))} />}
          </tr>
        ))}
        <tr className="border-t border-line" data-testid="trace-part-total" data-ns={totalNs}>
          <th scope="row" className="py-1 text-left font-medium text-strong">
            {t('traces.part.total')}
          </th>
          <td aria-hidden="true" />
          <Number text={formatMicros(totalNs / 1000)} isStrong />
          <Number text="" />
          {hasUsual && <Number text={micros(usual.totalNs)} />}
        </tr>
      </tbody>
    </table>
  );
}

/** A bar over a track; both are shares of its width. */
export function Bar({
  from,
  width,
  colour,
}: {
  readonly from: number;
  readonly width: number;
  readonly colour: string;
}) {
  return (
    <div className="relative h-2.5 rounded-sm bg-sunken forced-color-adjust-none">
      <div
        className={cx('absolute inset-y-0 min-w-0.5 rounded-sm', colour)}
        style={{ left: `${Math.min(99, from * 100)}%`, width: `${width * 100}%` }}
      />
    </div>
  );
}

function NumberHead({ text }: { readonly text: string }) {
  return (
    <th scope="col" className="w-16 px-1 text-right font-medium whitespace-nowrap">
      {text}
    </th>
  );
}

function Number({ text, isStrong = false }: { readonly text: string; readonly isStrong?: boolean }) {
  return (
    <td className={cx('px-1 text-right whitespace-nowrap', isStrong ? 'text-strong' : 'text-faint')}>
      {text}
    </td>
  );
}

function share(ns: number, totalNs: number): number {
  return totalNs === 0 ? 0 : Math.min(1, Math.max(0, ns / totalNs));
}

function micros(ns: number | undefined): string {
  return formatMicros(ns === undefined ? undefined : ns / 1000);
}
