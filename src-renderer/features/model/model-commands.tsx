// Commands about models that need more than the frame knows: the curl text of a model's request.

import { snippetRequest } from '../../actions/sample-request.ts';
import type { EngineClient } from '../../engine/engine-client.ts';
import { useEngine } from '../../engine/engine-context.tsx';
import { useCommand } from '../../lib/command-registry.ts';
import { activeTab } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { copyText } from '../../ui/copy-button.tsx';
import { toastError } from '../../ui/toast.tsx';
import { toastThrown } from '../../engine/toast-thrown.ts';

/** Stands once in the window; draws nothing. */
export function ModelCommands() {
  const { client, state } = useEngine();
  const nameOf = (name: string): string => name || (activeTab()?.address.model ?? '');
  useCommand(
    'curl.copy',
    (name) => void copyCurl(client, nameOf(name)).catch(toastThrown),
    (name) => (state.models.getState().byName.has(nameOf(name)) ? undefined : t('command.needsModel')),
  );
  return null;
}

async function copyCurl(client: EngineClient, model: string): Promise<void> {
  const request = snippetRequest(model, '', await client.call('playground/interface', { model }));
  if (request === undefined) {
    toastError(t('model.snippet.none'));
    return;
  }
  const snippets = await client.call('playground/snippets', request);
  const curl = snippets.find(({ code }) => code.startsWith('curl')) ?? snippets[0];
  if (curl !== undefined) await copyText(curl.code);
}
