// The screen without traces: off, or waiting for requests.

import { ChartGantt } from 'lucide-react';

import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { formatClock } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { startTracing } from '../start-tracing.ts';
import { useTraces } from '../trace-store.ts';

const FIRST_COUNT = 100;

/** Says how to begin, or what is waited for. */
export function TraceEmpty() {
  const client = useClient();
  const state = useTraces((known) => known.state);
  const start = useAction(() => startTracing(client, { kind: 'next', count: FIRST_COUNT }));
  const mode = state?.mode;
  if (state === undefined || mode === undefined)
    return (
      <EmptyState
        testId="trace-off"
        icon={ChartGantt}
        title={t('traces.off.title')}
        text={t('traces.off.text')}
        actions={
          <Button
            variant="primary"
            isBusy={start.isRunning}
            data-testid="trace-next-100"
            onClick={() => start.run()}
          >
            {t('traces.off.next')}
          </Button>
        }
      />
    );
  const text =
    mode.kind === 'next'
      ? t('traces.waiting.next', { count: state.remainingCount })
      : mode.kind === 'sampled'
        ? t('traces.waiting.sampled', { rate: mode.rate })
        : t('traces.waiting.all', { time: formatClock(state.endsAtMs) });
  return (
    <EmptyState testId="trace-waiting" icon={ChartGantt} title={t('traces.waiting.title')} text={text} />
  );
}
