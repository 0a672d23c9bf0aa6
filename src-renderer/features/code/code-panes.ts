// How the Code tab is laid out: which file of each model is shown, and what it is compared with. Survives changes of tab.

import { createStore } from 'zustand/vanilla';

export type Original = 'disk' | 'git';

export interface CodePanes {
  /** Model -> file that was chosen; no entry = the one that is loaded. */
  readonly files: Readonly<Record<string, string>>;
  readonly isComparing: boolean;
  readonly original: Original;
}

export const codePanes = createStore<CodePanes>(() => ({ files: {}, isComparing: false, original: 'disk' }));

/** Shows a source file of a model; `file` is relative to its folder. */
export function showFile(model: string, file: string): void {
  codePanes.setState(({ files }) => ({ files: { ...files, [model]: file } }));
}
