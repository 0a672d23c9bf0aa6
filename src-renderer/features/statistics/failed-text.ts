// How many requests failed, and of what, as far as the server tells. Pure.

import type { StatisticsView } from '../../../src-shared/contract/observe-views.ts';
import { formatCount } from '../../lib/format.ts';
import { t } from '../../texts/translate.ts';

/** A request that was cancelled counts as failed, as on the metrics page, and is no fault of the model. */
export function failedText({ failureCount, cancelledCount, timedOutCount }: StatisticsView): string {
  const known = [
    ['statistics.failed.cancelled', cancelledCount],
    ['statistics.failed.timedOut', timedOutCount],
    ['statistics.failed.other', failureCount - cancelledCount - timedOutCount],
  ] as const;
  const reasons = known
    .filter(([, count]) => count > 0)
    .map(([key, count]) => t(key, { count: formatCount(count) }));
  const count = formatCount(failureCount);
  return cancelledCount + timedOutCount === 0
    ? count
    : t('statistics.counters.failedOf', { count, reasons: reasons.join(', ') });
}
