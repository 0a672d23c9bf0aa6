// Cells whose numbers move every second. Each subscribes to its own model, so a tick never draws a whole row.

import { useEngine, useSamples, useServer } from '../../../engine/engine-context.tsx';
import { formatDuration, formatMicros, formatRate } from '../../../lib/format.ts';
import { isRunning } from '../../../actions/server-actions.ts';
import { t } from '../../../texts/translate.ts';
import { Sparkline } from '../../../ui/sparkline.tsx';

const DASH = <span className="text-faint">–</span>;

interface CellProps {
  readonly name: string;
  readonly isLoaded: boolean;
}

/** Requests per second with their recent course; a dash while the model is not loaded. */
export function RateCell({ name, isLoaded }: CellProps) {
  const isServing = useServer(isRunning);
  const rate = useSamples(({ byModel }) => byModel.get(name)?.inferPerSecond);
  if (!isLoaded || !isServing) return DASH;
  return (
    <span className="flex items-center gap-2">
      <Spark name={name} />
      <span className="w-12 text-right">{formatRate(rate ?? 0)}</span>
    </span>
  );
}

function Spark({ name }: { readonly name: string }) {
  const { samples } = useEngine().state;
  useSamples(({ second }) => second);
  return <Sparkline points={samples.sparkline(name)} label={t('models.rateLabel', { name })} />;
}

/** The 99th percentile of latency; a dash where there is none. */
export function P99Cell({ name, isLoaded }: CellProps) {
  const p99Us = useSamples(({ byModel }) => byModel.get(name)?.p99Us);
  return isLoaded && p99Us !== undefined ? <span>{formatMicros(p99Us)}</span> : DASH;
}

/** Requests that wait in the queue now; a dash while the model is not loaded. */
export function WaitingCell({ name, isLoaded }: CellProps) {
  const waiting = useSamples(({ byModel }) => byModel.get(name)?.waiting);
  return isLoaded ? <span>{waiting ?? 0}</span> : DASH;
}

/** A failure that the state does not name, else when the last request came. */
export function LastCell({ name, isLoaded, problem }: CellProps & { readonly problem: string }) {
  const ago = useSamples(({ byModel, perSecond }) => {
    const at = byModel.get(name)?.lastRequestAtMs ?? 0;
    return at === 0 || perSecond === undefined ? '' : formatDuration(perSecond.atMs - at);
  });
  if (problem !== '') {
    return (
      <span className="two-lines text-bad" title={problem}>
        {problem}
      </span>
    );
  }
  if (!isLoaded) return DASH;
  return (
    <span className="truncate text-soft">
      {ago === '' ? t('models.never') : t('models.ago', { time: ago })}
    </span>
  );
}
