// What a model file of another framework is, and what kept it from being read. Once that is put right, a missing package
// installed for one, the file is read again from here.

import { RotateCw } from 'lucide-react';
import { useState } from 'react';

import type { FrameworkInspection } from '../../../../src-shared/contract/framework-calls.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { formatBytes, formatClock } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { CodedText, codeIn } from '../../../ui/coded-text.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';

interface AboutProps {
  readonly inspection: FrameworkInspection;
  /** Called with what the file says when it is read once more. */
  readonly onInspected: (inspection: FrameworkInspection) => void;
}

/** Facts, and banners of what stands against it. */
export function FrameworkAbout({ inspection, onInspected }: AboutProps) {
  const { title, artefact, byteSize, note, problem, needs } = inspection;
  return (
    <div className="flex flex-col gap-3">
      <Facts
        items={[
          [t('framework.kind'), title],
          [t('framework.size'), formatBytes(byteSize)],
          [t('framework.becomes'), <code key="artefact">{artefact}</code>],
        ]}
      />
      {needs !== undefined && <Banner tone="warn">{needs}</Banner>}
      {problem !== undefined && (
        <Problem inspection={inspection} problem={problem} onInspected={onInspected} />
      )}
      {note !== undefined && <Banner tone="info">{note}</Banner>}
    </div>
  );
}

function Problem({
  inspection: { path, isServable, completes },
  problem,
  onInspected,
}: AboutProps & { readonly problem: string }) {
  const client = useClient();
  const [checkedAtMs, setCheckedAtMs] = useState<number>();
  const check = useAction(async () => {
    onInspected(await client.call('framework/inspect', { path }));
    setCheckedAtMs(Date.now());
  });
  const isByHand = isServable && !completes;
  const [command] = codeIn(problem);
  return (
    <Banner
      tone="warn"
      testId="framework-problem"
      actions={
        <>
          {command !== undefined && (
            <CopyButton text={command} label={t('framework.copyCommand')} testId="framework-copy-command" />
          )}
          {isServable && (
            <Button
              size="sm"
              icon={RotateCw}
              isBusy={check.isRunning}
              data-testid="framework-check-again"
              onClick={() => check.run()}
            >
              {t('framework.checkAgain')}
            </Button>
          )}
        </>
      }
    >
      <CodedText text={problem} />
      {isByHand && ` ${t('framework.byHand')}`}
      {checkedAtMs !== undefined && (
        <p className="text-sm text-soft">
          {t('framework.stillSo', { time: formatClock(checkedAtMs, true) })}
        </p>
      )}
    </Banner>
  );
}
