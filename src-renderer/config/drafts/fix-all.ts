// Several repairs of one text at once: the first plain repair of every error, as far as they touch different places.
// Pure; what is left over is found again in the repaired text.

import type { TextEdit } from '../../../src-shared/config/text-format/ast.ts';
import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';

interface FixAll {
  readonly count: number;
  readonly edits: readonly TextEdit[];
}

/** The same edit proposed by two findings counts once for both. */
export function fixAllOf(issues: readonly Pick<ConfigIssueView, 'severity' | 'fixes'>[]): FixAll {
  const edits: TextEdit[] = [];
  let count = 0;
  for (const { severity, fixes } of issues) {
    const fix = fixes.find(({ action, edits: wanted }) => action === undefined && wanted.length > 0);
    if (severity !== 'error' || fix === undefined) continue;
    const added = fix.edits.filter((edit) => !edits.some((taken) => isSame(taken, edit)));
    if (added.some((edit) => edits.some((taken) => overlaps(taken, edit)))) continue;
    edits.push(...added);
    count += 1;
  }
  return { count, edits };
}

function isSame(a: TextEdit, b: TextEdit): boolean {
  return a.startOffset === b.startOffset && a.endOffset === b.endOffset && a.newText === b.newText;
}

/** Two insertions at one place overlap as well: which comes first would be chance. */
function overlaps(a: TextEdit, b: TextEdit): boolean {
  if (a.startOffset === b.startOffset && a.endOffset === b.endOffset) return true;
  return a.startOffset < b.endOffset && b.startOffset < a.endOffset;
}
