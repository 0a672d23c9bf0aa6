// "Make first dimension dynamic": tries a copy of the model that declares its first dimension as dynamic, and offers
// it as the next version when batching it is safe. The file itself stays as it is. Closing the wizard ends the try.

import { FlaskConical, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

import type { BatchProbeResult } from '../../../../src-shared/contract/config-calls.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { Checkbox } from '../../../ui/toggles.tsx';
import { newTaskId } from '../import-flow.ts';
import type { Wizard } from '../use-wizard.ts';
import { ProbeBanner } from './probe-banner.tsx';

/** Draws what the file's own probe gave until the copy was tried. */
export function DynamicCopy({
  wizard,
  first,
}: {
  readonly wizard: Wizard;
  /** Why the file itself cannot be probed; undefined where that is said already. */
  readonly first: BatchProbeResult | undefined;
}) {
  const client = useClient();
  const { repository } = wizard;
  const controller = useRef<AbortController>(undefined);
  const [result, setResult] = useState<BatchProbeResult>();
  useEffect(() => () => controller.current?.abort(), []);
  const attempt = useAction(async () => {
    if (repository === undefined) return;
    controller.current = new AbortController();
    const probed = await client.call(
      'repository/probeDynamic',
      {
        onnxPath: wizard.inspection.path,
        externalData: { ...wizard.externalData },
        repository,
        taskId: newTaskId(),
      },
      { signal: controller.current.signal },
    );
    setResult(probed);
    wizard.setIsDynamic(probed.verdict === 'safe');
  });
  if (attempt.isRunning) return <Running onCancel={() => controller.current?.abort()} />;
  if (result === undefined) {
    return (
      <div className="flex flex-col items-start gap-2">
        {first !== undefined && <ProbeBanner result={first} testId="wizard-probe-result" />}
        <Button
          icon={FlaskConical}
          disabledReason={repository === undefined ? t('wizard.problem.repository') : undefined}
          data-testid="wizard-make-dynamic"
          onClick={attempt.run}
        >
          {t('wizard.dynamic')}
          <Badge>{t('wizard.dynamic.experimental')}</Badge>
        </Button>
        <p className="text-sm text-soft">{t('wizard.dynamic.help')}</p>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <ProbeBanner result={result} testId="wizard-dynamic-result" />
      {result.verdict === 'safe' ? (
        <Checkbox isOn={wizard.isDynamic} onChange={wizard.setIsDynamic} data-testid="wizard-dynamic-version">
          {t('wizard.dynamic.version', {
            next: String(Number(wizard.version) + 1),
            version: wizard.version,
          })}
        </Checkbox>
      ) : (
        <p className="text-sm text-soft">{t('wizard.dynamic.notWritten')}</p>
      )}
    </div>
  );
}

function Running({ onCancel }: { readonly onCancel: () => void }) {
  return (
    <Banner
      tone="info"
      actions={
        <Button size="sm" icon={X} data-testid="wizard-dynamic-cancel" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
      }
    >
      <span className="flex items-center gap-3">
        {t('wizard.dynamic.running')}
        <Progress value={undefined} label={t('wizard.dynamic.running')} className="w-32" />
      </span>
    </Banner>
  );
}
