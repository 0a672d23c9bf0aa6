// How a version stands now, in five numbers of fixed width.

import type { ReactNode } from 'react';
import { useId } from 'react';

import type { ModelSample, StatisticsView } from '../../../../src-shared/contract/observe-views.ts';
import { useSamples } from '../../../engine/engine-context.tsx';
import { formatCount, formatMicros, formatRate } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { failedText } from '../failed-text.ts';

/** The version whose latest second is shown. */
export interface NowStripProps {
  readonly model: string;
  readonly version: string;
  /** The counters since load, for what the failures were; undefined while they are not known. */
  readonly counters: StatisticsView | undefined;
}

/** Rate per second, latency, requests in flight and waiting, failures. */
export function NowStrip({ model, version, counters }: NowStripProps) {
  const id = useId();
  const sample = useSamples(({ perSecond }) => newest(perSecond?.models ?? [], model, version));
  return (
    <div className="flex flex-wrap items-baseline gap-x-4">
      <span id={id} className="text-sm text-soft">
        {t('statistics.now')}
      </span>
      <dl className="flex flex-wrap items-baseline gap-x-4 gap-y-1" aria-labelledby={id}>
        <Figure id="rate" title={t('statistics.now.rate')}>
          {formatRate(sample?.inferPerSecond)}
        </Figure>
        <Figure id="p99" title={t('statistics.latency.p99')}>
          {formatMicros(sample?.p99Us)}
        </Figure>
        <Figure id="inFlight" title={t('statistics.queue.inFlight')}>
          {formatCount(sample?.inFlight)}
        </Figure>
        <Figure id="waiting" title={t('statistics.queue.waiting')}>
          {formatCount(sample?.waiting)}
        </Figure>
        <Figure id="failures" title={t('statistics.now.failures')}>
          {failures(sample, counters)}
        </Figure>
      </dl>
    </div>
  );
}

/** The counters are read less often than the sample: until they have caught up, the number stands alone. */
function failures(sample: ModelSample | undefined, counters: StatisticsView | undefined): string {
  const isSame = counters?.isReset === false && counters.failureCount === sample?.failureCount;
  return isSame ? failedText(counters) : formatCount(sample?.failureCount);
}

function newest(samples: readonly ModelSample[], model: string, version: string): ModelSample | undefined {
  return samples
    .filter((sample) => sample.model === model && (version === '' || sample.version === version))
    .reduce<ModelSample | undefined>(
      (best, sample) => (best === undefined || Number(sample.version) > Number(best.version) ? sample : best),
      undefined,
    );
}

function Figure({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex items-baseline gap-1.5">
      <dt className="text-sm text-faint">{title}</dt>
      <dd data-testid={`statistics-now-${id}`} className="min-w-12 font-semibold text-strong tabular-nums">
        {children}
      </dd>
    </div>
  );
}
