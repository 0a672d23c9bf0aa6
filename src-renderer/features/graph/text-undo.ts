// Steps of a text that were made outside the editor, so that they can be undone where they were made. A step can only be
// taken back while the text is still what it left. In the editor each of them is a step as well.

import { createStore } from 'zustand/vanilla';

import { draftOf, setDraftText } from '../../config/drafts/config-drafts.ts';

interface TextStep {
  readonly before: string;
  readonly after: string;
}

interface Steps {
  readonly done: readonly TextStep[];
  readonly undone: readonly TextStep[];
}

const NONE: Steps = { done: [], undone: [] };
const KEPT = 50;

/** By document, as drafts name them. */
export const textSteps = createStore<{ readonly byDocument: Readonly<Record<string, Steps>> }>(() => ({
  byDocument: {},
}));

function put(document: string, steps: Steps): void {
  textSteps.setState(({ byDocument }) => ({ byDocument: { ...byDocument, [document]: steps } }));
}

/** Steps of a document, the newest last; none for one that has not been changed here. */
export function stepsOf(document: string, { byDocument } = textSteps.getState()): Steps {
  return byDocument[document] ?? NONE;
}

/** Changes the document's text, as a step. */
export function changeText(document: string, after: string): void {
  const before = draftOf(document)?.text;
  if (before === undefined || before === after) return;
  setDraftText(document, after);
  put(document, { done: [...stepsOf(document).done, { before, after }].slice(-KEPT), undone: [] });
}

/** The text is still what the newest step made of it. */
export function canUndo(steps: Steps, text: string): boolean {
  return steps.done.at(-1)?.after === text;
}

/** The text is still what the step that was taken back found. */
export function canRedo(steps: Steps, text: string): boolean {
  return steps.undone.at(-1)?.before === text;
}

/** False when there is no step to take back from what the text is now. */
export function undoText(document: string): boolean {
  const { done, undone } = stepsOf(document);
  const last = done.at(-1);
  if (last === undefined || draftOf(document)?.text !== last.after) return false;
  setDraftText(document, last.before);
  put(document, { done: done.slice(0, -1), undone: [...undone, last] });
  return true;
}

/** False when there is no step to make again on what the text is now. */
export function redoText(document: string): boolean {
  const { done, undone } = stepsOf(document);
  const next = undone.at(-1);
  if (next === undefined || draftOf(document)?.text !== next.before) return false;
  setDraftText(document, next.after);
  put(document, { done: [...done, next], undone: undone.slice(0, -1) });
  return true;
}
