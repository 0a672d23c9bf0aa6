// Whether rows of a batch leave each other alone: runs by itself for small files, on a button for large ones. Where
// only a first dimension of 1 is in the way, a copy that declares it as dynamic can be tried.

import { FlaskConical } from 'lucide-react';
import { useState } from 'react';

import { useCall } from '../../../engine/use-call.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import type { Wizard } from '../use-wizard.ts';
import { DynamicCopy } from './dynamic-copy.tsx';
import { ProbeBanner } from './probe-banner.tsx';

const RUNS_ITSELF_BELOW_BYTES = 50 * 1024 * 1024;

/** A file whose weights are missing is not tried. */
export function BatchProbe({
  wizard,
  isObstacleTold,
}: {
  readonly wizard: Wizard;
  /** What keeps the file from batches stands above. */
  readonly isObstacleTold: boolean;
}) {
  const { path, byteSize, problem } = wizard.inspection;
  const isReady = problem === undefined;
  const [isAsked, setIsAsked] = useState(byteSize < RUNS_ITSELF_BELOW_BYTES);
  const probe = useCall('config/batchProbe', isAsked && isReady ? { path } : undefined);
  const { data, error } = probe;
  if (!isAsked) {
    return (
      <Button
        icon={FlaskConical}
        className="self-start"
        disabledReason={isReady ? undefined : t('wizard.problem.missing')}
        data-testid="wizard-probe"
        onClick={() => setIsAsked(true)}
      >
        {t('wizard.probe')}
      </Button>
    );
  }
  if (error !== undefined)
    return <Banner tone="warn">{t('wizard.probe.cannotRun', { message: error })}</Banner>;
  if (data === undefined) return isReady ? <p className="text-soft">{t('wizard.probe.running')}</p> : null;
  const isTold = isObstacleTold && data.verdict === 'cannot-run';
  if (data.canMakeDynamic) return <DynamicCopy wizard={wizard} first={isTold ? undefined : data} />;
  if (isTold) return null;
  return <ProbeBanner result={data} testId="wizard-probe-result" />;
}
