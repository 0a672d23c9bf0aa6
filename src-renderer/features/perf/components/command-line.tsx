// The plan as a perf_analyzer command, both ways: the form writes the line, and an edited or pasted line fills the form.

import { useState } from 'react';

import type { PerfPlan } from '../../../../src-shared/contract/perf-plan.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { TextArea } from '../../../ui/inputs.tsx';
import type { FilledForm } from '../fill-form.ts';
import { fillFromCommand } from '../fill-form.ts';
import { Section } from './section.tsx';

const NOTHING: FilledForm = { isFilled: false, unknown: [], problems: [], warnings: [] };

/** A line that cannot be used says why and leaves the form alone. */
export function CommandLine({ plan }: { readonly plan: PerfPlan }) {
  const client = useClient();
  const written = useCall('perf/toCommand', { plan });
  const [edited, setEdited] = useState<string>();
  const [filled, setFilled] = useState(NOTHING);
  const [error, setError] = useState<string>();
  const fill = useAction(async (command: string) => {
    setError(undefined);
    const result = await fillFromCommand(client, command);
    setFilled(result);
    if (result.isFilled) setEdited((now) => (now === command ? undefined : now));
  }, setError);
  const text = edited ?? written.data?.command ?? '';
  return (
    <Section title={t('perf.command')}>
      <TextArea
        value={text}
        onChange={setEdited}
        rows={4}
        isMono
        aria-label={t('perf.command')}
        data-testid="perf-command"
      />
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          isBusy={fill.isRunning}
          disabledReason={edited === undefined ? t('perf.command.same') : undefined}
          data-testid="perf-command-apply"
          onClick={() => fill.run(text)}
        >
          {t('perf.command.apply')}
        </Button>
        {edited !== undefined && (
          <Button
            size="sm"
            variant="ghost"
            onClick={() => {
              setEdited(undefined);
              setFilled(NOTHING);
              setError(undefined);
            }}
          >
            {t('perf.command.discard')}
          </Button>
        )}
        <CopyButton text={text} what={t('perf.command')} />
      </div>
      {[error, written.error]
        .filter((line) => line !== undefined)
        .map((line) => (
          <p key={line} role="alert" aria-live="assertive" className="text-sm text-bad">
            {line}
          </p>
        ))}
      <Lines title={t('perf.command.problems')} lines={filled.problems} testId="perf-command-problems" />
      <Lines title={t('perf.command.unknown')} lines={filled.unknown} testId="perf-command-unknown" />
      <Lines title={t('perf.command.warnings')} lines={filled.warnings} testId="perf-command-warnings" />
      <Lines
        title={t('perf.command.missing')}
        lines={written.data?.missing ?? []}
        testId="perf-command-missing"
      />
    </Section>
  );
}

function Lines({
  title,
  lines,
  testId,
}: {
  readonly title: string;
  readonly lines: readonly string[];
  readonly testId: string;
}) {
  if (lines.length === 0) return null;
  return (
    <div role="status" aria-live="polite" data-testid={testId} className="text-sm">
      <p className="text-warn">{title}</p>
      <ul className="font-mono text-soft">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
