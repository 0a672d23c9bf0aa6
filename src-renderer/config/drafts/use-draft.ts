// A draft bound to a component. What shows its text is drawn for every key; everything else follows the head, which stays
// the same object while one types.

import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';

import type { DraftHead } from './config-drafts.ts';
import { draftOf, drafts, headOf } from './config-drafts.ts';

/** "" while the document is not open. */
export function useDraftText(document: string): string {
  return useStore(drafts, (state) => draftOf(document, state)?.text ?? '');
}

/** Undefined until the document was read. */
export function useDraftHead(document: string): DraftHead | undefined {
  return useStore(
    drafts,
    useShallow((state) => {
      const draft = draftOf(document, state);
      return draft === undefined ? undefined : headOf(draft);
    }),
  );
}
