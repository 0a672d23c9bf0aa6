// "Explain more": every finding about the configuration that failed, with the rule behind it, the server's own sentence
// and where it stands. The first one is often the cause of the others.

import { ISSUE_CODES } from '../../../../src-shared/config/config-issue.ts';
import type { IssueCode } from '../../../../src-shared/config/config-issue.ts';
import type { ConfigIssueView } from '../../../../src-shared/contract/config-calls.ts';
import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { useCall } from '../../../engine/use-call.ts';
import { modelAddress } from '../../../lib/address.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

const TONES = { error: 'bad', warning: 'warn', info: 'info' } as const;

/** Reads the file and checks it when it opens. */
export function ExplainDialog({
  model: { name, failure },
  onClose,
}: {
  readonly model: ModelView;
  readonly onClose: () => void;
}) {
  const file = useCall('config/read', { model: name });
  const issues = useCall(
    'config/validate',
    file.data === undefined ? undefined : { model: name, text: file.data.text },
  );
  const error = file.error ?? issues.error;
  return (
    <Dialog
      isOpen
      width="md"
      testId="explain-dialog"
      onClose={onClose}
      title={failure?.title ?? t('state.failed')}
      description={failure?.why}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('common.close')}
        </Button>
      }
    >
      {error !== undefined && <Banner tone="bad">{error}</Banner>}
      {error === undefined && issues.data === undefined && <Skeleton />}
      {issues.data?.length === 0 && <p className="text-soft">{t('model.explain.noFinding')}</p>}
      <ul className="flex flex-col divide-y divide-line">
        {(issues.data ?? []).map((issue, index) => (
          <Finding key={`${index} ${issue.path}`} name={name} issue={issue} onLeave={onClose} />
        ))}
      </ul>
    </Dialog>
  );
}

function Finding({
  name,
  issue: { code, severity, message, hint, line },
  onLeave,
}: {
  readonly name: string;
  readonly issue: ConfigIssueView;
  readonly onLeave: () => void;
}) {
  const rule = code in ISSUE_CODES ? ISSUE_CODES[code as IssueCode] : '';
  return (
    <li className="flex flex-col gap-1 py-2" data-testid={`explain-${code}`}>
      <p className="flex items-center gap-2 font-medium text-strong">
        <Badge tone={TONES[severity]}>{code}</Badge>
        {t('model.explain.rule', { rule })}
        {line > 0 && (
          <Button
            size="sm"
            className="ml-auto"
            onClick={() => {
              onLeave();
              open(modelAddress(name, 'config', { line: String(line) }));
            }}
          >
            {t('model.failure.showLine', { line })}
          </Button>
        )}
      </p>
      {hint !== '' && <p className="text-strong">{hint}</p>}
      <p className="font-mono text-sm break-words text-soft">{message}</p>
    </li>
  );
}
