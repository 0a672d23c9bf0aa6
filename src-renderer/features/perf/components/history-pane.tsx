// All runs that were kept: star, name and note, choose for a comparison, open, take away, delete.

import { Gauge, GitCompare, Pencil, Star, StickyNote, Trash2 } from 'lucide-react';
import { useState } from 'react';

import type { PerfRunSummary } from '../../../../src-shared/contract/perf-views.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { formatCount, formatDateTime, formatRate } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { SimpleColumn } from '../../../ui/simple-table.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { Checkbox } from '../../../ui/toggles.tsx';
import { changeNote, deleteRun, runTitle } from '../perf-actions.ts';
import { MAX_COMPARED, perfUi, showRun, toggleCompared, usePerf } from '../perf-store.ts';
import type { RunsState } from '../use-perf.ts';
import { NoteDialog } from './note-dialog.tsx';
import { RunStateBadge } from './run-state-badge.tsx';

/** Runs with a star come first. */
export function HistoryPane({ list }: { readonly list: RunsState }) {
  const compared = usePerf((state) => state.compared);
  const [noted, setNoted] = useState<PerfRunSummary>();
  if (list.error !== undefined) return <Banner tone="bad">{list.error}</Banner>;
  if (list.runs.length === 0)
    return (
      <EmptyState
        icon={Gauge}
        title={t('perf.empty.title')}
        text={t('perf.empty.text')}
        testId="perf-history-empty"
      />
    );
  const starredFirst = list.runs.toSorted((a, b) => Number(b.isStarred) - Number(a.isStarred));
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <p className="flex-1 text-soft">{t('perf.history.help', { max: MAX_COMPARED })}</p>
        <Button
          icon={GitCompare}
          disabledReason={compared.length < 2 ? t('perf.compare.empty') : undefined}
          data-testid="perf-compare"
          onClick={() => perfUi.setState({ pane: 'compare' })}
        >
          {t('perf.compare')}
        </Button>
      </div>
      <Card title={t('perf.pane.history')} testId="perf-history">
        <SimpleTable
          label={t('perf.pane.history')}
          testId="perf-history-table"
          rows={starredFirst}
          columns={columns(compared, setNoted)}
          keyOf={({ id }) => id}
        />
      </Card>
      {noted !== undefined && <NoteDialog run={noted} onClose={() => setNoted(undefined)} />}
    </div>
  );
}

/** Runs of one model have one name: the time tells them apart. */
function nameOf(run: PerfRunSummary): string {
  return t('perf.run.named', { name: runTitle(run), time: formatDateTime(run.startedAtMs) });
}

function columns(
  compared: readonly string[],
  onNote: (run: PerfRunSummary) => void,
): readonly SimpleColumn<PerfRunSummary>[] {
  return [
    {
      id: 'compare',
      title: t('perf.compare'),
      cell: (run) => (
        <Checkbox
          isOn={compared.includes(run.id)}
          isDisabled={run.levelCount === 0}
          aria-label={t('perf.compare.choose', { name: nameOf(run) })}
          data-testid={`perf-pick-${run.id}`}
          onChange={() => toggleCompared(run.id)}
        />
      ),
    },
    { id: 'run', title: t('perf.col.run'), cell: (run) => <RunName run={run} /> },
    {
      id: 'state',
      title: t('perf.col.state'),
      cell: ({ state, levelCount, unstableCount }) => (
        <RunStateBadge state={state} levelCount={levelCount} unstableCount={unstableCount} />
      ),
    },
    {
      id: 'at',
      title: t('perf.col.at'),
      cell: ({ startedAtMs, fingerprint }) => (
        <div className="whitespace-nowrap text-soft" title={machineText(fingerprint)}>
          {formatDateTime(startedAtMs)}
          <p className="max-w-36 truncate text-sm text-faint 2xl:max-w-80">{machineText(fingerprint)}</p>
        </div>
      ),
    },
    {
      id: 'config',
      title: t('perf.col.config'),
      cell: ({ configHash, isOverride }) => (
        <span className="inline-flex flex-col items-start gap-0.5 2xl:flex-row 2xl:items-center 2xl:gap-1.5">
          <code>{configHash.slice(0, 8)}</code>
          {isOverride && <Badge title={t('perf.header.override')}>{t('perf.col.override')}</Badge>}
        </span>
      ),
    },
    {
      id: 'levels',
      title: t('perf.col.levels'),
      align: 'end',
      cell: ({ levelCount }) => formatCount(levelCount),
    },
    {
      id: 'best',
      title: t('perf.col.best'),
      align: 'end',
      cell: ({ bestInferPerSecond, levelCount }) =>
        formatRate(levelCount === 0 ? undefined : bestInferPerSecond),
    },
    {
      id: 'actions',
      title: t('common.actions'),
      align: 'end',
      cell: (run) => <Actions run={run} onNote={onNote} />,
    },
  ];
}

/** Machine and circumstances that numbers hang on. */
function machineText(print: PerfRunSummary['fingerprint']): string {
  const parts = [
    t('perf.history.machine', { cpu: print.cpuModel, count: print.cpuCount }),
    print.device,
    print.powerSource === 'battery' ? t('perf.header.battery') : '',
    print.appVersion,
  ];
  return parts.filter(Boolean).join(', ');
}

function RunName({ run }: { readonly run: PerfRunSummary }) {
  return (
    <div className="min-w-28">
      <button
        type="button"
        className="min-h-6 text-left font-medium text-accent hover:underline"
        data-testid={`perf-run-${run.id}`}
        onClick={() => showRun(run.id)}
      >
        {runTitle(run)}
      </button>
      {run.name !== '' && <p className="text-sm text-faint">{run.model}</p>}
      {run.note !== '' && (
        <p className="flex items-center gap-1 text-sm text-soft">
          <StickyNote aria-hidden size={12} className="shrink-0" />
          {run.note}
        </p>
      )}
    </div>
  );
}

function Actions({
  run,
  onNote,
}: {
  readonly run: PerfRunSummary;
  readonly onNote: (run: PerfRunSummary) => void;
}) {
  const client = useClient();
  const star = useAction(() => changeNote(client, run.id, { isStarred: !run.isStarred }));
  const remove = useAction(() => deleteRun(client, run));
  const isGoing = run.state === 'running' || run.state === 'queued';
  return (
    <span className="inline-flex">
      <IconButton
        needsServer
        icon={Star}
        isPressed={run.isStarred}
        label={t('perf.star', { name: nameOf(run) })}
        data-testid={`perf-star-${run.id}`}
        className={run.isStarred ? '[&_svg]:fill-current' : undefined}
        onClick={() => star.run()}
      />
      <IconButton
        icon={Pencil}
        label={t('perf.note.edit', { name: nameOf(run) })}
        data-testid={`perf-note-${run.id}`}
        onClick={() => onNote(run)}
      />
      <IconButton
        needsServer
        icon={Trash2}
        label={t('perf.delete', { name: nameOf(run) })}
        disabledReason={isGoing ? t('perf.delete.going') : undefined}
        data-testid={`perf-delete-${run.id}`}
        onClick={() => remove.run()}
      />
    </span>
  );
}
