// A name in two repositories: Triton loads neither. The user says which repository goes; its files stay where they are.

import type { Engine } from '../engine/engine-context.tsx';
import { t } from '../texts/translate.ts';
import { ask } from '../ui/confirm.tsx';
import { toastSuccess } from '../ui/toast.tsx';
import { loadModel } from './model-actions.ts';
import { toastThrown } from '../engine/toast-thrown.ts';

/**
 * Asks which repository to switch off, and offers to load the model that is left. Failures are told as
 * messages.
 */
export async function disableDuplicate(engine: Engine, name: string): Promise<void> {
  const { models, repositories } = engine.state.models.getState();
  const paths = models.filter((model) => model.name === name).map(({ repository }) => repository);
  const path = await ask({
    title: t('duplicate.title', { name }),
    text: t('duplicate.text'),
    choices: paths.map((value) => {
      const count = repositories.find((repository) => repository.path === value)?.modelCount ?? 0;
      return { value, label: t('duplicate.disable', { path: value, count }) };
    }),
    testId: 'duplicate-dialog',
  });
  if (path === undefined) return;
  try {
    await engine.client.call('repository/switch', { path, isEnabled: false });
    toastSuccess(t('duplicate.done', { path, name }), {
      label: t('models.load'),
      onClick: () => void loadModel(engine, name),
    });
  } catch (thrown) {
    toastThrown(thrown);
  }
}
