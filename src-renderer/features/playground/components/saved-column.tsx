// Saved requests with the result of their latest run, captured ones, and what was sent in this window.

import {
  CircleCheck,
  CircleX,
  Download,
  EllipsisVertical,
  ListChecks,
  LoaderCircle,
  Play,
  Target,
  Trash2,
  Upload,
} from 'lucide-react';
import { useRef } from 'react';
import { useStore } from 'zustand';

import type { SavedRequest } from '../../../../src-shared/contract/inference-calls.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { formatClock, formatMillis } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Icon } from '../../../ui/icon.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { MenuButton } from '../../../ui/menu.tsx';
import { toastSuccess, toastWarning } from '../../../ui/toast.tsx';
import type { PlaygroundContext } from '../playground-context.ts';
import { CapturedSection } from './captured-section.tsx';
import type { Outcome } from '../playground-store.ts';
import { restoreRequest, titleOfRefusal } from '../playground-store.ts';
import type { SavedRun } from '../saved-store.ts';
import { exportSaved, importSaved, notifySaved, runAllSaved, runSaved, savedState } from '../saved-store.ts';
import { toastThrown } from '../../../engine/toast-thrown.ts';

/** Three lists above each other. */
export function SavedColumn({ context }: { readonly context: PlaygroundContext }) {
  return (
    <aside aria-label={t('playground.saved.column')} className="flex min-h-0 flex-1 flex-col overflow-auto">
      <SavedList context={context} />
      <CapturedSection context={context} />
      <History context={context} />
    </aside>
  );
}

function SavedList({ context }: { readonly context: PlaygroundContext }) {
  const { name: model } = context;
  const client = useClient();
  const revision = useStore(savedState, (state) => state.revision);
  const isRunning = useStore(savedState, (state) => state.isRunningAll);
  const list = useCall('playground/savedList', { model }, revision);
  const saved = list.data ?? [];
  const runAll = async (): Promise<void> => {
    const failed = await runAllSaved(
      client,
      model,
      saved.map(({ id }) => id),
    );
    if (failed === 0) toastSuccess(t('playground.saved.allPassed', { count: saved.length }));
    else toastWarning(t('playground.saved.someFailed', { failed, count: saved.length }));
  };
  return (
    <section aria-label={t('playground.saved.heading')}>
      <header className="flex h-10 items-center gap-2 px-3">
        <h3 className="min-w-0 flex-1 truncate font-semibold text-strong">{t('playground.saved.heading')}</h3>
        {saved.length > 0 && (
          <Button
            size="sm"
            icon={ListChecks}
            isBusy={isRunning}
            data-testid="pg-run-all"
            onClick={() => void runAll()}
          >
            {t('playground.saved.runAll')}
          </Button>
        )}
        <TransferMenu model={model} hasSaved={saved.length > 0} />
      </header>
      {list.error !== undefined && <p className="px-3 pb-2 text-sm text-bad">{list.error}</p>}
      {saved.length === 0 && list.error === undefined && (
        <p className="px-3 pb-3 text-sm text-faint">{t('playground.saved.none')}</p>
      )}
      <ul data-testid="pg-saved-list">
        {saved.map((one) => (
          <SavedRow key={one.id} context={context} saved={one} />
        ))}
      </ul>
    </section>
  );
}

/** All saved requests as one file, out and in. */
function TransferMenu({ model, hasSaved }: { readonly model: string; readonly hasSaved: boolean }) {
  const client = useClient();
  const picker = useRef<HTMLInputElement>(null);
  const exported = useAction(() => exportSaved(client, model));
  const imported = useAction(async (file: File) => {
    const count = await importSaved(client, model, file);
    toastSuccess(t('playground.saved.imported', { count, name: model }));
  });
  return (
    <>
      <MenuButton
        entries={[
          {
            id: 'pg-export-saved',
            label: t('playground.saved.export'),
            icon: Download,
            disabledReason: hasSaved ? undefined : t('playground.saved.nothing'),
            onSelect: exported.run,
          },
          {
            id: 'pg-import-saved',
            label: t('playground.saved.import'),
            icon: Upload,
            onSelect: () => picker.current?.click(),
          },
        ]}
      >
        <IconButton
          label={t('playground.saved.more')}
          icon={EllipsisVertical}
          isBusy={exported.isRunning || imported.isRunning}
          data-testid="pg-saved-menu"
        />
      </MenuButton>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label={t('playground.saved.import')}
        data-testid="pg-import-file"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file !== undefined) imported.run(file);
          event.target.value = '';
        }}
      />
    </>
  );
}

