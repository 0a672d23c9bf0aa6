// Where the time of one request went, as a waterfall, and the batch it ran in; of an ensemble the times of its steps.

import type { PlaygroundResult } from '../../../../src-shared/contract/inference-calls.ts';
import { DoctorButton } from '../../../actions/doctor-button.tsx';
import { useModel } from '../../../engine/engine-context.tsx';
import { formatMillis } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Card } from '../../../ui/card.tsx';
import type { Outcome } from '../playground-store.ts';
import { timingParts } from '../timing-parts.ts';
import { StepsTiming } from './steps-timing.tsx';
import { TimingRows } from './timing-rows.tsx';

/** Steps of an ensemble are those of the newest serving version. */
export function TimingTab({
  outcome,
  result,
}: {
  readonly outcome: Outcome;
  readonly result: PlaygroundResult;
}) {
  const parts = timingParts(result.timing);
  const [longest] = parts.toSorted((a, b) => b.ms - a.ms);
  const model = useModel(outcome.request.model);
  const isEnsemble = model?.isEnsemble === true;
  // The engine tells the steps of the newest serving version.
  const isNewest = model?.servedVersions.every((served) => Number(served) <= Number(result.modelVersion));
  return (
    <>
      <Card title={t('playground.timing.title', { total: formatMillis(result.totalMs) })} testId="pg-timing">
        <TimingRows rows={parts.map((part) => ({ ...part, id: part.name }))} />
        {longest !== undefined && (
          <p className="mt-3 text-sm text-faint" data-testid="pg-timing-longest">
            {t('playground.timing.longest', { part: longest.title, help: longest.help })}
          </p>
        )}
        <p className="mt-3 text-soft" data-testid="pg-timing-batch">
          {result.batchSize !== undefined
            ? t('playground.timing.batch', { size: result.batchSize })
            : t(isEnsemble ? 'playground.timing.ensemble' : 'playground.timing.noBatch')}
        </p>
        {result.batchSize === 1 && (model?.maxBatchSize ?? 0) > 1 && (
          <div className="mt-2">
            <DoctorButton model={outcome.request.model} />
          </div>
        )}
        {outcome.repeat !== undefined && (
          <p className="mt-1 text-sm text-faint">{t('playground.timing.ofLast')}</p>
        )}
      </Card>
      {isEnsemble && isNewest === true && <StepsTiming model={outcome.request.model} outcome={outcome.id} />}
    </>
  );
}
