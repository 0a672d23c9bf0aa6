// Findings in texts that are open in an editor, saved or not, by document: a model's name for its config.pbtxt. They
// are newer than what the engine counted from the file, so lists and counts prefer them.

import { createStore } from 'zustand/vanilla';

import type { ConfigIssueView } from '../../src-shared/contract/config-calls.ts';
import type { ModelView } from '../../src-shared/contract/model-view.ts';

/** What is wrong with the texts that are being edited, by document. */
export type IssuesByDocument = ReadonlyMap<string, readonly ConfigIssueView[]>;

interface LiveProblems {
  /** What is shown and counted. */
  readonly byDocument: IssuesByDocument;
  /** Everything found, what was put aside included. */
  readonly found: IssuesByDocument;
  /** Findings put aside for as long as the text is open, by document. */
  readonly ignored: ReadonlyMap<string, ReadonlySet<string>>;
  /** The text that the offsets of the findings are those of. */
  readonly checkedTexts: ReadonlyMap<string, string>;
}

/** What is found in texts while they are edited, by document. */
export const liveProblems = createStore<LiveProblems>(() => ({
  byDocument: new Map(),
  found: new Map(),
  ignored: new Map(),
  checkedTexts: new Map(),
}));

const NO_ISSUES: readonly ConfigIssueView[] = [];

/** Same array until the document's findings change. */
export function liveIssuesOf(document: string, { byDocument } = liveProblems.getState()) {
  return byDocument.get(document) ?? NO_ISSUES;
}

/** The text of a document that its findings are of; undefined = none was checked. */
export function checkedTextOf(document: string): string | undefined {
  return liveProblems.getState().checkedTexts.get(document);
}

/** Everything the checks found in `text` of a document; what was put aside before stays so. */
export function setLiveIssues(document: string, issues: readonly ConfigIssueView[], text?: string): void {
  const { checkedTexts } = liveProblems.getState();
  if (text !== undefined && checkedTexts.get(document) !== text)
    liveProblems.setState({ checkedTexts: new Map(checkedTexts).set(document, text) });
  const { byDocument, found, ignored } = liveProblems.getState();
  const shown = withoutIgnored(issues, ignored.get(document));
  if (isSame(found.get(document), issues) && isSame(byDocument.get(document), shown)) return;
  liveProblems.setState({
    byDocument: new Map(byDocument).set(document, shown),
    found: new Map(found).set(document, issues),
  });
}

/** Most checks of a text that is being typed find what the last one found. */
function isSame(before: readonly ConfigIssueView[] | undefined, after: readonly ConfigIssueView[]): boolean {
  return before?.length === after.length && JSON.stringify(before) === JSON.stringify(after);
}

/** Puts a finding aside until showIgnored or until the text is closed. */
export function ignoreIssue(document: string, issue: ConfigIssueView): void {
  const { ignored, found } = liveProblems.getState();
  const keys = new Set(ignored.get(document)).add(keyOf(issue));
  liveProblems.setState({ ignored: new Map(ignored).set(document, keys) });
  setLiveIssues(document, found.get(document) ?? NO_ISSUES);
}

/** Brings back what was put aside of a document. */
export function showIgnored(document: string): void {
  const ignored = new Map(liveProblems.getState().ignored);
  ignored.delete(document);
  liveProblems.setState({ ignored });
  setLiveIssues(document, liveProblems.getState().found.get(document) ?? NO_ISSUES);
}

/** Findings of a document that are put aside. */
export function ignoredCount(document: string, { byDocument, found } = liveProblems.getState()): number {
  return (found.get(document)?.length ?? 0) - (byDocument.get(document)?.length ?? 0);
}

/** Another text at the same place is another finding only when it says something else. */
function keyOf({ code, path, message }: ConfigIssueView): string {
  return `${code} ${path} ${message}`;
}

function withoutIgnored(
  issues: readonly ConfigIssueView[],
  ignored: ReadonlySet<string> | undefined,
): readonly ConfigIssueView[] {
  return ignored === undefined ? issues : issues.filter((issue) => !ignored.has(keyOf(issue)));
}

/** The document is closed; what the engine knows counts again. */
export function forgetLiveIssues(document: string): void {
  const state = liveProblems.getState();
  const byDocument = new Map(state.byDocument);
  if (!byDocument.delete(document)) return;
  const found = new Map(state.found);
  const ignored = new Map(state.ignored);
  const checkedTexts = new Map(state.checkedTexts);
  for (const map of [found, ignored, checkedTexts]) map.delete(document);
  liveProblems.setState({ byDocument, found, ignored, checkedTexts });
}

/** `models` with the counts of open texts in place of those from disk. Views without one keep their identity. */
export function withLiveCounts(
  models: readonly ModelView[],
  byDocument: IssuesByDocument,
): readonly ModelView[] {
  if (byDocument.size === 0) return models;
  return models.map((model) => {
    const issues = byDocument.get(model.name);
    return issues === undefined ? model : { ...model, issueCounts: countIssues(issues) };
  });
}

/** By severity, as the engine counts those of a file. */
export function countIssues(issues: readonly ConfigIssueView[]): ModelView['issueCounts'] {
  const count = (severity: ConfigIssueView['severity']): number =>
    issues.filter((issue) => issue.severity === severity).length;
  return { error: count('error'), warning: count('warning'), info: count('info') };
}
