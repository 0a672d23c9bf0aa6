// Repairs of a text by the edits of its findings. Their offsets are those of the text that was checked: where something
// was typed since, the newer text is checked first, and the same findings are looked for in it.

import type { TextEdit } from '../../../src-shared/config/text-format/ast.ts';
import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import { checkedTextOf, liveIssuesOf, setLiveIssues } from '../../lib/live-problems.ts';
import { configLanguage } from '../language/config-language-client.ts';
import { draftOf, setDraftText } from './config-drafts.ts';

/** A check that typing took the place of is asked for again, this often. */
const TRIES = 5;

type ChooseEdits = (issues: readonly ConfigIssueView[]) => readonly TextEdit[];

/**
 * The text of an open document, changed by what `editsOf` takes from its findings; it is given those of the text as it
 * is then. Undefined = there is nothing to change. Throws what the check throws.
 */
export async function repairedText(document: string, editsOf: ChooseEdits): Promise<string | undefined> {
  for (let turn = 0; turn < TRIES; turn++) {
    const text = draftOf(document)?.text;
    if (text === undefined) return undefined;
    if (text === (checkedTextOf(document) ?? text)) {
      const edits = editsOf(liveIssuesOf(document));
      return edits.length === 0 ? undefined : applyTextEdits(text, edits);
    }
    const issues = await configLanguage.ask('check', document, text);
    if (issues !== undefined && draftOf(document)?.text === text) setLiveIssues(document, issues, text);
  }
  return undefined;
}

/** Makes the repair; `write` is another way to change the text than in the draft. */
export async function repairText(
  document: string,
  editsOf: ChooseEdits,
  write = (text: string): void => setDraftText(document, text),
): Promise<void> {
  const repaired = await repairedText(document, editsOf);
  if (repaired !== undefined) write(repaired);
}

/** The edits of a repair of one finding, where that is still to be found. */
export function editsOfRepair(
  issues: readonly ConfigIssueView[],
  { code, path }: Pick<ConfigIssueView, 'code' | 'path'>,
  title: string,
): readonly TextEdit[] {
  const same = issues.filter((issue) => issue.code === code && issue.path === path);
  const fix = same.flatMap(({ fixes }) => fixes).find((one) => one.title === title);
  return fix?.edits ?? [];
}
