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

export function RunStateBadge({ state }: { readonly state: PerfRunState }) {
  return <Badge tone={TONES[state]}>{t(`perf.state.${state}`)}</Badge>;
}
