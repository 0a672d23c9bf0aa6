// How the Code tab is laid out: which file of each model is shown, and what it is compared with. Survives changes of tab.

import { createStore } from 'zustand/vanilla';

/** What the text in the editor is compared with: the file on disk, or the last commit. */
export type Original = 'disk' | 'git';

/** The layout of the tab, of all models in this window. */
export interface CodePanes {
  /** Model -> file that was chosen; no entry = the one that is loaded. */
  readonly files: Readonly<Record<string, string>>;
  readonly isComparing: boolean;
  readonly original: Original;
}

/** Changed by the functions below. */
export const codePanes = createStore<CodePanes>(() => ({ files: {}, isComparing: false, original: 'disk' }));

/** Shows a source file of a model; `file` is relative to its folder. */
export function showFile(model: string, file: string): void {
  codePanes.setState(({ files }) => ({ files: { ...files, [model]: file } }));
}
