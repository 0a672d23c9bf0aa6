// From what the engine says of a model to the state vocabulary of the window: which state to show, and the words after
// it.

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { t } from '../texts/translate.ts';

/** The state of a model as its chip shows it. */
export type ShownState =
  | 'unloaded'
  | 'loading'
  | 'ready'
  | 'ready-changed'
  | 'degraded'
  | 'unloading'
  | 'failed'
  | 'not-runnable';

/** Whether a conversion to ONNX may be asked for: frameworks that have an exporter. */
export function isConvertible({ backend }: Pick<ModelView, 'backend'>): boolean {
  return backend === 'pytorch' || backend === 'tensorflow';
}

type Facts = Pick<
  ModelView,
  'state' | 'isDegraded' | 'changedOnDisk' | 'phase' | 'reason' | 'failure' | 'backend' | 'servedVersions'
>;

/** A loaded model whose files changed is shown so before one that lacks its GPU. */
export function shownState({ state, isDegraded, changedOnDisk }: Facts): ShownState {
  if (state !== 'ready') return state;
  if (changedOnDisk) return 'ready-changed';
  return isDegraded ? 'degraded' : 'ready';
}

/** Words after the state's name: the phase, the version, the short reason. */
export function stateDetail(model: Facts): string {
  switch (shownState(model)) {
    case 'loading':
    case 'unloading':
      return model.phase ?? '';
    case 'ready': {
      const version = model.servedVersions.at(-1);
      const failed = model.failure === undefined ? '' : t('state.reloadFailed');
      return version === undefined ? '' : `, v${version}${failed}`;
    }
    case 'ready-changed':
      return model.failure === undefined ? '' : t('state.reloadFailed');
    case 'degraded':
      return t('state.degraded.cpu');
    case 'failed':
      return model.failure?.title ?? model.reason ?? '';
    case 'not-runnable':
      return t('state.notRunnable.backend', { backend: model.backend });
    default:
      return '';
  }
}
