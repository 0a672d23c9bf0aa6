// Numbers since load, or since the view was reset: counters, what the queue refused, the cache, batches by size, why
// batches closed. Resetting changes what this window shows and nothing else.

import { RotateCcw, Undo2 } from 'lucide-react';

import type { StatisticsView } from '../../../../src-shared/contract/observe-views.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { formatClock, formatCount, formatMicros, formatPercent } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, Facts } from '../../../ui/card.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { failedText } from '../failed-text.ts';
import { resetKey, setViewReset } from '../view-resets.ts';

type FactRow = readonly [label: string, value: string];

/** `maxQueueSize` is in requests, 0 = without a limit. */
export interface CountersProps {
  readonly name: string;
  readonly version: string;
  readonly view: StatisticsView;
  readonly maxQueueSize: number;
  readonly hasCache: boolean;
}

/** Draws the view that it is given; resetting is asked of the engine. */
export function Counters({ name, version, view, maxQueueSize, hasCache }: CountersProps) {
  const since = formatClock(view.sinceMs);
  return (
    <div className="grid grid-cols-1 items-start gap-3 min-[900px]:grid-cols-2">
      <Card
        title={t(view.isReset ? 'statistics.counters.sinceReset' : 'statistics.counters.sinceLoad', {
          since,
        })}
        testId="statistics-counters"
        actions={<ResetView name={name} version={version} isReset={view.isReset} />}
      >
        <Facts items={counterFacts(view)} />
      </Card>
      <div className="flex flex-col gap-3">
        <Card title={t('statistics.policy')} testId="statistics-policy">
          <Facts items={policyFacts(view, maxQueueSize)} />
        </Card>
        {hasCache && (
          <Card title={t('statistics.cache')} testId="statistics-cache-numbers">
            <Facts items={cacheFacts(view)} />
          </Card>
        )}
        <CloseReasons reasons={view.closeReasons} />
      </div>
    </div>
  );
}

function ResetView({
  name,
  version,
  isReset,
}: {
  readonly name: string;
  readonly version: string;
  readonly isReset: boolean;
}) {
  const client = useClient();
  const key = resetKey(name, version);
  const reset = useAction(async () => {
    const { resetId } = await client.call('observe/resetView', { model: name, version });
    setViewReset(key, resetId);
  });
  return (
    <>
      {isReset && (
        <Button
          size="sm"
          icon={Undo2}
          data-testid="statistics-reset-undo"
          onClick={() => setViewReset(key, undefined)}
        >
          {t('statistics.reset.undo')}
        </Button>
      )}
      <Button
        size="sm"
        icon={RotateCcw}
        isBusy={reset.isRunning}
        title={t('statistics.reset.help')}
        data-testid="statistics-reset"
        onClick={() => reset.run()}
      >
        {t('statistics.reset')}
      </Button>
    </>
  );
}

function CloseReasons({ reasons }: { readonly reasons: StatisticsView['closeReasons'] }) {
  const total = reasons.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card title={t('statistics.reasons')} testId="statistics-reasons">
      {reasons.length === 0 ? (
        <p className="text-soft">{t('statistics.reasons.none')}</p>
      ) : (
        <SimpleTable
          label={t('statistics.reasons')}
          rows={reasons}
          keyOf={({ reason }) => reason}
          columns={[
            { id: 'reason', title: t('statistics.reasons.reason'), cell: ({ reason }) => reasonText(reason) },
            {
              id: 'count',
              title: t('statistics.batches.count'),
              align: 'end',
              cell: ({ count }) => formatCount(count),
            },
            {
              id: 'share',
              title: t('statistics.reasons.share'),
              align: 'end',
              cell: ({ count }) => formatPercent(count / total),
            },
          ]}
        />
      )}
    </Card>
  );
}

const REASONS = [
  'full',
  'preferred',
  'delay',
  'idle',
  'shape',
  'priority',
  'custom',
  'sequence',
  'direct',
] as const;

function reasonText(reason: string): string {
  const known = REASONS.find((one) => one === reason);
  return known === undefined ? reason : t(`statistics.reason.${known}`);
}

function counterFacts(view: StatisticsView): readonly FactRow[] {
  const { percentilesUs: us, meanUs, successCount, executionCount } = view;
  const mean = (value: number): string => formatMicros(successCount === 0 ? undefined : value);
  return [
    [t('statistics.counters.requests'), formatCount(successCount)],
    [t('statistics.counters.inferences'), formatCount(view.inferenceCount)],
    [t('statistics.counters.executions'), formatCount(executionCount)],
    [t('statistics.counters.failed'), failedText(view)],
    [t('statistics.counters.mean'), mean(meanUs.request)],
    [
      t('statistics.counters.parts'),
      [meanUs.queue, meanUs.input, meanUs.infer, meanUs.output].map(mean).join(' / '),
    ],
    [
      t('statistics.counters.percentiles'),
      [us?.p50, us?.p90, us?.p99, us?.max].map(formatMicros).join(' / '),
    ],
  ];
}

function policyFacts(view: StatisticsView, maxQueueSize: number): readonly FactRow[] {
  return [
    [t('statistics.policy.rejected'), formatCount(view.queueFullCount)],
    [t('statistics.policy.timedOut'), formatCount(view.timedOutCount)],
    [
      t('statistics.policy.limit'),
      maxQueueSize === 0 ? t('statistics.policy.noLimit') : formatCount(maxQueueSize),
    ],
  ];
}

function cacheFacts({ cacheHitCount, cacheMissCount }: StatisticsView): readonly FactRow[] {
  const lookups = cacheHitCount + cacheMissCount;
  return [
    [t('statistics.cache.hitCount'), formatCount(cacheHitCount)],
    [t('statistics.cache.missCount'), formatCount(cacheMissCount)],
    [t('statistics.cache.hits'), formatPercent(lookups === 0 ? undefined : cacheHitCount / lookups)],
  ];
}
