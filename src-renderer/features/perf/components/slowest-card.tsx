// The slowest requests of a level, each with the way to its trace where the run kept them.

import type { PerfLevel } from '../../../../src-shared/contract/perf-views.ts';
import { address } from '../../../lib/address.ts';
import { formatClock, formatMicros } from '../../../lib/format.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';

/** Its traces open in the screen of traces, all those of the level, this one chosen. */
export function SlowestCard({
  level: { slowest },
  runId,
  place,
}: {
  readonly level: PerfLevel;
  readonly runId: string;
  readonly place: number;
}) {
  const hasTraces = slowest.some(({ trace }) => trace !== undefined);
  return (
    <Card title={t('perf.slowest')} testId="perf-slowest">
      <div className="max-h-44 overflow-auto" tabIndex={0} role="region" aria-label={t('perf.slowest')}>
        <SimpleTable
          label={t('perf.slowest')}
          rows={slowest.map((one, index) => ({ ...one, index }))}
          keyOf={({ index }) => String(index)}
          columns={[
            { id: 'at', title: t('chart.time'), cell: ({ atMs }) => formatClock(atMs, true) },
            {
              id: 'latency',
              title: t('perf.latency'),
              align: 'end',
              cell: ({ latencyUs }) => formatMicros(latencyUs),
            },
            ...(hasTraces
              ? [
                  {
                    id: 'trace',
                    title: t('perf.slowest.trace'),
                    cell: ({ trace, index, atMs }: (typeof slowest)[number] & { readonly index: number }) =>
                      trace === undefined ? (
                        '–'
                      ) : (
                        <Button
                          size="sm"
                          data-testid={`perf-trace-${index}`}
                          aria-label={t('perf.slowest.openOf', { time: formatClock(atMs, true) })}
                          onClick={() =>
                            open(
                              address('traces', {
                                query: { run: runId, level: String(place), request: String(index) },
                              }),
                            )
                          }
                        >
                          {t('perf.slowest.open')}
                        </Button>
                      ),
                  },
                ]
              : []),
          ]}
        />
      </div>
      <p className="mt-2 text-sm text-faint">{t(hasTraces ? 'perf.slowest.fit' : 'perf.slowest.noTraces')}</p>
    </Card>
  );
}
