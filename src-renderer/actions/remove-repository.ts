// Takes a repository off the list, from wherever it is shown, after a question: its models stop serving.

import type { EngineClient } from '../engine/engine-client.ts';
import { t } from '../texts/translate.ts';
import { ask } from '../ui/confirm.tsx';

/** Asks, then removes it; the folder stays as it is. Rejects when the engine refuses. */
export async function removeRepository(client: EngineClient, path: string): Promise<void> {
  const answer = await ask({
    title: t('server.repositories.removeTitle'),
    text: t('server.repositories.removeText', { path }),
    choices: [{ value: 'remove', label: t('server.repositories.removeDo'), isPrimary: true }],
  });
  if (answer === 'remove') await client.call('repository/remove', { path });
}
