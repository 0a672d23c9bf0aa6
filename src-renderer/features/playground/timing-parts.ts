// The parts of a request's time as rows of a waterfall. Pure.

import type { PlaygroundResult } from '../../../src-shared/contract/inference-calls.ts';
import type { PlainKey } from '../../texts/translate.ts';
import { t } from '../../texts/translate.ts';

/** One part of a request's time, in milliseconds. */
export interface TimingPart {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  readonly color: string;
  readonly ms: number;
  /** Shares of the whole, 0..1. */
  readonly offset: number;
  readonly share: number;
}

interface Look {
  readonly title: PlainKey;
  readonly help: PlainKey;
  readonly color: string;
}

/** Meaning has its colour everywhere: queue c2, compute c1, the rest c5. */
const LOOKS: Readonly<Record<string, Look>> = {
  send: { title: 'playground.timing.send', help: 'playground.timing.sendHelp', color: 'var(--c4)' },
  queue: { title: 'playground.timing.queue', help: 'playground.timing.queueHelp', color: 'var(--c2)' },
  compute: { title: 'playground.timing.compute', help: 'playground.timing.computeHelp', color: 'var(--c1)' },
  steps: { title: 'playground.timing.ofSteps', help: 'playground.timing.ofStepsHelp', color: 'var(--c1)' },
  server: { title: 'playground.timing.server', help: 'playground.timing.serverHelp', color: 'var(--c5)' },
  receive: { title: 'playground.timing.receive', help: 'playground.timing.receiveHelp', color: 'var(--c3)' },
};

/** One row per part in their order; parts that are not known keep their own name. */
export function timingParts(timing: PlaygroundResult['timing']): readonly TimingPart[] {
  const total = timing.reduce((sum, { ms }) => sum + ms, 0);
  let before = 0;
  return timing.map(({ name, ms }) => {
    const look = LOOKS[name];
    const offset = total === 0 ? 0 : before / total;
    before += ms;
    return {
      name,
      title: look === undefined ? name : t(look.title),
      help: look === undefined ? '' : t(look.help),
      color: look?.color ?? 'var(--c5)',
      ms,
      offset,
      share: total === 0 ? 0 : ms / total,
    };
  });
}
