// Findings about one place of an ensemble, with their repairs.

import { useEngine } from '../../../engine/engine-context.tsx';
import { toastThrown } from '../../../engine/toast-thrown.ts';
import { runFixAction } from '../../../config/drafts/fix-actions.ts';
import { editsOfRepair, repairText } from '../../../config/drafts/repair-text.ts';
import type { ConfigIssueView } from '../../../../src-shared/contract/config-calls.ts';
import { modelAddress } from '../../../lib/address.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';

/** Findings, and the text that their repairs are edits of. */
export interface IssueListProps {
  readonly model: string;
  readonly text: string;
  readonly issues: readonly ConfigIssueView[];
  /** The whole text after the repair that was pressed. */
  readonly onText: (text: string) => void;
}

/** A repair that is an edit goes out through `onText`; others are done at once. */
export function IssueList({ model, text, issues, onText }: IssueListProps) {
  const engine = useEngine();
  return (
    <ul className="flex flex-col gap-2">
      {issues.map((issue) => (
        <li
          key={`${issue.code} ${issue.path} ${issue.message}`}
          data-testid={`graph-issue-${issue.code}`}
          className="rounded border border-bad/40 bg-bad-soft px-2 py-1.5"
        >
          <p className="text-strong">
            <Badge tone="bad">{issue.code}</Badge> {issue.message}
          </p>
          {issue.hint !== '' && <p className="mt-0.5 text-sm text-soft">{issue.hint}</p>}
          <div className="mt-1.5 flex flex-wrap gap-2">
            {issue.fixes
              .filter(({ edits, action }) =>
                action === undefined ? edits.length > 0 : action !== 'batch-probe',
              )
              .map((fix) => (
                <Button
                  key={fix.title}
                  size="sm"
                  onClick={() => {
                    if (fix.action === undefined) {
                      const editsOf = (found: readonly ConfigIssueView[]) =>
                        editsOfRepair(found, issue, fix.title);
                      void repairText(model, editsOf, onText).catch(toastThrown);
                    } else void runFixAction(engine, { model, text, issue }, fix);
                  }}
                >
                  {fix.title}
                </Button>
              ))}
            {issue.line > 0 && (
              <Button
                size="sm"
                variant="ghost"
                onClick={() => open(modelAddress(model, 'config', { line: String(issue.line) }))}
              >
                {t('graph.issues.show', { line: issue.line })}
              </Button>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
