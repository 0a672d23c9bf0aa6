// The model on one card: what it is for, whose it is, how it fared in the last hour, and what it costs. Sending and
// measuring are in the header; looking inside and taking it to production are here.

import { PackageCheck, Workflow } from 'lucide-react';
import { useId } from 'react';

import type { ModelInterface } from '../../../../src-shared/contract/inference-calls.ts';
import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import type { SeriesWindow } from '../../../../src-shared/contract/observe-views.ts';
import { unpackPoint } from '../../../../src-shared/contract/series-pack.ts';
import { DoctorButton } from '../../../actions/doctor-button.tsx';
import { isLoaded, reloadModel } from '../../../actions/model-actions.ts';
import { useEngine, useSamples } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { modelAddress } from '../../../lib/address.ts';
import { hasModelTab } from '../../../lib/areas.ts';
import { disabledReason, runCommand } from '../../../lib/command-registry.ts';
import { formatBytes, formatCount, formatMicros } from '../../../lib/format.ts';
import { gpuMemoryLines } from '../../../lib/gpu-memory.ts';
import { isWithoutFolder } from '../../../lib/model-folder.ts';
import { memoryLong } from '../../../lib/memory-words.ts';
import { isMeasurable, modelMemory } from '../../../lib/model-memory.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, Facts } from '../../../ui/card.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { Select } from '../../../ui/select.tsx';
import { licenceIn, originIn } from '../file-licence.ts';
import { batchesStayedSingle, healthOf, upToNow } from '../model-health.ts';
import { useKeptCard } from '../kept-card.ts';
import { guessTask, TASKS } from '../model-task.ts';

/** The model, the version that is looked at, and what is known of its tensors. */
export interface ModelCardProps {
  readonly model: ModelView;
  readonly version: string;
  readonly io: ModelInterface | undefined;
  /** How its requests are run, as a sentence; undefined while that is not known. */
  readonly scheduling?: string | undefined;
}

/** What is said by hand is kept for the folder of the model. */
export function ModelCard({ model, version, io, scheduling }: ModelCardProps) {
  const [card, change] = useKeptCard(model.path);
  const guessed = guessTask(io, model.isEnsemble);
  const task = card.task ?? guessed;
  const isOnnx = model.format === 'onnx';
  const file = useCall(
    'graph/fileFacts',
    isOnnx ? { model: model.name, version } : undefined,
    model.loadedAtMs,
  );
  const { producer, metadata = {} } = file.data ?? {};
  const fileLicence = licenceIn(metadata);
  return (
    <Card title={t('model.card')} testId="model-card" actions={<Actions model={model} />}>
      {scheduling !== undefined && (
        <p data-testid="scheduling-sentence" className="mb-3 text-md text-strong">
          {scheduling}
        </p>
      )}
      <div className="grid items-start gap-x-8 gap-y-1.5 min-[1100px]:grid-cols-2">
        <Facts
          items={[
            [
              t('model.card.task'),
              <span key="task" className="flex flex-wrap items-center gap-2">
                <Select
                  aria-label={t('model.card.task')}
                  data-testid="model-task"
                  value={task}
                  onChange={(next) => change({ task: next === guessed ? undefined : next })}
                  options={TASKS.map((value) => ({ value, label: t(`model.task.${value}`) }))}
                />
                {card.task === undefined && <Badge>{t('model.card.guessed')}</Badge>}
              </span>,
            ],
            [
              t('model.card.licence'),
              <span key="licence" className="flex flex-wrap items-center gap-2">
                <TextInput
                  value={card.licence ?? fileLicence ?? ''}
                  placeholder={t('model.card.licenceUnknown')}
                  aria-label={t('model.card.licence')}
                  data-testid="model-licence"
                  className="w-full max-w-80"
                  onChange={(licence) => change({ licence })}
                />
                {card.licence === undefined && fileLicence !== undefined && (
                  <Badge testId="licence-from-file">{t('model.card.fromFile')}</Badge>
                )}
              </span>,
            ],
            ...originIn(metadata),
          ]}
        />
        <Facts
          items={[
            ...(producer === undefined ? [] : [[t('model.card.producer'), producer] as const]),
            [t('model.card.health'), <Health key="health" model={model} version={version} />],
            [t('model.card.cost'), <Cost key="cost" model={model} version={version} />],
          ]}
        />
      </div>
    </Card>
  );
}

