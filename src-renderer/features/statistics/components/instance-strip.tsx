// One cell per instance with the share of the latest second it was busy: the fuller the cell, the busier.

import type { StatisticsView } from '../../../../src-shared/contract/observe-views.ts';
import { formatCount, formatPercent } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Card } from '../../../ui/card.tsx';

const MAX_CELLS = 16;

/** Instances beyond the room that there is are counted. */
export function InstanceStrip({ instances }: { readonly instances: StatisticsView['instances'] }) {
  const cells = instances.slice(0, MAX_CELLS);
  const more = instances.length - cells.length;
  return (
    <Card title={t('statistics.instances')} testId="statistics-instances">
      {cells.length === 0 ? (
        <p className="text-soft">{t('statistics.instances.none')}</p>
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-2">
          {cells.map((instance) => (
            <li
              key={instance.name}
              data-testid={`instance-${instance.name}`}
              data-busy={instance.busy}
              className="relative overflow-hidden rounded-md border border-line px-2 py-1.5"
            >
              <span
                aria-hidden="true"
                className="absolute inset-y-0 left-0 border-r-2 border-c1 bg-c1/20"
                style={{ width: `${instance.busy * 100}%` }}
              />
              <span className="relative flex items-baseline justify-between gap-2">
                <span className="truncate font-mono text-sm text-strong" title={instance.name}>
                  {instance.name}
                </span>
                <span className="font-semibold text-strong tabular-nums">{formatPercent(instance.busy)}</span>
              </span>
              <span className="relative flex justify-between gap-2 text-sm text-soft">
                <span>{instance.device}</span>
                <span>
                  {t('statistics.instances.executions', { count: formatCount(instance.executionCount) })}
                </span>
              </span>
            </li>
          ))}
          {more > 0 && (
            <li className="self-center text-soft">{t('statistics.instances.more', { count: more })}</li>
          )}
        </ul>
      )}
    </Card>
  );
}
