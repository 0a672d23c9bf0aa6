// Findings in texts that are open in an editor, saved or not, by document: a model's name for its config.pbtxt. They
// are newer than what the engine counted from the file, so lists and counts prefer them.

import { createStore } from 'zustand/vanilla';

import type { ConfigIssueView } from '../../src-shared/contract/config-calls.ts';
import type { ModelView } from '../../src-shared/contract/model-view.ts';

export type IssuesByDocument = ReadonlyMap<string, readonly ConfigIssueView[]>;

export const liveProblems = createStore<{ readonly byDocument: IssuesByDocument }>(() => ({
  byDocument: new Map(),
}));

const NO_ISSUES: readonly ConfigIssueView[] = [];

/** Same array until the document's findings change. */
export function liveIssuesOf(document: string, { byDocument } = liveProblems.getState()) {
  return byDocument.get(document) ?? NO_ISSUES;
}

export function setLiveIssues(document: string, issues: readonly ConfigIssueView[]): void {
  liveProblems.setState(({ byDocument }) => ({ byDocument: new Map(byDocument).set(document, issues) }));
}

/** The document is closed; what the engine knows counts again. */
export function forgetLiveIssues(document: string): void {
  const byDocument = new Map(liveProblems.getState().byDocument);
  if (byDocument.delete(document)) liveProblems.setState({ byDocument });
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

export function countIssues(issues: readonly ConfigIssueView[]): ModelView['issueCounts'] {
  const count = (severity: ConfigIssueView['severity']): number =>
    issues.filter((issue) => issue.severity === severity).length;
  return { error: count('error'), warning: count('warning'), info: count('info') };
}
