// The text editor of a configuration or a source file. Shows the document's own text model, so undo steps and findings belong to the
// document; what is typed goes out through `onText`, what changes elsewhere comes in through `text`.

import { useEffect, useEffectEvent, useRef } from 'react';

import {
  disposeDocument,
  followMarkers,
  holdsText,
  openDocument,
  replaceText,
} from '../monaco/config-documents.ts';
import { registerConfigLanguage } from '../monaco/config-providers.ts';
import { editor } from '../monaco/monaco.ts';
import { editorOptions } from '../monaco/editor-options.ts';
import { followTheme } from '../monaco/monaco-theme.ts';
import { drafts } from '../drafts/config-drafts.ts';
import type { EditorTarget } from './editor-control.ts';
import { wasShown, withEditor } from './editor-control.ts';

/** A document with the texts around it, and what is told of it. */
export interface CodeEditorProps {
  readonly document: string;
  readonly text: string;
  /** What is on disk: the state that undoing leads back to when the text was changed before it was first shown. */
  readonly savedText: string;
  /** The whole text, when the user changed it; not for what came in through `text`. */
  readonly onText: (text: string) => void;
  readonly label: string;
  /** undefined = the text can be changed. */
  readonly readOnlyReason: string | undefined;
  /** A place to go to; each object once. */
  readonly target: EditorTarget | undefined;
  readonly testId?: string;
}

const viewStates = new Map<string, editor.ICodeEditorViewState | null>();

// A text model lives as long as its draft.
drafts.subscribe(({ byDocument }, before) => {
  for (const document of before.byDocument.keys()) {
    if (byDocument.has(document)) continue;
    disposeDocument(document);
    viewStates.delete(document);
  }
});

/** Fills its parent. The document's text model outlives the component. */
export function CodeEditor({
  document,
  text,
  savedText,
  onText,
  label,
  readOnlyReason,
  target,
  testId = 'config-editor',
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const shown = useRef<editor.IStandaloneCodeEditor>(undefined);
  /** What the text model holds, as far as it told. */
  const typed = useRef<string>(undefined);
  const onTyped = useEffectEvent(onText);
  const create = useEffectEvent((element: HTMLElement) =>
    editor.create(element, {
      ...editorOptions(),
      model: openDocument(document, savedText),
      ariaLabel: label,
    }),
  );

  useEffect(() => {
    if (host.current === null) return undefined;
    registerConfigLanguage();
    const stopTheme = followTheme();
    const instance = create(host.current);
    const model = instance.getModel();
    typed.current = undefined;
    instance.restoreViewState(viewStates.get(document) ?? null);
    shown.current = instance;
    const typing = instance.onDidChangeModelContent(() => {
      typed.current = instance.getValue();
      onTyped(typed.current);
    });
    // Findings below take room from the editor while one types: the line being typed stays in view.
    const resizing = instance.onDidLayoutChange(() => {
      const position = instance.getPosition();
      if (position !== null && instance.hasTextFocus()) instance.revealPosition(position);
    });
    const stopMarkers = model === null ? undefined : followMarkers(document, model);
    const release = withEditor(document, {
      focus: () => instance.focus(),
      trigger: (action) => {
        instance.focus();
        instance.trigger('command', action, null);
      },
      reveal: (place) => reveal(instance, place),
    });
    return () => {
      viewStates.set(document, instance.saveViewState());
      release();
      stopMarkers?.();
      typing.dispose();
      resizing.dispose();
      instance.dispose();
      stopTheme();
      shown.current = undefined;
    };
  }, [document]);

  useEffect(() => {
    // What was typed here comes back with the next drawing.
    if (text === typed.current) return;
    const model = shown.current?.getModel();
    if (model !== null && model !== undefined && !holdsText(model, text)) replaceText(model, text);
  }, [document, text]);

  useEffect(() => {
    shown.current?.updateOptions({
      readOnly: readOnlyReason !== undefined,
      ...(readOnlyReason === undefined ? {} : { readOnlyMessage: { value: readOnlyReason } }),
    });
  }, [document, readOnlyReason]);

  useEffect(() => {
    if (target === undefined || shown.current === undefined || wasShown(target)) return;
    reveal(shown.current, target);
  }, [document, target]);

  // The padding is where the focus ring shows: the editor paints over an outline of its own.
  return (
    <div
      ref={host}
      data-testid={testId}
      className="min-h-0 flex-1 p-0.5 -outline-offset-2 outline-focus has-[.monaco-editor.focused]:outline-2"
    />
  );
}

function reveal(instance: editor.IStandaloneCodeEditor, target: EditorTarget): void {
  const { line, find, offset } = target;
  const model = instance.getModel();
  if (model === null) return;
  if (target.isFocusOnly === true) {
    instance.focus();
    return;
  }
  const match =
    find === undefined ? undefined : model.findMatches(find, true, false, true, null, false, 1)[0];
  const position =
    match !== undefined
      ? match.range
      : offset !== undefined
        ? model.getPositionAt(offset)
        : { lineNumber: Math.min(line ?? 1, model.getLineCount()), column: 1 };
  const place =
    'startLineNumber' in position
      ? { lineNumber: position.startLineNumber, column: position.startColumn }
      : position;
  instance.setPosition(place);
  instance.revealPositionInCenterIfOutsideViewport(place);
  instance.focus();
}
