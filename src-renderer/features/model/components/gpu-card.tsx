// Whether the GPU is worth it for this model: its speed and answers against the CPU's, and where each operator ran.

import { useState } from 'react';

import type { GpuTrial, TrialOperators } from '../../../../src-shared/contract/gpu-trial.ts';
import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { moveToCpu } from '../../../actions/move-to-cpu.ts';
import { useEngine } from '../../../engine/engine-context.tsx';
import { formatCount, formatMillis, formatPercent } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { useAction } from '../../../engine/use-action.ts';

/** Operator types shown before the rest is asked for. */
const SHOWN = 8;

/** Nothing for a model that is on no GPU. */
export function GpuCard({ model }: { readonly model: ModelView }) {
  const { gpuTrial: trial } = model;
  if (trial === undefined) return null;
  return (
    <Card title={t('model.gpu.title', { provider: trial.provider })} testId="gpu-card">
      <div className="flex flex-col gap-3">
        <p data-testid="gpu-sentence" className="text-strong">
          {sentenceOf(trial)}
        </p>
        <Finding model={model} trial={trial} />
        {trial.timings.length > 0 && <Timings trial={trial} />}
        {trial.operators.length > 0 && <Operators operators={trial.operators} provider={trial.provider} />}
      </div>
    </Card>
  );
}

function sentenceOf({ verdict, problem, provider, outputs }: GpuTrial): string {
  if (problem !== undefined) return t('model.gpu.problem', { provider, problem });
  if (verdict === undefined) return t('model.gpu.running', { provider });
  if (verdict === 'wrong') {
    const wrong = outputs.filter(({ difference, allowed }) => !(difference <= allowed));
    return t('model.gpu.wrong', { provider, names: wrong.map(({ name }) => name).join(', ') });
  }
  return t(verdict === 'slower' ? 'model.gpu.slower' : 'model.gpu.faster', { provider });
}

/** What to do about it; the other way round nothing is to be done. */
function Finding({ model, trial }: { readonly model: ModelView; readonly trial: GpuTrial }) {
  const engine = useEngine();
  const move = useAction(() => moveToCpu(engine, model));
  if (trial.verdict !== 'slower' && trial.verdict !== 'wrong') return null;
  return (
    <Banner
      tone="warn"
      testId="gpu-finding"
      actions={
        <Button size="sm" data-testid="gpu-use-cpu" isBusy={move.isRunning} onClick={() => move.run()}>
          {t('model.gpu.useCpu')}
        </Button>
      }
    >
      {t(trial.verdict === 'slower' ? 'model.gpu.slower.advice' : 'model.gpu.wrong.advice')}
    </Banner>
  );
}

function Timings({ trial: { timings, outputs } }: { readonly trial: GpuTrial }) {
  const worst = Math.max(0, ...outputs.map(({ difference }) => difference));
  return (
    <>
      <SimpleTable
        label={t('model.gpu.timings')}
        rows={timings}
        keyOf={({ batchSize }) => String(batchSize)}
        columns={[
          { id: 'rows', title: t('model.gpu.rows'), cell: ({ batchSize }) => formatCount(batchSize) },
          {
            id: 'gpu',
            title: t('model.gpu.gpuTime'),
            align: 'end',
            cell: ({ gpuMs }) => formatMillis(gpuMs),
          },
          {
            id: 'cpu',
            title: t('model.gpu.cpuTime'),
            align: 'end',
            cell: ({ cpuMs }) => formatMillis(cpuMs),
          },
        ]}
      />
      {Number.isFinite(worst) && (
        <p className="text-faint">{t('model.gpu.difference', { percent: formatPercent(worst) })}</p>
      )}
    </>
  );
}

interface OperatorsProps {
  readonly operators: readonly TrialOperators[];
  readonly provider: string;
}

function Operators({ operators, provider }: OperatorsProps) {
  const [isWhole, setIsWhole] = useState(false);
  const onCpu = operators.filter((operator) => operator.provider !== provider);
  const total = operators.reduce((sum, { count }) => sum + count, 0);
  const cpuCount = onCpu.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <p data-testid="gpu-operators">
        {cpuCount === 0
          ? t('model.gpu.operators.all', { total, provider })
          : t('model.gpu.operators', {
              count: cpuCount,
              total,
              types: [...new Set(onCpu.map(({ opType }) => opType))].join(', '),
            })}
      </p>
      <SimpleTable
        label={t('model.gpu.operators.title')}
        rows={isWhole ? operators : operators.slice(0, SHOWN)}
        keyOf={({ provider: of, opType }) => `${of} ${opType}`}
        columns={[
          { id: 'type', title: t('model.gpu.operators.type'), isMono: true, cell: ({ opType }) => opType },
          { id: 'provider', title: t('model.gpu.operators.provider'), cell: ({ provider: of }) => of },
          {
            id: 'count',
            title: t('model.gpu.operators.count'),
            align: 'end',
            cell: ({ count }) => formatCount(count),
          },
          {
            id: 'ms',
            title: t('model.gpu.operators.time'),
            align: 'end',
            cell: ({ ms }) => formatMillis(ms),
          },
        ]}
      />
      {operators.length > SHOWN && (
        <Button size="sm" className="self-start" onClick={() => setIsWhole(!isWhole)}>
          {isWhole
            ? t('model.gpu.operators.less')
            : t('model.gpu.operators.more', { count: operators.length })}
        </Button>
      )}
    </>
  );
}
