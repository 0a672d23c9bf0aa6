// State of a run as a word with a tone.

import type { PerfRunState } from '../../../../src-shared/contract/perf-views.ts';
import { t } from '../../../texts/translate.ts';
import type { Tone } from '../../../ui/badge.tsx';
import { Badge } from '../../../ui/badge.tsx';

const TONES: Readonly<Record<PerfRunState, Tone>> = {
  queued: 'neutral',
  running: 'info',
  done: 'good',
  stopped: 'neutral',
  interrupted: 'warn',
  failed: 'bad',
};

/** A run whose numbers did not settle is not simply done. */
export function RunStateBadge({
  state,
  levelCount = 0,
  unstableCount = 0,
}: {
  readonly state: PerfRunState;
  readonly levelCount?: number;
  readonly unstableCount?: number;
}) {
  if (state === 'done' && unstableCount > 0) {
    const text =
      unstableCount === levelCount
        ? t('perf.state.unstable')
        : t('perf.state.partlyUnstable', { unstable: unstableCount, count: levelCount });
    return <Badge tone="warn">{text}</Badge>;
  }
  return <Badge tone={TONES[state]}>{t(`perf.state.${state}`)}</Badge>;
}
