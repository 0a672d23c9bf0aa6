// Two texts beside each other, differences marked; the right one is the document in the editor and follows it.

import { useEffect, useEffectEvent, useRef } from 'react';

import { createTextModel, holdsText, openDocument, replaceText } from '../monaco/config-documents.ts';
import { registerConfigLanguage } from '../monaco/config-providers.ts';
import { editorOptions } from '../monaco/editor-options.ts';
import { editor } from '../monaco/monaco.ts';
import { followTheme } from '../monaco/monaco-theme.ts';

/** `original` stands at the left, the text of `document` at the right. */
export interface TextDiffProps {
  readonly document: string;
  readonly text: string;
  readonly original: string;
  readonly label: string;
}

/** Fills its parent. Neither side is edited here. */
export function TextDiff({ document, text, original, label }: TextDiffProps) {
  const host = useRef<HTMLDivElement>(null);
  const left = useRef<editor.ITextModel>(undefined);
  const right = useRef<editor.ITextModel>(undefined);
  const initial = useEffectEvent(() => ({ original, text, label }));

  useEffect(() => {
    if (host.current === null) return undefined;
    registerConfigLanguage();
    const stopTheme = followTheme();
    const first = initial();
    const before = createTextModel(document, first.original);
    const after = openDocument(document, first.text);
    const instance = editor.createDiffEditor(host.current, {
      ...editorOptions(),
      ariaLabel: first.label,
      readOnly: true,
      originalEditable: false,
      renderSideBySide: true,
      useInlineViewWhenSpaceIsLimited: true,
      renderSideBySideInlineBreakpoint: 700,
      hideUnchangedRegions: { enabled: true, contextLineCount: 3, minimumLineCount: 4 },
      renderOverviewRuler: false,
      lineNumbersMinChars: 3,
    });
    instance.setModel({ original: before, modified: after });
    left.current = before;
    right.current = after;
    return () => {
      instance.dispose();
      before.dispose();
      stopTheme();
      left.current = undefined;
      right.current = undefined;
    };
  }, [document]);

  useEffect(() => {
    if (left.current?.getValue() !== original) left.current?.setValue(original);
  }, [document, original]);

  useEffect(() => {
    if (right.current !== undefined && !holdsText(right.current, text)) replaceText(right.current, text);
  }, [document, text]);

  return <div ref={host} data-testid="config-diff" className="min-h-0 flex-1" />;
}
