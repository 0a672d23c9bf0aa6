// State, name and device of a model, which version is looked at, and the actions on it.

import { Eject, EllipsisVertical, Gauge, Play, RefreshCw, Send, X } from 'lucide-react';
import { useStore } from 'zustand';

import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import {
  stopLoading,
  cannotServe,
  isLoaded,
  loadModel,
  loadObstacle,
  reloadModel,
  reloadObstacle,
  runningActions,
  unloadModel,
} from '../../../actions/model-actions.ts';
import { useEngine } from '../../../engine/engine-context.tsx';
import { address, modelAddress } from '../../../lib/address.ts';
import { hasModelTab, hasScreen } from '../../../lib/areas.ts';
import { shownState, stateDetail } from '../../../lib/model-state.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Breakable } from '../../../ui/breakable.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useIsMainActTaken } from '../../../ui/main-act.tsx';
import { MenuButton } from '../../../ui/menu.tsx';
import { Select } from '../../../ui/select.tsx';
import { StateChip } from '../../../ui/state-chip.tsx';
import { useModelMenu } from '../../../actions/model-menu.tsx';

/** The version that is looked at is chosen here for all sub-tabs; "" is the server's choice. */
export interface ModelHeaderProps {
  readonly model: ModelView;
  /** The playground is what is shown: its own Send is the main button. */
  readonly isSending: boolean;
  readonly version: string;
  /** "" = the server's choice. */
  readonly onVersion: (version: string) => void;
}

/** The same actions as in the list of models. */
export function ModelHeader({ model, isSending, version, onVersion }: ModelHeaderProps) {
  const { name, kind, device } = model;
  const isTaken = useIsMainActTaken();
  const menu = useModelMenu(model);
  return (
    // What is entered says of which model its buttons are.
    <header
      role="group"
      aria-label={name}
      data-testid="model-header"
      className="@container flex flex-wrap items-center gap-x-3 gap-y-2 px-4 pt-3 pb-2"
    >
      <h1 className="min-w-0 text-xl font-semibold wrap-anywhere text-strong">
        <Breakable text={name} />
      </h1>
      {kind !== undefined && <Badge>{kind}</Badge>}
      <StateChip
        state={shownState(model)}
        detail={stateDetail(model)}
        testId={`model-header-state-${name}`}
        className="max-w-sm"
      />
      {device !== undefined && <span className="text-faint">{device}</span>}
      <div className="ml-auto flex flex-wrap items-center gap-2">
        {model.versions.length > 1 && (
          <Select
            aria-label={t('model.version')}
            data-testid="model-version"
            value={version}
            onChange={onVersion}
            options={[
              { value: '', label: t('model.version.latest') },
              ...model.versions.map((view) => ({ value: view.version, label: `v${view.version}` })),
            ]}
          />
        )}
        {hasModelTab('playground') && !isSending && !cannotServe(model) && (
          <Button
            variant={isLoaded(model) && !isTaken ? 'primary' : 'secondary'}
            icon={Send}
            data-testid="model-send"
            onClick={() => open(modelAddress(name, 'playground'))}
          >
            {t('model.sendRequest')}
          </Button>
        )}
        <LoadActions model={model} />
        {hasScreen('perf') && !cannotServe(model) && (
          <Button
            icon={Gauge}
            data-testid="model-perf"
            // Narrow: the menu beside it has the same.
            className="@max-md:hidden"
            onClick={() => open(address('perf', { query: { model: name } }))}
          >
            {t('model.header.perf')}
          </Button>
        )}
        <MenuButton entries={menu}>
          <IconButton label={t('model.header.menu')} icon={EllipsisVertical} data-testid="model-menu" />
        </MenuButton>
      </div>
    </header>
  );
}

function LoadActions({ model }: { readonly model: ModelView }) {
  const engine = useEngine();
  const { name } = model;
  const isTaken = useIsMainActTaken();
  const running = useStore(runningActions, ({ byModel }) => byModel.get(name)?.verb);
  if (running === 'load' || running === 'reload' || model.state === 'loading') {
    return (
      <Button icon={X} data-testid="model-cancel" onClick={() => void stopLoading(engine, name)}>
        {t('models.cancel')}
      </Button>
    );
  }
  const obstacle = loadObstacle(model);
  if (!isLoaded(model)) {
    return (
      <Button
        variant={isTaken || obstacle !== undefined ? 'secondary' : 'primary'}
        icon={Play}
        disabledReason={obstacle}
        data-testid="model-load"
        onClick={() => void loadModel(engine, name)}
      >
        {t('models.load')}
      </Button>
    );
  }
  return (
    <>
      <Button
        icon={RefreshCw}
        disabledReason={reloadObstacle(model)}
        data-testid="model-reload"
        onClick={() => void reloadModel(engine, name)}
      >
        {t(model.reloadKind === 'instances' ? 'models.updateInstances' : 'models.reload')}
      </Button>
      <Button
        icon={Eject}
        isBusy={running === 'unload'}
        data-testid="model-unload"
        onClick={() => void unloadModel(engine, name)}
      >
        {t('models.unload')}
      </Button>
    </>
  );
}
