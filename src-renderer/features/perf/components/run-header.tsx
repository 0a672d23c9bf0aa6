// Name and circumstances of a run, and what can be done with it: take it away, compare it, apply its configuration.

import { Copy, Download, FileCog, GitCompare, Image } from 'lucide-react';
import { useState } from 'react';

import type { PerfRun } from '../../../../src-shared/contract/perf-views.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { formatDateTime, formatDuration } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { MenuButton } from '../../../ui/menu.tsx';
import type { ExportFormat } from '../perf-actions.ts';
import { copyReport, exportCharts, exportRequests, exportRun, runTitle } from '../perf-actions.ts';
import { toggleCompared, usePerf } from '../perf-store.ts';
import { ApplyDialog } from './apply-dialog.tsx';
import { RunStateBadge } from './run-state-badge.tsx';

type ImageForm = 'svg' | 'png';

const IMAGES: readonly ImageForm[] = ['png', 'svg'];
const FORMATS: readonly ExportFormat[] = ['csv', 'json', 'markdown'];

/** A run without a level can be neither compared nor taken away. */
export function RunHeader({ run }: { readonly run: PerfRun }) {
  const client = useClient();
  const isCompared = usePerf((state) => state.compared.includes(run.id));
  const isApplying = usePerf((state) => state.applying !== undefined);
  const [isApplyOpen, setIsApplyOpen] = useState(false);
  const save = useAction((format: ExportFormat) => exportRun(client, run.id, format));
  const requests = useAction(() => exportRequests(client, run.id));
  const draw = useAction((form: ImageForm) => exportCharts(run, form));
  const copy = useAction(() => copyReport(client, run.id));
  const nothing = run.levels.length === 0 ? t('perf.nothingMeasured') : undefined;
  return (
    <header className="flex flex-wrap items-center gap-2">
      <div className="min-w-60 flex-1">
        <h2 className="flex items-center gap-2 text-md font-semibold text-strong">
          <span className="truncate">{runTitle(run)}</span>
          <RunStateBadge
            state={run.state}
            levelCount={run.levels.length}
            unstableCount={run.levels.filter(({ state }) => state === 'unstable').length}
          />
        </h2>
        <p className="text-sm break-words text-soft">{circumstances(run)}</p>
      </div>
      <Button
        icon={GitCompare}
        aria-pressed={isCompared}
        disabledReason={nothing}
        data-testid="perf-compare-add"
        onClick={() => toggleCompared(run.id)}
      >
        {t(isCompared ? 'perf.compare.remove' : 'perf.compare.add')}
      </Button>
      <Button
        icon={FileCog}
        isBusy={isApplying}
        disabledReason={run.plan.url === '' ? undefined : t('perf.apply.otherServer', { url: run.plan.url })}
        data-testid="perf-apply"
        onClick={() => setIsApplyOpen(true)}
      >
        {t('perf.apply')}
      </Button>
      <MenuButton
        entries={[
          ...FORMATS.map((format) => ({
            id: format,
            label: t(`perf.export.${format}`),
            icon: Download,
            disabledReason: nothing,
            onSelect: () => save.run(format),
          })),
          {
            id: 'requests',
            label: t('perf.export.requests'),
            icon: Download,
            disabledReason: run.plan.keepsRequests === true ? nothing : t('perf.export.noRequests'),
            onSelect: () => requests.run(),
          },
          ...IMAGES.map((form) => ({
            id: form,
            label: t(`perf.export.${form}`),
            icon: Image,
            disabledReason: nothing,
            onSelect: () => draw.run(form),
          })),
          {
            id: 'copy',
            label: t('perf.export.copy'),
            icon: Copy,
            startsGroup: true,
            disabledReason: nothing,
            onSelect: () => copy.run(),
          },
        ]}
      >
        <Button icon={Download} data-testid="perf-export">
          {t('perf.export')}
        </Button>
      </MenuButton>
      {isApplyOpen && <ApplyDialog run={run} onClose={() => setIsApplyOpen(false)} />}
    </header>
  );
}

function circumstances(run: PerfRun): string {
  const { fingerprint: print } = run;
  const isOver = run.endedAtMs > 0;
  return [
    formatDateTime(run.startedAtMs),
    isOver ? formatDuration(run.endedAtMs - run.startedAtMs) : '',
    run.plan.protocol === 'grpc' ? 'gRPC' : 'HTTP',
    run.plan.url === '' ? '' : t('perf.header.at', { url: run.plan.url }),
    t('perf.header.batch', { count: run.plan.batchSize }),
    [print.cpuModel, print.device].filter(Boolean).join(', '),
    print.powerSource === 'battery' ? t('perf.header.battery') : '',
    run.isOverride ? t('perf.header.override') : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
