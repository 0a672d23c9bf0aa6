// What stands in place of a drawing: being laid out, cancelled, or failed. Quick layouts do not flash by.

import { useEffect, useState } from 'react';
import { Ban, TriangleAlert } from 'lucide-react';

import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Progress } from '../../../ui/progress.tsx';
import type { LayoutJob } from '../layout-jobs.ts';

const PATIENCE_MS = 150;

/** Draws nothing over a layout that is done. */
export function LayoutCover({
  job,
  onCancel,
  onAgain,
}: {
  readonly job: LayoutJob | undefined;
  readonly onCancel: () => void;
  readonly onAgain: () => void;
}) {
  const again = <Button onClick={onAgain}>{t('graph.layout.again')}</Button>;
  if (job?.state === 'cancelled') {
    return (
      <EmptyState
        icon={Ban}
        testId="graph-layout-cancelled"
        title={t('graph.layout.cancelled')}
        text={t('graph.layout.cancelledText')}
        actions={again}
      />
    );
  }
  if (job?.state === 'failed') {
    return (
      <EmptyState
        icon={TriangleAlert}
        testId="graph-layout-failed"
        title={t('graph.layout.failed')}
        text={job.error}
        actions={again}
      />
    );
  }
  return (
    <Running
      key={job?.key ?? ''}
      nodeCount={job?.nodeCount ?? 0}
      startedAtMs={job?.startedAtMs}
      onCancel={onCancel}
    />
  );
}

/** How long a layout takes is not known before its end, so the time that went by stands in place of a share. */
function Running({
  nodeCount,
  startedAtMs,
  onCancel,
}: {
  readonly nodeCount: number;
  readonly startedAtMs: number | undefined;
  readonly onCancel: () => void;
}) {
  const [seconds, setSeconds] = useState(0);
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (startedAtMs === undefined) return undefined;
    const tell = (): void => setSeconds(Math.floor((Date.now() - startedAtMs) / 1000));
    const timer = setInterval(tell, 1000);
    return () => clearInterval(timer);
  }, [startedAtMs]);
  if (!isShown) return <div className="flex-1 bg-canvas" />;
  const text = t('graph.layout.running', { count: nodeCount });
  return (
    <div
      data-testid="graph-layout-running"
      className="flex flex-1 flex-col items-center justify-center gap-3 bg-canvas p-6"
    >
      <p role="status" aria-live="polite" className="text-strong">
        {text}
      </p>
      <Progress value={undefined} label={text} className="w-64" />
      <p className="min-h-5 text-sm text-soft" data-testid="graph-layout-elapsed">
        {seconds > 0 && t('graph.layout.elapsed', { seconds })}
      </p>
      <Button data-testid="graph-layout-cancel" onClick={onCancel}>
        {t('graph.layout.cancel')}
      </Button>
    </div>
  );
}
