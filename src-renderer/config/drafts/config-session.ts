// What holds for all open texts together: their tabs are marked while something is unsaved, and a tab that closes takes
// its texts along. Started once, with the first config tab.

import { configLanguage } from '../language/config-language-client.ts';
import { forgetLiveIssues } from '../../lib/live-problems.ts';
import { modelAddress, tabIdOf } from '../../lib/address.ts';
import { setDirty, workspace } from '../../lib/workspace-store.ts';
import { documentsOf, draftOf, drafts, dropDrafts, isDirty } from './config-drafts.ts';

let isStarted = false;

/** Safe to call again. */
export function startConfigSession(): void {
  if (isStarted) return;
  isStarted = true;
  drafts.subscribe(markTabs);
  workspace.subscribe(({ tabs }, before) => {
    if (tabs !== before.tabs) closeDocuments(new Set(tabs.map(({ id }) => id)));
  });
}

function markTabs(): void {
  for (const model of openModels()) {
    const hasUnsaved = documentsOf(model).some((document) => {
      const draft = draftOf(document);
      return draft !== undefined && isDirty(draft);
    });
    setDirty(tabOf(model), hasUnsaved);
  }
}

/** Closing a tab with unsaved text was asked about before it got here. */
function closeDocuments(openTabs: ReadonlySet<string>): void {
  const closed = openModels().filter((model) => !openTabs.has(tabOf(model)));
  const documents = closed.flatMap((model) => documentsOf(model));
  if (documents.length === 0) return;
  dropDrafts(documents);
  for (const document of documents) {
    forgetLiveIssues(document);
    configLanguage.forget(document);
  }
}

function openModels(): readonly string[] {
  return [...new Set([...drafts.getState().byDocument.values()].map(({ model }) => model))];
}

function tabOf(model: string): string {
  return tabIdOf(modelAddress(model));
}
