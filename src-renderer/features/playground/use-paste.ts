// A file that is pasted while no field has the focus goes to the first input that can take it; a picture to the first
// one that takes pictures. What is pasted into a field or onto a card is theirs.

import { useEffect } from 'react';

import { useClient } from '../../engine/engine-context.tsx';
import type { InputDraft } from './draft.ts';
import { takeFile } from './file-actions.ts';
import { fileKind } from './file-kind.ts';
import type { PlaygroundStore } from './playground-store.ts';

const OWN_TARGETS = 'input, textarea, select, [contenteditable="true"], [data-drop-target="input"]';

/** The input that a file would fill when nobody says which; undefined = none. */
function inputForFile(file: File, inputs: readonly InputDraft[]): InputDraft | undefined {
  const kinds = inputs.map((input) => ({ input, kind: fileKind(file, input) }));
  const made = kinds.find(({ kind }) => kind === 'image' || kind === 'sound');
  return (made ?? kinds.find(({ kind }) => kind !== undefined))?.input;
}

/** Takes pasted files while the component is mounted. */
export function usePaste(store: PlaygroundStore): void {
  const client = useClient();
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const file = event.clipboardData?.files[0];
      const isTheirs = event.target instanceof Element && event.target.closest(OWN_TARGETS) !== null;
      if (event.defaultPrevented || isTheirs || file === undefined) return;
      const input = inputForFile(file, store.getState().draft?.inputs ?? []);
      if (input === undefined) return;
      event.preventDefault();
      void takeFile(client, store, input, file);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [client, store]);
}
