// Captured requests in the playground: one goes into the builder from the list beside it, or by the address that another
// screen opened.

import { useEffect } from 'react';

import type { EngineClient } from '../../engine/engine-client.ts';
import { useClient } from '../../engine/engine-context.tsx';
import { rememberTensor } from './captured-tensors.ts';
import type { PlaygroundStore } from './playground-store.ts';
import { editInput, restoreRequest } from './playground-store.ts';
import { toastThrown } from '../../engine/toast-thrown.ts';

/** Puts what a client sent into the builder: as values where they can be typed, else as the bytes that came. */
export async function restoreCaptured(
  client: EngineClient,
  store: PlaygroundStore,
  id: number,
): Promise<void> {
  const { request, inputs, row } = await client.call('capture/open', { id });
  for (const { name, source } of request.inputs) {
    const tensor = inputs.find((input) => input.name === name);
    if (source.kind === 'blob' && tensor !== undefined)
      rememberTensor(source.blob, { atMs: row.atMs, tensor });
  }
  restoreRequest(store, request);
  for (const { name, datatype, values } of inputs) {
    if (values === undefined) continue;
    // Of another type than the model's, the same values would be another request.
    editInput(store, name, (input) =>
      input.datatype === datatype ? { ...input, mode: 'values', values } : input,
    );
  }
}

const restoredQueries = new WeakSet<object>();

/** `?captured=12`, once per address: coming back to the tab must not undo what was edited since. */
export function useCapturedAddress(
  store: PlaygroundStore,
  query: Readonly<Record<string, string>>,
  hasDraft: boolean,
): void {
  const client = useClient();
  useEffect(() => {
    const { captured } = query;
    if (captured === undefined || !hasDraft || restoredQueries.has(query)) return;
    restoredQueries.add(query);
    restoreCaptured(client, store, Number(captured)).catch((thrown: unknown) => toastThrown(thrown));
  }, [client, store, query, hasDraft]);
}
