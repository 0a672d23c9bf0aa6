// Before the configuration of a run is written: what changes, and whether it is measured. The file must still be the one
// that was shown when the answer comes.

import { useState } from 'react';

import type { PerfRun } from '../../../../src-shared/contract/perf-views.ts';
import { ConfigSheet } from '../../../actions/config-sheet.tsx';
import { useClient, useSetting } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { t } from '../../../texts/translate.ts';
import { Checkbox } from '../../../ui/toggles.tsx';
import { applyConfig } from '../perf-actions.ts';

/** Closes before the work is done; the outcome comes as a banner. */
export function ApplyDialog({
  run,
  onClose,
}: {
  readonly run: Pick<PerfRun, 'id' | 'model' | 'configText'>;
  readonly onClose: () => void;
}) {
  const client = useClient();
  const [isVerified, setIsVerified] = useState(true);
  const verifySecs = useSetting('perf.verifySecs', 20);
  const apply = useAction((expectedHash: string | undefined) => {
    // Writing, reloading and measuring take a while: the screen goes on, and the outcome comes as a banner.
    onClose();
    const verifyMs = isVerified ? verifySecs * 1000 : 0;
    return applyConfig(client, { run: run.id, model: run.model, expectedHash, verifyMs });
  });
  return (
    <ConfigSheet
      model={run.model}
      configText={run.configText}
      testId="perf-apply"
      onApply={(hash) => apply.run(hash)}
      onClose={onClose}
      options={
        <Checkbox isOn={isVerified} onChange={setIsVerified} data-testid="perf-apply-verify">
          {t('perf.apply.verify', { seconds: verifySecs })}
        </Checkbox>
      }
    />
  );
}
