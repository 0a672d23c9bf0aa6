// The buttons of one row: load or unload, reload, test, everything else in a menu. While the model loads the first one
// cancels.

import { Ellipsis, Play, RefreshCw, Send, Square, X } from 'lucide-react';
import { useStore } from 'zustand';

import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import {
  cancelAction,
  isLoaded,
  loadModel,
  reloadModel,
  runningActions,
  unloadModel,
} from '../../../actions/model-actions.ts';
import { useEngine } from '../../../engine/engine-context.tsx';
import { modelAddress } from '../../../lib/address.ts';
import { hasModelTab } from '../../../lib/areas.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { MenuButton } from '../../../ui/menu.tsx';
import { useModelMenu } from '../../model-menu.tsx';

export function RowActions({ model }: { readonly model: ModelView }) {
  const engine = useEngine();
  const { name } = model;
  const menu = useModelMenu(model);
  const loaded = isLoaded(model);
  return (
    <span className="flex items-center">
      <LoadButton model={model} />
      <IconButton
        label={t(model.reloadKind === 'instances' ? 'models.updateInstances' : 'models.reload')}
        icon={RefreshCw}
        data-testid={`btn-reload-${name}`}
        disabledReason={loaded ? '' : t('command.notLoaded')}
        onClick={() => void reloadModel(engine, name)}
      />
      {hasModelTab('playground') && (
        <IconButton
          label={t('models.test')}
          icon={Send}
          data-testid={`btn-test-${name}`}
          onClick={() => open(modelAddress(name, 'playground'))}
        />
      )}
      <MenuButton entries={menu}>
        <IconButtonForMenu name={name} />
      </MenuButton>
    </span>
  );
}

/** The menu needs the plain button, without a tooltip around it. */
function IconButtonForMenu({ name, ...rest }: { readonly name: string }) {
  return (
    <button
      type="button"
      aria-label={t('models.menu', { name })}
      data-testid={`btn-menu-${name}`}
      className="inline-flex size-7 items-center justify-center rounded text-soft hover:bg-hover hover:text-strong"
      {...rest}
    >
      <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
    </button>
  );
}

function LoadButton({ model }: { readonly model: ModelView }) {
  const engine = useEngine();
  const { name } = model;
  const running = useStore(runningActions, ({ byModel }) => byModel.get(name)?.verb);
  if (running === 'load' || running === 'reload') {
    return (
      <IconButton
        label={t('models.cancel')}
        icon={X}
        data-testid={`btn-cancel-${name}`}
        onClick={() => cancelAction(name)}
      />
    );
  }
  const reason =
    model.state === 'loading' || model.state === 'unloading'
      ? t('command.busy')
      : model.state === 'not-runnable'
        ? model.reason
        : '';
  return isLoaded(model) ? (
    <IconButton
      label={t('models.unload')}
      icon={Square}
      data-testid={`btn-unload-${name}`}
      isBusy={running !== undefined}
      onClick={() => void unloadModel(engine, name)}
    />
  ) : (
    <IconButton
      label={t('models.load')}
      icon={Play}
      data-testid={`btn-load-${name}`}
      disabledReason={reason}
      onClick={() => void loadModel(engine, name)}
    />
  );
}