function SavedRow({ context, saved }: { readonly context: PlaygroundContext; readonly saved: SavedRequest }) {
  const { name: model, store } = context;
  const client = useClient();
  const run = useStore(savedState, (state) => state.runs[saved.id]);
  const remove = useAction(async () => {
    const { undo } = await client.call('playground/deleteSaved', { model, id: saved.id });
    notifySaved();
    const bringBack = async (undo: string): Promise<void> => {
      await client.call('playground/restoreSaved', { undo });
      notifySaved();
    };
    toastSuccess(
      t('playground.saved.deleted', { name: saved.name }),
      undo === undefined
        ? undefined
        : {
            label: t('common.undo'),
            onClick: () => void bringBack(undo).catch(toastThrown),
          },
    );
  });
  return (
    <li
      data-testid={`pg-saved-${saved.name}`}
      data-state={run?.state ?? 'idle'}
      className="group border-t border-line/60 px-1 first:border-t-0"
    >
      <div className="flex items-center">
        <button
          type="button"
          className="focus-inset flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded px-2 text-left hover:bg-hover"
          onClick={() => restoreRequest(store, saved.request)}
        >
          <RunMark run={run} />
          <span className="min-w-0 truncate text-strong">{saved.name}</span>
          {saved.expectation !== undefined && (
            <span role="img" aria-label={t('playground.saved.expects')} className="flex text-faint">
              <Icon of={Target} size={12} />
            </span>
          )}
        </button>
        <IconButton
          needsServer
          label={t('playground.saved.run', { name: saved.name })}
          icon={Play}
          isBusy={run?.state === 'running'}
          data-testid={`pg-saved-run-${saved.name}`}
          onClick={() => void runSaved(client, model, saved.id)}
        />
        <IconButton
          needsServer
          label={t('playground.saved.delete', { name: saved.name })}
          icon={Trash2}
          isBusy={remove.isRunning}
          data-testid={`pg-saved-delete-${saved.name}`}
          onClick={remove.run}
        />
      </div>
      {run !== undefined && run.message !== undefined && (
        <p className="px-2 pb-1.5 text-sm break-words text-bad">{run.message}</p>
      )}
    </li>
  );
}

function RunMark({ run }: { readonly run: SavedRun | undefined }) {
  if (run === undefined) return null;
  const [icon, tone, text] =
    run.state === 'running'
      ? ([LoaderCircle, 'animate-turn text-soft', t('playground.saved.running')] as const)
      : run.state === 'failed'
        ? ([CircleX, 'text-bad', t('playground.saved.failed')] as const)
        : ([CircleCheck, 'text-good', t('playground.saved.passed')] as const);
  return (
    <span role="img" aria-label={text} className="flex">
      <Icon of={icon} size={14} className={tone} />
    </span>
  );
}

function History({ context: { store } }: { readonly context: PlaygroundContext }) {
  const history = useStore(store, (state) => state.history);
  const shown = useStore(store, (state) => state.outcome?.id);
  const show = (outcome: Outcome): void => {
    restoreRequest(store, outcome.request);
    store.setState({ outcome });
  };
  return (
    <section aria-label={t('playground.history')} className="border-t border-line">
      <h3 className="flex h-10 items-center px-3 font-semibold text-strong">{t('playground.history')}</h3>
      {history.length === 0 && <p className="px-3 pb-3 text-sm text-faint">{t('playground.history.none')}</p>}
      <ul data-testid="pg-history">
        {history.map((outcome) => (
          <li key={outcome.id}>
            <button
              type="button"
              aria-current={outcome.id === shown}
              onClick={() => show(outcome)}
              className={cx(
                'focus-inset flex min-h-7 w-full items-center gap-1.5 pr-2 pl-3 text-left text-sm hover:bg-hover',
                outcome.id === shown && 'bg-selected',
              )}
            >
              <Icon
                of={outcome.result?.ok === true ? CircleCheck : CircleX}
                size={12}
                className={outcome.result?.ok === true ? 'text-good' : 'text-bad'}
              />
              <span className="text-soft">{formatClock(outcome.atMs)}</span>
              <span className="min-w-0 flex-1 truncate text-strong">{historyText(outcome)}</span>
              <span className="shrink-0 text-faint">{formatMillis(outcome.result?.totalMs)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function historyText(outcome: Outcome): string {
  const { result, request, repeat } = outcome;
  const protocol =
    request.protocol === 'grpc' ? 'gRPC' : request.protocol === 'http-json' ? 'JSON' : t('playground.binary');
  const times = repeat === undefined ? '' : ` × ${repeat.okCount + repeat.failCount}`;
  if (result === undefined) return `${protocol} ${t(titleOfRefusal(outcome))}`;
  // A zero reads like a count of something; gRPC's name of it does not.
  const status = request.protocol === 'grpc' && result.status === 0 ? 'OK' : result.status;
  return `${protocol} ${status}${times}`;
}
