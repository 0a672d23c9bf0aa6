// "Be strict": from the next start on, a model that asks for a GPU fails without one, as in Triton, instead of running
// on the CPU. The server process reads this when it starts, so the user says when that is.

import type { Engine } from '../engine/engine-context.tsx';
import { t } from '../texts/translate.ts';
import { ask } from '../ui/confirm.tsx';
import { toastInfo, toastWarning } from '../ui/toast.tsx';
import { restartServer } from './server-actions.ts';
import { toastThrown } from '../engine/toast-thrown.ts';

const KEY = 'server.gpuPolicy';

/**
 * Asks, writes the setting and restarts the server when that is chosen. Only says so where a command-line
 * option outranks the setting.
 */
export async function beStrictAboutGpus(engine: Engine): Promise<void> {
  const { client, state } = engine;
  const flag = state.settings.getState().view?.settings.find(({ key }) => key === KEY)?.flag;
  if (flag !== undefined) {
    toastWarning(t('model.strict.flag', { flag: `--${flag}` }));
    return;
  }
  const affected = state.models.getState().models.filter(({ isDegraded }) => isDegraded);
  const names = affected.map(({ name }) => name).join(', ');
  const answer = await ask({
    title: t('model.strict.title'),
    text: t('model.strict.text', { names, count: affected.length }),
    choices: [
      { value: 'later', label: t('model.strict.later') },
      { value: 'now', label: t('model.strict.now'), isPrimary: true },
    ],
    testId: 'strict-dialog',
  });
  if (answer === undefined) return;
  try {
    await client.call('settings/write', { changes: { [KEY]: 'strict' } });
    if (answer === 'now') await restartServer(engine);
    else toastInfo(t('model.strict.saved'));
  } catch (thrown) {
    toastThrown(thrown);
  }
}