function Actions({ model: { name, format, isEnsemble } }: Pick<ModelCardProps, 'model'>) {
  const noExport = disabledReason('model.export', name);
  return (
    <>
      {hasModelTab('graph') && (isEnsemble || format === 'onnx') && (
        <Button size="sm" icon={Workflow} onClick={() => open(modelAddress(name, 'graph'))}>
          {t('model.card.look')}
        </Button>
      )}
      <Button
        size="sm"
        icon={PackageCheck}
        disabledReason={noExport}
        data-testid="model-deploy"
        onClick={() => runCommand('model.export', name)}
      >
        {t('model.card.deploy')}
      </Button>
    </>
  );
}

const REFRESH_SECONDS = 10;

function Health({ model, version }: Pick<ModelCardProps, 'model' | 'version'>) {
  const turn = useSamples(({ second }) => Math.floor(second / REFRESH_SECONDS));
  const target = (window: SeriesWindow) =>
    isLoaded(model) ? { model: model.name, version, window, afterMs: 0 } : undefined;
  const hour = useCall('observe/series', target('1h'), turn);
  const minute = useCall('observe/series', target('1m'), turn);
  if (!isLoaded(model)) return <>{t('model.card.notServed')}</>;
  if (hour.data === undefined || minute.data === undefined) return <>–</>;
  const health = healthOf(upToNow(hour.data.rows.map(unpackPoint), minute.data.rows.map(unpackPoint)));
  if (health.requests + health.failures === 0) return <>{t('model.card.noRequests')}</>;
  return (
    <>
      <span data-testid="model-health" className={health.failures > 0 ? 'text-bad' : ''}>
        {t('model.card.requests', {
          count: health.requests + health.failures,
          failed: formatCount(health.failures),
          p99: formatMicros(health.p99Us),
        })}
      </span>
      {batchesStayedSingle(health, model.maxBatchSize) && (
        <p className="mt-1 flex flex-wrap items-center gap-2 text-soft" data-testid="model-alone">
          {t('model.card.alone', { count: health.mostInFlight })}
          <DoctorButton model={model.name} />
        </p>
      )}
    </>
  );
}

function Cost({ model, version }: Pick<ModelCardProps, 'model' | 'version'>) {
  const id = useId();
  const engine = useEngine();
  const measure = useAction(() => reloadModel(engine, model.name, true));
  const target = isLoaded(model) ? { model: model.name, version } : undefined;
  const { data = [] } = useCall('observe/statistics', target, model.loadedAtMs);
  if (!isLoaded(model)) return <>{t('model.card.notServed')}</>;
  const workers = data
    .flatMap(({ instances }) => instances)
    .reduce((sum, { host }) => sum + (host?.memoryBytes ?? 0), 0);
  const shown = model.versions.find((each) => each.version === version);
  if (model.isEnsemble) return <span data-testid="model-cost">{t('model.card.ensembleCost')}</span>;
  // What runs in processes of its own costs what those take; the server did not grow by it.
  const parts = [
    workers > 0 && modelMemory(model).kind !== 'measured' ? '' : memoryLong(model),
    ...gpuMemoryLines(shown?.gpuMemory ?? model.gpuMemory),
    workers > 0 ? t('model.card.workers', { size: formatBytes(workers) }) : '',
    t('model.card.instances', { count: model.instanceCount }),
  ].filter(Boolean);
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
      <ul id={id} data-testid="model-cost" className="min-w-0 flex-1">
        {parts.map((part) => (
          <li key={part}>{part}</li>
        ))}
      </ul>
      {workers === 0 && isMeasurable(model) && (
        <Button
          size="sm"
          data-testid="model-measure"
          isBusy={measure.isRunning}
          disabledReason={isWithoutFolder(model) ? t('models.away') : undefined}
          onClick={measure.run}
        >
          {t('model.memory.measure')}
        </Button>
      )}
    </div>
  );
}
