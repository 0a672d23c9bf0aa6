// The findings of the text below the editor, in source order, each with Triton's sentence, what to do, and repairs.

import { CircleAlert, CircleCheck, CircleX, TriangleAlert, Workflow, Wrench } from 'lucide-react';
import { memo } from 'react';
import { useStore } from 'zustand';

import type { ConfigFix, ConfigIssueView } from '../../../../src-shared/contract/config-calls.ts';
import { issueWords } from '../../../lib/issue-words.ts';
import { modelAddress } from '../../../lib/address.ts';
import {
  countIssues,
  ignoredCount,
  liveIssuesOf,
  liveProblems,
  showIgnored,
} from '../../../lib/live-problems.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Badge, TONE_TEXT } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Icon } from '../../../ui/icon.tsx';
import { draftOf } from '../../../config/drafts/config-drafts.ts';
import { fixAllOf } from '../../../config/drafts/fix-all.ts';
import { editsOfRepair, repairText } from '../../../config/drafts/repair-text.ts';
import { runFixAction } from '../../../config/drafts/fix-actions.ts';
import { useEngine } from '../../../engine/engine-context.tsx';
import { toastThrown } from '../../../engine/toast-thrown.ts';
import { editorOf } from '../../../config/editor/editor-control.ts';

const LOOKS = {
  error: { icon: CircleX, tone: 'bad' },
  warning: { icon: TriangleAlert, tone: 'warn' },
  info: { icon: CircleAlert, tone: 'info' },
} as const;

/** Repairs that a read-only folder allows. */
const WRITES_NOTHING: ReadonlySet<ConfigFix['action']> = new Set([
  'ignore',
  'open-model',
  'import-model',
  'batch-probe',
]);

const ORDER = { error: 0, warning: 1, info: 2 } as const;

function worstFirst(issues: readonly ConfigIssueView[]): readonly ConfigIssueView[] {
  return issues.toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity]);
}

function repair(document: string, editsOf: Parameters<typeof repairText>[1]): void {
  void repairText(document, editsOf).then(() => editorOf(document)?.focus(), toastThrown);
}

/** Drawn again when the findings change, not with each key. */
export const ProblemsStrip = memo(function ProblemsStrip({
  document,
  checkError,
  lockedReason,
  onProbe,
}: {
  readonly document: string;
  readonly checkError: string | undefined;
  /** Undefined = repairs can be made. */
  readonly lockedReason: string | undefined;
  /** Undefined where no model file can be probed. */
  readonly onProbe: (() => void) | undefined;
}) {
  const issues = useStore(liveProblems, (state) => liveIssuesOf(document, state));
  const sorted = worstFirst(issues);
  const counts = countIssues(issues);
  const isChecked = useStore(liveProblems, ({ byDocument }) => byDocument.has(document));
  const ignored = useStore(liveProblems, (state) => ignoredCount(document, state));
  return (
    <section
      aria-label={t('config.problems')}
      data-testid="config-problems"
      data-count={issues.length}
      className="flex max-h-[38%] shrink-0 flex-col border-t border-line bg-canvas"
    >
      <p
        className="flex h-7 shrink-0 items-center gap-1.5 px-3 text-sm text-soft"
        role="status"
        aria-live="polite"
      >
        {checkError !== undefined ? (
          t('config.problems.checkFailed', { reason: checkError })
        ) : !isChecked ? (
          // Nothing is known yet: that there are none would be said to readers, and then be wrong.
          t('config.problems.checking')
        ) : issues.length === 0 ? (
          <>
            <Icon of={CircleCheck} size={14} className="text-good" />
            {t('config.problems.none')}
          </>
        ) : (
          t('config.problems.count', {
            errors: counts.error,
            warnings: counts.warning,
            infos: counts.info,
          }).trim()
        )}
        <FixAllButton document={document} issues={sorted} lockedReason={lockedReason} />
        {ignored > 0 && (
          <>
            <span className="ml-auto">{t('config.problems.ignored', { count: ignored })}</span>
            <button
              type="button"
              data-testid="config-show-ignored"
              className="min-h-6 rounded px-1 text-accent hover:underline"
              onClick={() => showIgnored(document)}
            >
              {t('config.problems.showIgnored')}
            </button>
          </>
        )}
      </p>
      {issues.length > 0 && (
        <ul className="min-h-0 overflow-auto border-t border-line">
          {sorted.map((issue, index) => (
            <Problem
              key={`${issue.code} ${issue.path} ${index}`}
              document={document}
              issue={issue}
              lockedReason={lockedReason}
              onProbe={onProbe}
            />
          ))}
        </ul>
      )}
    </section>
  );
});

