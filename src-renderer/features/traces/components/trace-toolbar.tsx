// What is traced, what of it is shown, and files.

import { Circle, Download, Eraser, FolderOpen, Square } from 'lucide-react';
import { useRef } from 'react';
import { useStore } from 'zustand';

import type { TraceMode, TraceState } from '../../../../src-shared/contract/trace-calls.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCommand } from '../../../lib/command-registry.ts';
import { formatClock } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { MenuButton } from '../../../ui/menu.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { tell } from '../follow-traces.ts';
import { exportTraces, importTraces } from '../trace-files.ts';
import { startTracing, stopTracing } from '../start-tracing.ts';
import { MOST, tracePlan } from '../trace-plan.ts';
import { useTraces } from '../trace-store.ts';
import type { TraceViewData } from '../use-trace-view.ts';
import { TraceFilterBar } from './trace-filter-bar.tsx';

/** Two groups that wrap: what is traced and files; the filter. */
export function TraceToolbar({ view }: { readonly view: TraceViewData }) {
  const state = useTraces((known) => known.state);
  const isFile = useTraces(({ file }) => file !== undefined);
  const isEmpty = view.rows.length === 0;
  return (
    <div className="flex flex-col border-b border-line">
      <div className="flex min-h-10 flex-wrap items-center gap-2 px-3 py-1.5">
        <CaptureControls state={state} isMain={!isEmpty || state?.mode !== undefined} />
        {/* What counts down is not read out each time. */}
        <span
          className="min-w-0 flex-1 truncate text-sm text-soft"
          data-testid="trace-state"
          role="status"
          aria-live={state?.mode?.kind === 'next' ? 'off' : 'polite'}
        >
          {state !== undefined && stateText(state)}
        </span>
        <Files isEmpty={isEmpty} canClear={!isFile && !isEmpty} />
      </div>
      {!isEmpty && <TraceFilterBar view={view} />}
    </div>
  );
}

function CaptureControls({
  state,
  isMain,
}: {
  readonly state: TraceState | undefined;
  readonly isMain: boolean;
}) {
  const client = useClient();
  const plan = useStore(tracePlan);
  const isOn = state?.mode !== undefined;
  const start = useAction(() => startTracing(client));
  const stop = useAction(() => stopTracing(client));
  const toggle = isOn ? stop : start;
  useCommand('screen.main', () => toggle.run());
  return (
    <>
      <Select<TraceMode['kind']>
        aria-label={t('traces.mode')}
        data-testid="trace-mode"
        value={state?.mode?.kind ?? plan.kind}
        isDisabled={isOn}
        onChange={(kind) => tracePlan.setState({ kind })}
        options={(['next', 'sampled', 'all'] as const).map((kind) => ({
          value: kind,
          label: t(`traces.mode.${kind}`),
        }))}
      />
      <NumberInput
        aria-label={t(`traces.amount.${plan.kind}`)}
        data-testid="trace-amount"
        className="w-32"
        min={1}
        max={MOST[plan.kind]}
        isDisabled={isOn}
        value={plan.amounts[plan.kind]}
        onChange={(amount = 1) =>
          tracePlan.setState({ amounts: { ...plan.amounts, [plan.kind]: Math.round(amount) } })
        }
      />
      <span className="text-soft">{t(`traces.unit.${plan.kind}`)}</span>
      <Button
        variant={isMain && !isOn ? 'primary' : 'secondary'}
        icon={isOn ? Square : Circle}
        isBusy={toggle.isRunning}
        data-testid={isOn ? 'trace-stop' : 'trace-start'}
        onClick={() => toggle.run()}
      >
        {t(isOn ? 'traces.stop' : 'traces.start')}
      </Button>
    </>
  );
}

function stateText(state: TraceState): string {
  const { mode, remainingCount, endsAtMs } = state;
  if (mode === undefined) return t('traces.isOff');
  if (mode.kind === 'next') return t('traces.on.next', { count: remainingCount });
  if (mode.kind === 'sampled') return t('traces.on.sampled', { rate: mode.rate });
  return t('traces.on.all', { time: formatClock(endsAtMs) });
}

function Files({ isEmpty, canClear }: { readonly isEmpty: boolean; readonly canClear: boolean }) {
  const client = useClient();
  const picker = useRef<HTMLInputElement>(null);
  const clear = useAction(async () => tell(client, await client.call('traces/clear', {})));
  const save = useAction(exportTraces);
  return (
    <>
      {canClear && (
        <IconButton
          icon={Eraser}
          label={t('traces.clear')}
          data-testid="trace-clear"
          onClick={() => clear.run()}
        />
      )}
      <Button
        icon={FolderOpen}
        worksOffline
        data-testid="trace-import"
        onClick={() => picker.current?.click()}
      >
        {t('traces.import')}
      </Button>
      <input
        ref={picker}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={t('traces.importFile')}
        data-testid="trace-import-file"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file !== undefined) void importTraces(file);
          event.target.value = '';
        }}
      />
      <MenuButton
        entries={[
          {
            id: 'triton',
            label: t('traces.exportTriton'),
            disabledReason: isEmpty ? t('traces.nothingToExport') : undefined,
            onSelect: () => save.run('triton'),
          },
          {
            id: 'chrome',
            label: t('traces.exportChrome'),
            disabledReason: isEmpty ? t('traces.nothingToExport') : undefined,
            onSelect: () => save.run('chrome'),
          },
        ]}
      >
        <Button icon={Download} worksOffline data-testid="trace-export">
          {t('traces.export')}
        </Button>
      </MenuButton>
    </>
  );
}
