// Texts open in the editor, one Monaco text model per document. They outlive the editor that shows them, so that undo
// steps survive a change of tab; whoever opened a document disposes of it.

import { liveIssuesOf, liveProblems } from '../../lib/live-problems.ts';
import { editor, MarkerSeverity, Range, Uri } from './monaco.ts';
import type { IRange } from './monaco.ts';
import { CONFIG_LANGUAGE } from './triton-language.ts';
import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';

const SCHEME = 'conch';
const MARKER_OWNER = 'config';

const SEVERITIES = {
  error: MarkerSeverity.Error,
  warning: MarkerSeverity.Warning,
  info: MarkerSeverity.Info,
} as const;

/** One for each document, in a scheme of our own. */
export function uriOf(document: string): Uri {
  return Uri.from({ scheme: SCHEME, path: `/${document}` });
}

/** Undefined for texts of the editor that are not ours. */
export function documentOf({ scheme, path }: Uri): string | undefined {
  return scheme === SCHEME ? path.slice(1) : undefined;
}

/** The open document's text model; opened with `text` when it is not open. */
export function openDocument(document: string, text: string): editor.ITextModel {
  const uri = uriOf(document);
  const known = editor.getModel(uri);
  return known ?? createTextModel(document, text, uri);
}

const CODE_LANGUAGES: Readonly<Record<string, string>> = {
  py: 'python',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
};

/** Source files are in the language of their name, everything else in that of configurations. */
function languageOf(document: string): string {
  const [, file] = /^[^/]+\/code\/(.+)$/.exec(document) ?? [];
  if (file === undefined) return CONFIG_LANGUAGE;
  return CODE_LANGUAGES[file.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'plaintext';
}

/** A text model in the language of the document; whoever creates it disposes of it. */
export function createTextModel(document: string, text: string, uri?: Uri): editor.ITextModel {
  const language = languageOf(document);
  const model = editor.createModel(text, language, uri);
  model.updateOptions({
    tabSize: language === 'python' ? 4 : 2,
    bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
  });
  return model;
}

/** With its undo steps. Does nothing for a document that is not open. */
export function disposeDocument(document: string): void {
  editor.getModel(uriOf(document))?.dispose();
}

/** Compares lengths first: most texts differ there, and making the value of a long one takes time. */
export function holdsText(model: editor.ITextModel, text: string): boolean {
  return model.getValueLength() === text.length && model.getValue() === text;
}

/** Makes the text model hold `text`, as one step that can be undone; changes only what differs. */
export function replaceText(model: editor.ITextModel, text: string): void {
  const ending = text.includes('\r\n') ? '\r\n' : '\n';
  if (model.getEOL() !== ending) {
    const { CRLF, LF } = editor.EndOfLineSequence;
    model.pushEOL(ending === '\r\n' ? CRLF : LF);
  }
  const before = model.getValue();
  const { start, beforeEnd, afterEnd } = changedPart(before, text);
  model.pushStackElement();
  model.pushEditOperations(
    [],
    [{ range: rangeOf(model, start, beforeEnd), text: text.slice(start, afterEnd) }],
    () => null,
  );
  model.pushStackElement();
}

/** What lies between the common start and the common end of two texts. */
function changedPart(
  before: string,
  after: string,
): { readonly start: number; readonly beforeEnd: number; readonly afterEnd: number } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { start, beforeEnd: before.length - end, afterEnd: after.length - end };
}

/** Offsets in UTF-16 code units to lines and columns from 1; those beyond the end become the end. */
export function rangeOf(model: editor.ITextModel, startOffset: number, endOffset: number): IRange {
  return Range.fromPositions(model.getPositionAt(startOffset), model.getPositionAt(endOffset));
}

/** Shows the document's findings as markers until the returned function is called. */
export function followMarkers(document: string, model: editor.ITextModel): () => void {
  const apply = (issues: readonly ConfigIssueView[]): void => {
    if (model.isDisposed()) return;
    editor.setModelMarkers(
      model,
      MARKER_OWNER,
      issues.map((issue) => markerOf(model, issue)),
    );
  };
  apply(liveIssuesOf(document));
  return liveProblems.subscribe((state, before) => {
    const issues = liveIssuesOf(document, state);
    if (issues !== liveIssuesOf(document, before)) apply(issues);
  });
}

function markerOf(model: editor.ITextModel, issue: ConfigIssueView): editor.IMarkerData {
  const { code, severity, message, hint } = issue;
  return {
    ...visibleRange(model, issue),
    severity: SEVERITIES[severity],
    code,
    source: 'config',
    message: hint === '' ? message : `${message}\n${hint}`,
  };
}

/** A finding of no width is shown on its word, at the end of a line on the character before. */
function visibleRange(model: editor.ITextModel, issue: ConfigIssueView): IRange {
  const range = Range.lift(rangeOf(model, issue.startOffset, issue.endOffset));
  if (!range.isEmpty()) return range;
  const { lineNumber, column } = range.getStartPosition();
  const word = model.getWordAtPosition({ lineNumber, column });
  if (word !== null) return new Range(lineNumber, word.startColumn, lineNumber, word.endColumn);
  const last = model.getLineMaxColumn(lineNumber);
  return column < last
    ? new Range(lineNumber, column, lineNumber, column + 1)
    : new Range(lineNumber, Math.max(1, column - 1), lineNumber, column);
}
