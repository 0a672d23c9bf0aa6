// All problems of all models and repositories: what cannot be read, what the checks say of each configuration, and models that failed for another reason.
// A row leads to the place where it is repaired.

import { CircleX, Info, TriangleAlert } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useStore } from 'zustand';

import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { useModels } from '../../engine/engine-context.tsx';
import { useCall } from '../../engine/use-call.ts';
import { useLiveModels } from '../../engine/use-live-models.ts';
import type { Address } from '../../lib/address.ts';
import { address, modelAddress } from '../../lib/address.ts';
import { issueWords } from '../../lib/issue-words.ts';
import { liveProblems } from '../../lib/live-problems.ts';
import { problemsOf, unreadable } from '../../lib/problem-count.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';

const LOOKS = {
  error: { icon: CircleX, color: 'text-bad' },
  warning: { icon: TriangleAlert, color: 'text-warn' },
  info: { icon: Info, color: 'text-info' },
} as const;

/** Models with the worst problems first. */
export function ProblemsPanel() {
  const models = useLiveModels();
  const withProblems = models
    .filter((model) => problemsOf(model) > 0 || model.issueCounts.info > 0)
    .toSorted((a, b) => worst(a) - worst(b));
  const repositories = unreadable(useModels((state) => state.repositories));
  if (withProblems.length + repositories.length === 0) {
    return <EmptyState testId="problems-empty" title={t('problems.none')} text={t('problems.noneText')} />;
  }
  return (
    <ul
      aria-label={t('problems.label')}
      className="min-h-0 flex-1 overflow-auto py-1"
      data-testid="problems-list"
    >
      {repositories.map(({ path, error = '' }) => (
        <Row
          key={path}
          place={path}
          severity="error"
          code=""
          text={t('problems.repository')}
          hint={error}
          line={0}
          target={address('models')}
        />
      ))}
      {withProblems.map((model) => (
        <ModelProblems key={`${model.repository} ${model.name}`} model={model} />
      ))}
    </ul>
  );
}

function ModelProblems({ model }: { readonly model: ModelView }) {
  const { name, issueCounts, failure, state } = model;
  const hasIssues = issueCounts.error + issueCounts.warning + issueCounts.info > 0;
  const refresh = `${issueCounts.error} ${issueCounts.warning} ${issueCounts.info}`;
  const live = useStore(liveProblems, ({ byDocument }) => byDocument.get(name));
  const file = useCall('config/read', hasIssues && live === undefined ? { model: name } : undefined, refresh);
  const issues = useCall(
    'config/validate',
    file.data === undefined ? undefined : { model: name, text: file.data.text },
    refresh,
  );
  if (!hasIssues) {
    return (
      <Row
        place={name}
        severity="error"
        code={failure?.code ?? ''}
        text={failure?.title ?? model.reason ?? ''}
        hint={failure?.why ?? ''}
        line={failure?.line ?? 0}
        target={modelAddress(name)}
      />
    );
  }
  const fault = file.error ?? issues.error;
  if (live === undefined && fault !== undefined) {
    // What the checks found cannot be read now; that there is something is known all the same.
    return (
      <Row
        place={name}
        severity="error"
        code=""
        text={fault}
        line={0}
        target={modelAddress(name, 'config')}
      />
    );
  }
  return bySeverity(live ?? issues.data ?? []).map((issue, index) => (
    <Issue
      key={`${issue.code} ${issue.startOffset} ${index}`}
      model={name}
      issue={issue}
      failure={failure}
      lacking={state === 'not-runnable' ? model.backend : undefined}
    />
  ));
}

const SEVERITIES = ['error', 'warning', 'info'] as const;

/** Errors stand above warnings, warnings above hints: of models, and of the issues of one. */
function worst({ state, issueCounts }: ModelView): number {
  if (state === 'failed' || issueCounts.error > 0) return 0;
  return issueCounts.warning > 0 ? 1 : 2;
}

function bySeverity(issues: readonly ConfigIssueView[]): readonly ConfigIssueView[] {
  return issues.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

/** What is said of a backend that is not there. */
const BACKEND_CODE = 'D06';

/** What the model failed of has a title and a reason of ours: those stand here, the server's words on its page. */
function Issue({
  model,
  issue,
  failure,
  lacking,
}: {
  readonly model: string;
  readonly issue: ConfigIssueView;
  readonly failure: ModelView['failure'];
  /** The backend that the model needs and this server has not; undefined = it has what it needs. */
  readonly lacking: string | undefined;
}) {
  const isFailure = failure !== undefined && failure.code === issue.code && failure.line === issue.line;
  if (isFailure && failure.title !== '') {
    return (
      <Row
        place={model}
        severity={issue.severity}
        code={issue.code}
        text={failure.title}
        hint={failure.why === '' ? issue.hint : failure.why}
        line={issue.line}
        target={modelAddress(model, 'config', { line: String(issue.line) })}
      />
    );
  }
  if (issue.code === BACKEND_CODE && lacking !== undefined) {
    return (
      <Row
        place={model}
        severity={issue.severity}
        code={issue.code}
        text={t('problems.lacking', { backend: lacking })}
        hint={issue.hint}
        line={issue.line}
        target={modelAddress(model, 'config', { line: String(issue.line) })}
      />
    );
  }
  const words = issueWords(issue);
  return (
    <Row
      place={model}
      severity={issue.severity}
      code={issue.code}
      text={words.text}
      hint={words.more}
      line={issue.line}
      target={modelAddress(model, 'config', { line: String(issue.line) })}
    />
  );
}

interface RowProps {
  /** Model or path of the repository. */
  readonly place: string;
  readonly severity: keyof typeof LOOKS;
  readonly code: string;
  readonly text: string;
  readonly hint?: string;
  readonly line: number;
  readonly target: Address;
}

function Row({ place, severity, code, text, hint = '', line, target }: RowProps) {
  const look = LOOKS[severity];
  return (
    <li>
      <button
        type="button"
        data-problem
        data-testid={code === '' ? `problem-${place}` : `problem-${code}`}
        onClick={() => open(target)}
        onKeyDown={moveFocus}
        className="focus-inset flex min-h-7 w-full items-baseline gap-2 px-3 py-1 text-left hover:bg-hover"
      >
        <Icon of={look.icon} size={14} className={`shrink-0 self-start mt-[3px] ${look.color}`} />
        <span className="w-9 shrink-0 font-mono text-sm text-faint">{code}</span>
        <span className="min-w-0 flex-1 break-words">
          <span className="text-strong">{text}</span>
          {hint !== '' && <span className="text-faint"> {hint}</span>}
        </span>
        <span className="shrink-0 text-sm text-faint">
          {place}
          {line > 0 && `, ${t('problems.line', { line })}`}
        </span>
      </button>
    </li>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const rows = [
    ...(event.currentTarget.closest('ul')?.querySelectorAll<HTMLElement>('[data-problem]') ?? []),
  ];
  rows[rows.indexOf(event.currentTarget) + step]?.focus();
}
