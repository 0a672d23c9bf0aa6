// Where the time of one request went, as a waterfall, and the batch it ran in.

import type { PlaygroundResult } from '../../../../src-shared/contract/inference-calls.ts';
import { useModel } from '../../../engine/engine-context.tsx';
import { formatMillis, formatPercent } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Card } from '../../../ui/card.tsx';
import type { Outcome } from '../playground-store.ts';
import { timingParts } from '../timing-parts.ts';

export function TimingTab({
  outcome,
  result,
}: {
  readonly outcome: Outcome;
  readonly result: PlaygroundResult;
}) {
  const parts = timingParts(result.timing);
  const isEnsemble = useModel(outcome.request.model)?.isEnsemble === true;
  return (
    <Card title={t('playground.timing.title', { total: formatMillis(result.totalMs) })} testId="pg-timing">
      <table className="w-full">
        <thead className="sr-only">
          <tr>
            <th scope="col">{t('playground.timing.part')}</th>
            <th scope="col">{t('playground.timing.bar')}</th>
            <th scope="col">{t('playground.timing.time')}</th>
            <th scope="col">{t('playground.timing.share')}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ name, title, help, color, offset, share, ms }) => (
            <tr key={name} data-testid={`pg-timing-${name}`} data-ms={ms} title={help}>
              <th scope="row" className="w-28 py-1 pr-3 text-left font-normal whitespace-nowrap text-soft">
                {title}
              </th>
              <td className="py-1">
                <span className="relative block h-3 rounded bg-sunken" aria-hidden="true">
                  <span
                    className="absolute inset-y-0 rounded"
                    style={{
                      left: `${offset * 100}%`,
                      width: `max(2px, ${share * 100}%)`,
                      background: color,
                    }}
                  />
                </span>
              </td>
              <td className="w-20 py-1 pl-3 text-right text-strong">{formatMillis(ms)}</td>
              <td className="w-14 py-1 pl-3 text-right text-faint">{formatPercent(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3 text-soft" data-testid="pg-timing-batch">
        {result.batchSize !== undefined
          ? t('playground.timing.batch', { size: result.batchSize })
          : t(isEnsemble ? 'playground.timing.ensemble' : 'playground.timing.noBatch')}
      </p>
      {outcome.repeat !== undefined && (
        <p className="mt-1 text-sm text-faint">{t('playground.timing.ofLast')}</p>
      )}
    </Card>
  );
}
