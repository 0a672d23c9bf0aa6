// The scheduling of a model as one sentence that a newcomer understands.

import { formatMicros } from '../../lib/format.ts';
import { t } from '../../texts/translate.ts';
import type { ServedConfig } from './served-config.ts';

/** One or two sentences; `instanceCount` 0 = instances are not told. */
export function schedulingSentence(config: ServedConfig, instanceCount: number): string {
  if (config.scheduler === 'ensemble') return t('model.sched.ensemble', { count: config.stepCount });
  const how = queueing(config);
  return instanceCount === 0 ? how : `${how} ${t('model.sched.instances', { count: instanceCount })}`;
}

function queueing({ scheduler, maxBatchSize, queueDelayUs }: ServedConfig): string {
  if (scheduler === 'sequence') return t('model.sched.sequence');
  if (maxBatchSize <= 0) return t('model.sched.none');
  if (scheduler === 'none') return t('model.sched.noBatching', { max: maxBatchSize });
  if (queueDelayUs <= 0) return t('model.sched.dynamicNow', { max: maxBatchSize });
  return t('model.sched.dynamicDelay', { delay: formatMicros(queueDelayUs), max: maxBatchSize });
}