function FixAllButton({
  document,
  issues,
  lockedReason,
}: {
  readonly document: string;
  readonly issues: readonly ConfigIssueView[];
  readonly lockedReason: string | undefined;
}) {
  const { count } = fixAllOf(issues);
  if (count < 2) return null;
  return (
    <Button
      size="sm"
      icon={Wrench}
      disabledReason={lockedReason}
      data-testid="config-fix-all"
      onClick={() => repair(document, (found) => fixAllOf(worstFirst(found)).edits)}
    >
      {t('config.problems.fixAll', { count })}
    </Button>
  );
}

function Problem({
  document,
  issue,
  lockedReason,
  onProbe,
}: {
  readonly document: string;
  readonly issue: ConfigIssueView;
  readonly lockedReason: string | undefined;
  readonly onProbe: (() => void) | undefined;
}) {
  const { code, severity, line, fixes } = issue;
  const { text, more } = issueWords(issue);
  const { icon, tone } = LOOKS[severity];
  const engine = useEngine();
  const apply = (fix: ConfigFix): void => {
    if (fix.action === 'batch-probe') {
      onProbe?.();
      return;
    }
    if (fix.action === undefined) {
      repair(document, (found) => editsOfRepair(found, issue, fix.title));
      return;
    }
    const draft = draftOf(document);
    if (draft === undefined) return;
    void runFixAction(engine, { model: draft.model, document, text: draft.text, issue }, fix);
  };
  return (
    <li
      data-testid={`problem-${code}`}
      data-severity={severity}
      data-line={line}
      className="grid grid-cols-[auto_auto_minmax(0,1fr)_auto] items-start gap-x-2 border-b border-line/60 px-3 py-1.5 last:border-b-0"
    >
      <span className={cx('pt-0.5', TONE_TEXT[tone])} title={t(`config.severity.${severity}`)}>
        <Icon of={icon} size={14} />
        <span className="sr-only">{t(`config.severity.${severity}`)}</span>
      </span>
      <span className="pt-px">
        <Badge tone={tone}>{code}</Badge>
      </span>
      <div className="min-w-0">
        <p className="break-words text-strong select-text">{text}</p>
        {code === 'D70' && (
          <p className="mt-0.5">
            <Badge tone="info">{t('config.problems.productionOnly')}</Badge>
          </p>
        )}
        {more !== '' && <p className="text-sm text-soft select-text">{more}</p>}
        <div className="mt-1 flex flex-wrap gap-1.5 empty:hidden">
          {fixes
            .filter((fix) => isOffered(fix, onProbe))
            .map((fix) => (
              <Button
                key={fix.title}
                size="sm"
                icon={WRITES_NOTHING.has(fix.action) ? undefined : Wrench}
                data-testid={fix.action === 'batch-probe' ? 'quickfix-probe' : `quickfix-${code}`}
                disabledReason={WRITES_NOTHING.has(fix.action) ? undefined : lockedReason}
                onClick={() => apply(fix)}
              >
                {fix.title}
              </Button>
            ))}
          {code === 'D50' && isMainFile(document) && (
            <Button
              size="sm"
              icon={Workflow}
              data-testid="problem-in-graph"
              onClick={() => open(modelAddress(document, 'graph', { at: issue.path }))}
            >
              {t('config.problems.inGraph')}
            </Button>
          )}
        </div>
      </div>
      <button
        type="button"
        className="min-h-6 rounded px-1.5 text-sm whitespace-nowrap text-accent hover:underline"
        onClick={() => editorOf(document)?.reveal({ offset: issue.startOffset })}
      >
        {t('config.problems.goTo', { line })}
      </button>
    </li>
  );
}

function isOffered({ edits, action }: ConfigFix, onProbe: (() => void) | undefined): boolean {
  if (action === 'batch-probe') return onProbe !== undefined;
  return edits.length > 0 || action !== undefined;
}

/** The drawing shows config.pbtxt itself, none of its profiles. */
function isMainFile(document: string): boolean {
  return !document.includes('/');
}
