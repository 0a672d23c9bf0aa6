// How the config tab is laid out: which file of each model is shown, what stands beside it. Survives changes of tab.

import { createStore } from 'zustand/vanilla';

/** What may stand beside the editor, in the order of its tabs. */
export const SIDE_VIEWS = ['effective', 'diff', 'form', 'preview'] as const;
/** What stands beside the editor. */
export type SideView = (typeof SIDE_VIEWS)[number];

/** The layout of the tab, of all models in this window. */
export interface ConfigPanes {
  readonly side: SideView;
  readonly isSplit: boolean;
  /** Model -> profile whose text is shown; undefined = config.pbtxt. */
  readonly profiles: Readonly<Record<string, string | undefined>>;
  /** What the text is compared with: "disk", "effective", "running", "git", or "profile:", "version:", "run:" and a name. */
  readonly compareWith: string;
}

/** Changed by the functions below. */
export const configPanes = createStore<ConfigPanes>(() => ({
  side: 'effective',
  isSplit: true,
  profiles: {},
  compareWith: 'disk',
}));

/** Whether a word of an address is a view beside the text. */
export function isSideView(text: string | undefined): text is SideView {
  return (SIDE_VIEWS as readonly (string | undefined)[]).includes(text);
}

/** Shows a view beside the text, which makes room for it. */
export function showSide(side: SideView): void {
  configPanes.setState({ side, isSplit: true });
}

/** Shows configs/<profile>.pbtxt of a model; without a profile config.pbtxt. */
export function showProfile(model: string, profile?: string): void {
  configPanes.setState(({ profiles }) => ({ profiles: { ...profiles, [model]: profile } }));
}

/** Shows the text against another one; for the targets see `ConfigPanes`. */
export function compareWith(target: string): void {
  configPanes.setState({ compareWith: target, side: 'diff', isSplit: true });
}
