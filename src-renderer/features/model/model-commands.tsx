// Commands about models that need more than the frame knows: the curl text of a model's request.

import { snippetRequest } from '../../actions/sample-request.ts';
import type { EngineClient } from '../../engine/engine-client.ts';
import { useEngine } from '../../engine/engine-context.tsx';
import { commandModel, useCommand } from '../../lib/command-registry.ts';
import { t } from '../../texts/translate.ts';
import { copyText } from '../../ui/copy-button.tsx';
import { toastError } from '../../ui/toast.tsx';
import { toastThrown } from '../../engine/toast-thrown.ts';

/** Stands once in the window; draws nothing. */
export function ModelCommands() {
  const { client, state } = useEngine();
  const nameOf = (argument: string | undefined): string | undefined => {
    const name = commandModel(argument);
    return name !== undefined && state.models.getState().byName.has(name) ? name : undefined;
  };
  useCommand(
    'curl.copy',
    (argument) => {
      const name = nameOf(argument);
      if (name !== undefined) copyCurl(client, name).catch(toastThrown);
    },
    (argument) => (nameOf(argument) === undefined ? t('command.needsModel') : undefined),
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
