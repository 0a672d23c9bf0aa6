// The buttons of one row: load or unload, reload, test, everything else in a menu. While the model loads the first one
// cancels.

import { Eject, Ellipsis, FolderOpen, ListX, Play, RefreshCw, Send, X } from 'lucide-react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { disableDuplicate } from '../../../actions/disable-duplicate.ts';
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
import { revealPath } from '../../../actions/reveal.ts';
import { useEngine } from '../../../engine/engine-context.tsx';
import { modelKey } from '../../../engine/models-store.ts';
import { nativeShell } from '../../../engine/native-shell.ts';
import { modelAddress } from '../../../lib/address.ts';
import { hasModelTab } from '../../../lib/areas.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { MenuEntry, MenuPoint } from '../../../ui/menu.tsx';
import { AnchoredMenu, MenuEntries } from '../../../ui/menu.tsx';
import { useTabIndex } from '../../../ui/tab-stop.ts';
import type { RowPlace } from '../../../ui/use-table-gestures.ts';
import { useModelMenu } from '../../../actions/model-menu.tsx';

/** A folder whose name another repository serves has fewer actions. */
export function RowActions({ model }: { readonly model: ModelView }) {
  return model.isShadowed ? <ShadowedActions model={model} /> : <OwnActions model={model} />;
}

/** Calls by name would reach the folder that comes first. */
function ShadowedActions({ model: { name, path } }: { readonly model: ModelView }) {
  const engine = useEngine();
  return (
    <span className="flex items-center gap-1">
      <IconButton
        label={t(nativeShell() === undefined ? 'models.copyPathOf' : 'models.revealOf', { name })}
        icon={FolderOpen}
        onClick={() => void revealPath(path)}
      />
      <IconButton
        needsServer
        label={t('models.disableOneOf', { name })}
        icon={ListX}
        data-testid={`btn-disable-${name}`}
        onClick={() => void disableDuplicate(engine, name)}
      />
    </span>
  );
}

function OwnActions({ model }: { readonly model: ModelView }) {
  const engine = useEngine();
  const { name } = model;
  return (
    <span className="flex items-center">
      <LoadButton model={model} />
      <IconButton
        label={t(model.reloadKind === 'instances' ? 'models.updateInstancesOf' : 'models.reloadOf', { name })}
        needsServer
        icon={RefreshCw}
        data-testid={`btn-reload-${name}`}
        disabledReason={reloadObstacle(model)}
        onClick={() => void reloadModel(engine, name)}
      />
      {hasModelTab('playground') && (
        <IconButton
          label={t('models.testOf', { name })}
          needsServer
          icon={Send}
          data-testid={`btn-test-${name}`}
          disabledReason={cannotServe(model) ? t('command.notLoaded') : undefined}
          onClick={() => open(modelAddress(name, 'playground'))}
        />
      )}
      <MenuOpener model={model} />
    </span>
  );
}

function MenuOpener({ model }: { readonly model: ModelView }) {
  const { name } = model;
  const key = modelKey(model);
  const isOpen = useStore(openMenu, (state) => state.key === key);
  return (
    <button
      type="button"
      aria-label={t('models.menu', { name })}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      data-testid={`btn-menu-${name}`}
      tabIndex={useTabIndex()}
      className="inline-flex size-7 items-center justify-center rounded text-soft hover:bg-hover hover:text-strong"
      onClick={({ currentTarget }) => openMenu.setState({ key, anchor: currentTarget, at: undefined })}
    >
      <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
    </button>
  );
}

interface OpenMenu {
  /** Of the model whose menu is open. */
  readonly key: string | undefined;
  readonly anchor: HTMLElement | undefined;
  /** Undefined = at the button. */
  readonly at: MenuPoint | undefined;
}

const CLOSED: OpenMenu = { key: undefined, anchor: undefined, at: undefined };
const openMenu = createStore<OpenMenu>(() => CLOSED);

/** Opens the menu of a row at a place of the window; `element` has the focus afterwards. */
export function openRowMenu({ row, element, x, y }: RowPlace<ModelView>): void {
  openMenu.setState({ key: modelKey(row), anchor: element, at: { x, y } });
}

/** The menu of the rows, once for the whole list. That of a selected row speaks for all that are `selected`. */
export function RowMenu({
  models,
  selected,
}: {
  readonly models: readonly ModelView[];
  readonly selected: readonly ModelView[];
}) {
  const { key, anchor, at } = useStore(openMenu);
  const model = key === undefined ? undefined : models.find((one) => modelKey(one) === key);
  if (model === undefined) return null;
  const meant = selected.includes(model) ? selected : [model];
  return (
    <AnchoredMenu anchor={anchor} at={at} onClose={() => openMenu.setState(CLOSED)}>
      {model.isShadowed ? (
        <ShadowedEntries model={model} />
      ) : (
        <RowMenuEntries model={model} meant={meant.filter(({ isShadowed }) => !isShadowed)} />
      )}
    </AnchoredMenu>
  );
}

function RowMenuEntries({
  model,
  meant,
}: {
  readonly model: ModelView;
  readonly meant: readonly ModelView[];
}) {
  return <MenuEntries entries={useModelMenu(model, meant)} />;
}

function ShadowedEntries({ model: { name, path } }: { readonly model: ModelView }) {
  const engine = useEngine();
  const entries: readonly MenuEntry[] = [
    {
      id: 'reveal',
      label: t(nativeShell() === undefined ? 'models.menu.copyPath' : 'models.menu.reveal'),
      icon: FolderOpen,
      onSelect: () => void revealPath(path),
    },
    {
      id: 'disableOne',
      label: t('duplicate.action'),
      icon: ListX,
      onSelect: () => void disableDuplicate(engine, name),
    },
  ];
  return <MenuEntries entries={entries} />;
}

function LoadButton({ model }: { readonly model: ModelView }) {
  const engine = useEngine();
  const { name } = model;
  const running = useStore(runningActions, ({ byModel }) => byModel.get(name)?.verb);
  if (running === 'load' || running === 'reload' || model.state === 'loading') {
    return (
      <IconButton
        label={t('models.cancelOf', { name })}
        needsServer
        icon={X}
        data-testid={`btn-cancel-${name}`}
        onClick={() => void stopLoading(engine, name)}
      />
    );
  }
  return isLoaded(model) ? (
    <IconButton
      label={t('models.unloadOf', { name })}
      icon={Eject}
      needsServer
      data-testid={`btn-unload-${name}`}
      isBusy={running !== undefined}
      onClick={() => void unloadModel(engine, name)}
    />
  ) : (
    <IconButton
      label={t('models.loadOf', { name })}
      needsServer
      icon={Play}
      data-testid={`btn-load-${name}`}
      disabledReason={loadObstacle(model)}
      onClick={() => void loadModel(engine, name)}
    />
  );
}
