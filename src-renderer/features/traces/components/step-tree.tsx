// What was run for a request, each step over the time of the whole; those that the request waited for are marked.

import { formatMicros } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { rangeOf } from '../trace-parts.ts';
import type { TraceStep } from '../trace-steps.ts';
import { choose } from '../trace-store.ts';
import { Bar } from './waterfall.tsx';

interface StepTreeProps {
  readonly steps: readonly TraceStep[];
  /** Of the request; monotonic nanoseconds. */
  readonly startNs: number;
  readonly endNs: number;
}

/** A step leads to its own waterfall. */
export function StepTree({ steps, startNs, endNs }: StepTreeProps) {
  const lengthNs = Math.max(1, endNs - startNs);
  return (
    <>
      <ul data-testid="trace-steps" className="flex flex-col gap-1.5">
        {steps.map(({ row, depth, isCritical }) => {
          const [from, to] = rangeOf(row) ?? [startNs, startNs];
          return (
            <li
              key={row.id}
              data-testid={`trace-step-${row.model}`}
              data-critical={isCritical}
              style={{ paddingLeft: `${(depth - 1) * 0.75}rem` }}
            >
              <div className="flex flex-wrap items-center gap-x-2">
                <button
                  type="button"
                  className="min-w-0 truncate text-left text-accent hover:underline"
                  onClick={() => choose({ kind: 'request', id: row.id })}
                >
                  {row.model}
                </button>
                {isCritical && <Badge tone="warn">{t('traces.steps.critical')}</Badge>}
                {row.isFailed && <Badge tone="bad">{t('traces.failed')}</Badge>}
                <span className="ml-auto text-strong">{formatMicros((to - from) / 1000)}</span>
              </div>
              <div aria-hidden="true" className="mt-1">
                <Bar
                  from={(from - startNs) / lengthNs}
                  width={(to - from) / lengthNs}
                  colour={isCritical ? 'bg-c1' : 'bg-c5'}
                />
              </div>
            </li>
          );
        })}
      </ul>
      <p className="mt-2 text-sm text-faint">{t('traces.steps.help')}</p>
    </>
  );
}
