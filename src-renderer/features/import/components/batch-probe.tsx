// Whether rows of a batch leave each other alone: runs by itself for small files, on a button for large ones.

import { FlaskConical } from 'lucide-react';
import { useState } from 'react';

import { useCall } from '../../../engine/use-call.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';

const RUNS_ITSELF_BELOW_BYTES = 50 * 1024 * 1024;

export function BatchProbe({
  path,
  byteSize,
  isReady,
}: {
  readonly path: string;
  readonly byteSize: number;
  readonly isReady: boolean;
}) {
  const [isAsked, setIsAsked] = useState(byteSize < RUNS_ITSELF_BELOW_BYTES);
  const probe = useCall('config/batchProbe', isAsked && isReady ? { path } : undefined);
  const { data, error } = probe;
  if (!isAsked) {
    return (
      <Button
        icon={FlaskConical}
        className="self-start"
        disabledReason={isReady ? '' : t('wizard.problem.missing')}
        data-testid="wizard-probe"
        onClick={() => setIsAsked(true)}
      >
        {t('wizard.probe')}
      </Button>
    );
  }
  if (error !== '') return <Banner tone="warn">{t('wizard.probe.cannotRun', { message: error })}</Banner>;
  if (data === undefined) return isReady ? <p className="text-soft">{t('wizard.probe.running')}</p> : null;
  const text =
    data.verdict === 'safe'
      ? t('wizard.probe.safe', {
          difference: data.maxDifference === 0 ? '0' : data.maxDifference.toExponential(1),
        })
      : data.verdict === 'unsafe'
        ? t('wizard.probe.unsafe', { message: data.message })
        : t('wizard.probe.cannotRun', { message: data.message });
  return (
    <Banner
      tone={data.verdict === 'safe' ? 'good' : data.verdict === 'unsafe' ? 'bad' : 'warn'}
      testId="wizard-probe-result"
    >
      {text}
    </Banner>
  );
}
