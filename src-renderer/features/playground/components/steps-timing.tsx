// How long the steps of an ensemble took, in the order of its plan: means over the requests that the engine remembers.

import type { EnsembleActivity } from '../../../../src-shared/contract/graph-calls.ts';
import { useCall } from '../../../engine/use-call.ts';
import { formatMicros } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Card } from '../../../ui/card.tsx';
import type { TimingRow } from './timing-rows.tsx';
import { TimingRows } from './timing-rows.tsx';

/** Asks once for each `outcome`; nothing is drawn before a step has run. */
export function StepsTiming({ model, outcome }: { readonly model: string; readonly outcome: number }) {
  const activity = useCall('graph/ensemble', { model }, outcome).data;
  if (activity === undefined || activity.steps.length === 0) return null;
  return (
    <Card
      title={t('playground.timing.steps', {
        count: activity.runCount,
        total: formatMicros(known(activity.meanUs)),
      })}
      className="mt-3"
      testId="pg-timing-steps"
    >
      <TimingRows rows={stepRows(activity)} />
      <p className="mt-3 text-sm text-faint">{t('playground.timing.stepsHelp')}</p>
    </Card>
  );
}

function stepRows({ steps, meanUs }: EnsembleActivity): readonly TimingRow[] {
  return steps.map((step) => {
    const ownUs = known(step.meanUs);
    return {
      id: `step-${step.stepIndex}`,
      title: t('graph.step.title', { step: step.stepIndex + 1, model: step.model }),
      help: t('graph.step.timingOf', { count: step.runCount }),
      color: 'var(--c1)',
      ms: ownUs === undefined ? undefined : ownUs / 1000,
      offset: 0,
      share: ownUs === undefined || meanUs === 0 ? undefined : Math.min(1, ownUs / meanUs),
    };
  });
}

/** The engine says 0 for the mean of nothing: no run of it succeeded. */
function known(us: number): number | undefined {
  return us === 0 ? undefined : us;
}
