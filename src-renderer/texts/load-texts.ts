// Fetches the texts that are not in the first script. Whatever draws a screen waits for them.

import { addTexts } from './translate.ts';

let loading: Promise<void> | undefined;

/** Resolves when all texts can be used; a failure is tried again by the next call. */
export function loadTexts(): Promise<void> {
  loading ??= import('./late-texts.ts').then(
    ({ lateTexts }) => addTexts(lateTexts),
    (thrown: unknown) => {
      // Asked for again by the next screen.
      loading = undefined;
      throw thrown;
    },
  );
  return loading;
}
