// How the rest of the tab reaches the editor without importing it: the editor is loaded on demand and may not be there
// yet. One editor is shown at a time.

import { createStore } from 'zustand/vanilla';

/** A place in the text: the first match of `find`, an offset, or a 1-based line. */
export interface EditorTarget {
  /** The cursor stays where it was. */
  readonly isFocusOnly?: boolean;
  readonly line?: number | undefined;
  readonly find?: string | undefined;
  readonly offset?: number | undefined;
}

/** What can be asked of the editor that is shown. */
export interface EditorControl {
  /** The cursor stays where it was. */
  focus(): void;
  /** Runs an action of the editor by its id. */
  trigger(action: string): void;
  /** Moves the cursor to the place, scrolls when that is out of view, and gives the editor the focus. */
  reveal(target: EditorTarget): void;
}

interface Shown {
  readonly document: string;
  readonly control: EditorControl;
}

const shownEditor = createStore<{ readonly shown: Shown | undefined }>(() => ({ shown: undefined }));

/** Returns the off-switch. */
export function withEditor(document: string, control: EditorControl): () => void {
  const shown = { document, control };
  shownEditor.setState({ shown });
  return () => {
    if (shownEditor.getState().shown === shown) shownEditor.setState({ shown: undefined });
  };
}

/** Undefined while the document is not the one that is shown, or the editor still loads. */
export function editorOf(document: string): EditorControl | undefined {
  const { shown } = shownEditor.getState();
  return shown?.document === document ? shown.control : undefined;
}

const shownTargets = new WeakSet<EditorTarget>();

/** True when this very target was gone to before; coming back to a tab must not jump again. */
export function wasShown(target: EditorTarget): boolean {
  if (shownTargets.has(target)) return true;
  shownTargets.add(target);
  return false;
}
