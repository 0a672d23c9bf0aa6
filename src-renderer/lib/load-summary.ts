// How long the parts of a load took, as one line: "session 1.3 s, warmup 0.4 s". Pure.

import type { LoadTimings } from '../../src-shared/contract/model-view.ts';
import { t } from '../texts/translate.ts';
import { formatMillis } from './format.ts';
import { grownBy } from './memory-growth.ts';

const PARTS = [
  { text: 'load.config', of: /config/ },
  { text: 'load.session', of: /^(?:instance|session)/ },
  { text: 'load.warmup', of: /^warmup/ },
] as const;

/** Parts below this share of the whole say nothing. */
const SMALLEST_SHARE = 0.05;

/** "Loaded in 1.8 s (session 1.3 s, warmup 0.4 s), +212 MB" */
export function loadSummary(timings: LoadTimings): string {
  const { totalMs, phases } = timings;
  const parts = PARTS.map(({ text, of }) => ({
    text,
    ms: phases.reduce((total, phase) => total + (of.test(phase.text) ? phase.ms : 0), 0),
  }))
    .filter(({ ms }) => ms > 0 && ms >= totalMs * SMALLEST_SHARE)
    .map(({ text, ms }) => `${t(text)} ${formatMillis(ms)}`);
  return t('load.summary', {
    time: formatMillis(totalMs),
    parts: parts.length === 0 ? '' : ` (${parts.join(', ')})`,
    memory: grownBy(timings),
  });
}
