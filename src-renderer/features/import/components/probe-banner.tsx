// The verdict of a batch probe in one line.

import type { BatchProbeResult } from '../../../../src-shared/contract/config-calls.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';

const TONES = { safe: 'good', unsafe: 'bad', 'cannot-run': 'neutral' } as const;

/** `maxDifference` of the result is between two answers that should be the same. */
export function ProbeBanner({
  result: { verdict, message, maxDifference },
  testId,
}: {
  readonly result: BatchProbeResult;
  readonly testId: string;
}) {
  const text = {
    safe: t('wizard.probe.safe', { difference: maxDifference === 0 ? '0' : maxDifference.toExponential(1) }),
    unsafe: t('wizard.probe.unsafe', { message }),
    'cannot-run': t('wizard.probe.cannotRun', { message }),
  };
  return (
    <Banner tone={TONES[verdict]} testId={testId}>
      {text[verdict]}
    </Banner>
  );
}
