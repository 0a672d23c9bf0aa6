// What came of applying a configuration, with the way back one click away.

import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { undoApply } from '../perf-actions.ts';
import { perfUi, usePerf } from '../perf-store.ts';

/** Stays until it is dismissed or taken back. */
export function AppliedBanner() {
  const client = useClient();
  const applying = usePerf((state) => state.applying);
  const applied = usePerf((state) => state.applied);
  const undo = useAction(() => undoApply(client));
  if (applying !== undefined) {
    return (
      <Banner isStrip testId="perf-applying">
        {t('perf.apply.running', { model: applying })}
        <Progress value={undefined} label={t('perf.apply.running', { model: applying })} className="mt-1" />
      </Banner>
    );
  }
  if (applied === undefined) return null;
  return (
    <Banner
      isStrip
      tone="good"
      testId="perf-applied"
      actions={
        <>
          <Button size="sm" isBusy={undo.isRunning} data-testid="perf-undo" onClick={() => undo.run()}>
            {t('common.undo')}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => perfUi.setState({ applied: undefined })}>
            {t('common.dismiss')}
          </Button>
        </>
      }
    >
      {applied.sentence}
    </Banner>
  );
}
