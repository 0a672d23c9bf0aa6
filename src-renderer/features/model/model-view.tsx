// One model: header with its state and actions, what lasts about it, the failure card while it failed, the sub-tabs.

import { Suspense, useState } from 'react';

import { ModelInspector } from '../../actions/model-inspector.tsx';
import { useModel, useModels } from '../../engine/engine-context.tsx';
import { modelAddress, repositoryOf } from '../../lib/address.ts';
import { areas } from '../../lib/areas.ts';
import type { FeatureViewProps } from '../../lib/feature.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { InInspector } from '../../ui/inspector-slot.tsx';
import { MainActScope } from '../../ui/main-act.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { FailureCard } from './components/failure-card.tsx';
import { ModelBanners } from './components/model-banners.tsx';
import { ModelGone } from './components/model-gone.tsx';
import { ModelHeader } from './components/model-header.tsx';
import { ShadowedFolder } from './components/shadowed-folder.tsx';

/** The address names the model, the sub-tab, and the repository where it is not the one that is served. */
export function ModelScreen(props: FeatureViewProps) {
  const repository = repositoryOf(props.address);
  if (repository === undefined) return <NamedModel {...props} />;
  return <ShadowedFolder name={props.address.model} repository={repository} />;
}

function NamedModel({ address }: FeatureViewProps) {
  const model = useModel(address.model);
  const isLoadedOnce = useModels((state) => state.isLoaded);
  const [asked, setAsked] = useState('');
  const modelTabs = areas
    .getState()
    .modelTabs.filter(({ isFor }) => model === undefined || isFor === undefined || isFor(model));
  const chosen = modelTabs.find(({ id }) => id === address.tab) ?? modelTabs[0];
  if (!isLoadedOnce) return <Skeleton rows={6} />;
  if (model === undefined || chosen === undefined) return <ModelGone name={address.model} />;
  // Where the version that was asked for is gone, the server chooses: the newest.
  const version = model.versions.some((known) => known.version === asked) ? asked : '';
  return (
    <MainActScope>
      {/* In a low window header and card scroll away, so that a tab has room. */}
      <div
        className="flex min-h-0 flex-1 flex-col [@media(max-height:559px)]:overflow-y-auto"
        data-testid={`model-view-${model.name}`}
      >
        <ModelHeader
          model={model}
          isSending={chosen.id === 'playground'}
          version={version}
          onVersion={setAsked}
        />
        <ModelBanners model={model} isConfigShown={chosen.id === 'config'} />
        {(model.state === 'failed' || model.failure !== undefined) && <FailureCard model={model} />}
        <Tabs
          label={address.model}
          items={modelTabs.map(({ id, title }) => ({ id, title: t(title), testId: `model-tab-${id}` }))}
          value={chosen.id}
          isTitled
          onChange={(id) => open(modelAddress(address.model, id))}
          className="[@media(max-height:559px)]:min-h-80"
        >
          <Suspense fallback={<Skeleton />}>
            <chosen.View model={address.model} version={version} address={address} />
          </Suspense>
        </Tabs>
        <InInspector>
          <ModelInspector models={[model]} isOpened />
        </InInspector>
      </div>
    </MainActScope>
  );
}
