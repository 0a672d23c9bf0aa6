// The first look at a model: what goes in and out and whether client, config and file agree, how requests are
// scheduled, what runs, what lies in the folder.

import { Suspense } from 'react';

import type { ConfigContext, EffectiveConfig } from '../../../src-shared/contract/config-calls.ts';
import type { ModelInterface } from '../../../src-shared/contract/inference-calls.ts';
import { isLoaded } from '../../actions/model-actions.ts';
import { snippetRequest } from '../../actions/sample-request.ts';
import { fillRequest } from '../../config/drafts/fill-request.ts';
import { useModel } from '../../engine/engine-context.tsx';
import type { CallState } from '../../engine/use-call.ts';
import { useCall } from '../../engine/use-call.ts';
import { modelAddress } from '../../lib/address.ts';
import { areas, hasModelTab } from '../../lib/areas.ts';
import type { ModelTabProps } from '../../lib/feature.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { GpuCard } from './components/gpu-card.tsx';
import { ModelCard } from './components/model-card.tsx';
import { NotesCard } from './components/notes-card.tsx';
import { AboutCard, FilesCard, InstancesCard, SnippetCard } from './components/overview-cards.tsx';
import { TensorCard } from './components/tensor-card.tsx';
import { filledFields, tensorFacts } from './overview-selectors.ts';
import { schedulingSentence } from './scheduling-sentence.ts';
import { readServedConfig } from './served-config.ts';

function isOnItsWay({ isLoading, data, error }: CallState<unknown>): boolean {
  return isLoading && data === undefined && error === undefined;
}

/** Drawn once all that it tells is known or refused. */
export function OverviewTab({ model: name, version }: ModelTabProps) {
  const model = useModel(name);
  const refresh = `${model?.loadedAtMs ?? 0} ${String(model?.changedOnDisk ?? false)} ${model?.state ?? ''}`;
  const effective = useCall('config/effective', { model: name }, refresh);
  const context = useCall('config/context', { model: name }, refresh);
  const io = useCall('playground/interface', { model: name }, refresh);
  if (model === undefined) return null;
  // Half of the facts would say that the other half is not known.
  if ([effective, context, io].some(isOnItsWay)) return <Skeleton rows={6} />;
  const config = effective.data === undefined ? undefined : readServedConfig(effective.data.json);
  const { modelSample: Sample } = areas.getState();
  const request = snippetRequest(name, version, io.data);
  return (
    <div className="min-h-0 flex-1 overflow-auto bg-canvas p-4" data-testid="model-overview">
      <div className="mx-auto flex max-w-[120rem] flex-col gap-3">
        {isLoaded(model) && <Filled name={name} effective={effective.data} />}
        <ModelCard
          key={model.path}
          model={model}
          version={version}
          io={io.data}
          scheduling={config && isLoaded(model) ? schedulingSentence(config, model.instanceCount) : undefined}
        />
        <div className="grid grid-cols-1 gap-3 min-[1100px]:grid-cols-2">
          <Tensors config={config} context={context.data} io={io.data} version={version} />
        </div>
        <div className="grid grid-cols-1 items-start gap-3 min-[1100px]:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-3">
            <AboutCard model={model} />
            {!model.isEnsemble && <InstancesCard model={model} version={version} />}
            <GpuCard model={model} />
            <FilesCard model={model} />
          </div>
          <div className="flex min-w-0 flex-col gap-3">
            {Sample !== undefined && io.data !== undefined && (
              <Suspense fallback={<Skeleton rows={3} />}>
                <Sample model={name} version={version} />
              </Suspense>
            )}
            <SnippetCard request={request} />
            <NotesCard key={model.path} model={model} />
          </div>
        </div>
      </div>
    </div>
  );
}

interface TensorsProps {
  readonly config: ReturnType<typeof readServedConfig>;
  readonly context: ConfigContext | undefined;
  readonly io: ModelInterface | undefined;
  readonly version: string;
}

function Tensors({ config, context, io, version }: TensorsProps) {
  const description = (
    context?.descriptions.find((described) => described.version === version) ?? context?.descriptions.at(-1)
  )?.description;
  const facts = { isBatched: (config?.maxBatchSize ?? 0) > 0, serverRoles: config?.serverRoles };
  const hasFile = config?.scheduler !== 'ensemble';
  return (
    <>
      <TensorCard
        title={t('model.tensors.inputs')}
        isOutput={false}
        hasFile={hasFile}
        tensors={tensorFacts(
          { config: config?.inputs, client: io?.inputs, graph: description?.inputs },
          facts,
        )}
      />
      <TensorCard
        title={t('model.tensors.outputs')}
        isOutput
        hasFile={hasFile}
        tensors={tensorFacts(
          { config: config?.outputs, client: io?.outputs, graph: description?.outputs },
          facts,
        )}
      />
    </>
  );
}

function Filled({
  name,
  effective,
}: {
  readonly name: string;
  readonly effective: EffectiveConfig | undefined;
}) {
  const fields = effective === undefined ? [] : filledFields(effective);
  if (fields.length === 0) return null;
  const show = (): void => open(modelAddress(name, 'config', { view: 'effective' }));
  return (
    <Banner
      tone="neutral"
      testId="banner-filled"
      actions={
        hasModelTab('config') && (
          <>
            <Button size="sm" data-testid="filled-show" onClick={show}>
              {t('model.filled.show')}
            </Button>
            <Button
              size="sm"
              data-testid="filled-write"
              onClick={() => {
                fillRequest.setState({ model: name });
                show();
              }}
            >
              {t('model.filled.write')}
            </Button>
          </>
        )
      }
    >
      {t('model.filled', { count: fields.length, names: fields.join(', ') })}
    </Banner>
  );
}
