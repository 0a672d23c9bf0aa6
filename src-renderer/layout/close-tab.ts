// Closing a tab: asks when its text is not saved.

import { close, HOME_ID, workspace } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { ask } from '../ui/confirm.tsx';

/** False when the user kept the tab. */
export async function closeTab(id: string, name: string): Promise<boolean> {
  if (id === HOME_ID) return false;
  if (workspace.getState().dirty.has(id)) {
    const answer = await ask({
      title: t('tabs.discardTitle'),
      text: t('tabs.discardText', { name }),
      choices: [{ value: 'discard', label: t('tabs.discard'), isDanger: true }],
    });
    if (answer === undefined) return false;
  }
  close(id);
  return true;
}

/** One after the other, each with its question; what the user keeps stays open. */
export async function closeTabs(
  ids: readonly { readonly id: string; readonly name: string }[],
): Promise<void> {
  for (const { id, name } of ids) await closeTab(id, name);
}
