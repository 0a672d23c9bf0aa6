// How far the run is, whether it is steady, and pause, skip and stop.

import { Pause, Play, SkipForward, Square } from 'lucide-react';

import type { PerfProgress } from '../../../../src-shared/contract/perf-views.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { formatDuration, threeDigits } from '../../../lib/format.ts';
import { displayShortcut } from '../../../lib/keys.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Progress } from '../../../ui/progress.tsx';
import type { LiveRun } from '../live-run.ts';
import { stopRun } from '../perf-actions.ts';

/** For a run that goes on or is paused. */
export function LiveControls({ live }: { readonly live: LiveRun }) {
  const client = useClient();
  const { runId: run, progress } = live;
  const isPaused = progress.state === 'paused';
  const pause = useAction((next: boolean) => client.call('perf/pause', { run, isPaused: next }));
  const skip = useAction(() => client.call('perf/skip', { run }));
  const stop = useAction(() => stopRun(client, run));
  const text = progressText(progress);
  return (
    <section
      aria-label={t('perf.live')}
      data-testid="perf-live"
      data-state={progress.state}
      className="flex flex-col gap-2 rounded-md border border-line bg-surface p-3"
    >
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-40 flex-1 text-strong">{text}</p>
        <Button icon={isPaused ? Play : Pause} data-testid="perf-pause" onClick={() => pause.run(!isPaused)}>
          {t(isPaused ? 'perf.resume' : 'perf.pause')}
        </Button>
        <Button icon={SkipForward} data-testid="perf-skip" onClick={() => skip.run()}>
          {t('perf.skip')}
        </Button>
        <Button
          icon={Square}
          variant="danger"
          isBusy={stop.isRunning}
          title={`${t('perf.stop.help')}  ${displayShortcut('Mod+.')}`}
          data-testid="perf-stop"
          onClick={() => stop.run()}
        >
          {t('perf.stop')}
        </Button>
      </div>
      {/* The time that is left changes too often to be read out. */}
      <p role="status" aria-live="polite" className="sr-only">
        {progressText({ ...progress, remainingMs: undefined })}
      </p>
      <Progress value={progress.share} label={text} />
      <p className="min-h-5 text-sm text-soft" data-testid="perf-stability">
        {progress.stability === '' ? t('perf.stability.waiting') : progress.stability}
      </p>
    </section>
  );
}

function progressText(progress: PerfProgress): string {
  const { state, level, levelIndex, levelCount, remainingMs } = progress;
  const parts = [t(`perf.progress.${state}`)];
  if (level !== undefined) {
    const number = levelIndex + 1;
    parts.push(
      levelCount === 0
        ? t('perf.progress.level', { number })
        : t('perf.progress.levelOf', { number: Math.min(number, levelCount), count: levelCount }),
      t(`perf.progress.${level.unit}`, { value: threeDigits(level.value) }),
    );
  }
  if (remainingMs !== undefined) parts.push(t('perf.progress.left', { time: formatDuration(remainingMs) }));
  return parts.join(', ');
}
