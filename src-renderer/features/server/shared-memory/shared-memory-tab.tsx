// The regions of shared memory that clients registered: where they lie, who uses them, and taking them back.

import { MemoryStick, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';

import type {
  RegionKindView,
  SharedMemoryView,
  SharedRegionView,
} from '../../../../src-shared/contract/shared-memory-calls.ts';
import { restartServer } from '../../../actions/server-actions.ts';
import { useEngine, useModels, useSamples } from '../../../engine/engine-context.tsx';
import { toastThrown } from '../../../engine/toast-thrown.ts';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { modelAddress } from '../../../lib/address.ts';
import { formatBytes, formatClock, formatCount } from '../../../lib/format.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ask } from '../../../ui/confirm.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

/** Asked for once a second while it is shown. */
export function SharedMemoryTab() {
  const second = useSamples(({ perSecond }) => perSecond?.atMs ?? 0);
  const { data, error, reload } = useCall('sharedMemory/view', {}, second);
  const [shown, setShown] = useState<SharedMemoryView>();
  if (data !== undefined && data !== shown) setShown(data);
  const view = data ?? shown;
  if (view === undefined) {
    if (error === undefined) return <Skeleton rows={4} />;
    return <EmptyState testId="memory-failed" title={t('memory.failed')} text={error} />;
  }
  if (view.regions.length === 0) return <NoRegions view={view} />;
  return (
    <div className="min-h-0 flex-1 overflow-auto bg-canvas p-4" data-testid="memory-view">
      <div className="mx-auto flex max-w-[120rem] flex-col gap-3">
        {error !== undefined && <p className="text-bad">{error}</p>}
        {(['system', 'cuda'] as const).map((kind) => {
          const regions = view.regions.filter((region) => region.kind === kind);
          if (regions.length === 0) return null;
          return <Regions key={kind} kind={kind} regions={regions} onChange={reload} />;
        })}
        <p className="text-sm text-faint">{t('memory.note', { folder: view.folder ?? '–' })}</p>
      </div>
    </div>
  );
}

function Regions({
  kind,
  regions,
  onChange,
}: {
  readonly kind: RegionKindView;
  readonly regions: readonly SharedRegionView[];
  readonly onChange: () => void;
}) {
  const { client } = useEngine();
  const total = regions.reduce((sum, { byteSize }) => sum + byteSize, 0);
  const forget = useAction(async (name: string | undefined) => {
    const held = regions.filter((region) => name === undefined || region.name === name);
    if (!(await mayForget(name, held))) return;
    try {
      await client.call('sharedMemory/unregister', { kind, ...(name === undefined ? {} : { name }) });
    } catch (thrown) {
      toastThrown(thrown);
    }
    onChange();
  });
  return (
    <Card
      title={t('memory.title', {
        kind: t(`memory.kind.${kind}`),
        count: regions.length,
        size: formatBytes(total),
      })}
      testId={`memory-${kind}`}
      actions={
        <Button
          size="sm"
          isBusy={forget.isRunning}
          data-testid={`memory-unregister-all-${kind}`}
          onClick={() => forget.run(undefined)}
        >
          {t('memory.unregisterAll')}
        </Button>
      }
    >
      <SimpleTable
        label={t(`memory.kind.${kind}`)}
        testId={`memory-table-${kind}`}
        rows={regions}
        keyOf={({ name }) => name}
        columns={[
          { id: 'name', title: t('memory.col.name'), cell: (region) => <RegionName region={region} /> },
          kind === 'system'
            ? { id: 'key', title: t('memory.col.key'), isMono: true, cell: ({ key }) => key }
            : { id: 'device', title: t('memory.col.device'), cell: ({ deviceId }) => `GPU ${deviceId}` },
          {
            id: 'offset',
            title: t('memory.col.offset'),
            align: 'end',
            cell: ({ offset }) => formatCount(offset),
          },
          {
            id: 'size',
            title: t('memory.col.size'),
            align: 'end',
            cell: ({ byteSize }) => (
              <span className="whitespace-nowrap" title={t('memory.bytes', { count: byteSize })}>
                {formatBytes(byteSize)}
              </span>
            ),
          },
          { id: 'users', title: t('memory.col.users'), cell: (region) => <Users region={region} /> },
          {
            id: 'used',
            title: t('memory.col.used'),
            align: 'end',
            cell: ({ lastUsedAtMs }) =>
              lastUsedAtMs === undefined ? (
                <span className="text-faint">{t('memory.never')}</span>
              ) : (
                formatClock(lastUsedAtMs)
              ),
          },
          {
            id: 'registered',
            title: t('memory.col.registered'),
            align: 'end',
            cell: ({ registeredAtMs }) => formatClock(registeredAtMs),
          },
          {
            id: 'act',
            title: t('memory.col.act'),
            align: 'end',
            cell: ({ name, isLeaving }) => (
              <Button
                size="sm"
                aria-label={t('memory.unregisterOf', { name })}
                data-testid={`memory-unregister-${name}`}
                isBusy={forget.isRunning}
                disabledReason={isLeaving ? t('memory.leaving') : undefined}
                onClick={() => forget.run(name)}
              >
                {t('memory.unregister')}
              </Button>
            ),
          },
        ]}
      />
    </Card>
  );
}

/** Clients do not hear of it: their next request that names the region fails. */
async function mayForget(name: string | undefined, regions: readonly SharedRegionView[]): Promise<boolean> {
  const answer = await ask({
    title: name === undefined ? t('memory.askAll', { count: regions.length }) : t('memory.ask', { name }),
    text: t('memory.askText', { count: regions.reduce((sum, { heldCount }) => sum + heldCount, 0) }),
    choices: [{ value: 'unregister', label: t('memory.unregister'), isDanger: true }],
  });
  return answer !== undefined;
}

function RegionName({
  region: { name, isLeaving, fault, heldCount },
}: {
  readonly region: SharedRegionView;
}) {
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <span className="font-mono text-sm break-all text-strong">{name}</span>
      {isLeaving && (
        <Badge tone="info" title={t('memory.leaving')}>
          {t('memory.leavingMark', { count: heldCount })}
        </Badge>
      )}
      {fault !== undefined && (
        <Badge tone="warn" title={t(`memory.fault.${fault}`)}>
          {t(`memory.faultMark.${fault}`)}
        </Badge>
      )}
    </span>
  );
}

function Users({ region: { users } }: { readonly region: SharedRegionView }) {
  const byName = useModels((state) => state.byName);
  if (users.length === 0) return <span className="text-faint">{t('memory.noUsers')}</span>;
  return (
    <ul className="flex flex-wrap gap-x-3">
      {users.map(({ model, tensorCount }) => (
        <li key={model} className="whitespace-nowrap">
          {byName.has(model) ? (
            <button
              type="button"
              className="rounded font-mono text-sm text-accent hover:underline"
              onClick={() => open(modelAddress(model))}
            >
              {model}
            </button>
          ) : (
            <span className="font-mono text-sm">{model}</span>
          )}{' '}
          <span className="text-soft">{t('memory.tensors', { count: tensorCount })}</span>
        </li>
      ))}
    </ul>
  );
}

/** What the server can be told about it. */
const ALLOW_SETTING = 'server.allowClientShm';

function NoRegions({ view: { allowsClients, folder } }: { readonly view: SharedMemoryView }) {
  if (allowsClients) {
    return (
      <EmptyState
        icon={MemoryStick}
        testId="memory-empty"
        title={t('memory.none')}
        text={
          <>
            <p>
              {t(folder === undefined ? 'memory.noneHere' : 'memory.noneText', { folder: folder ?? '–' })}
            </p>
            <p className="mt-2 text-sm text-faint">{t('memory.noCuda')}</p>
          </>
        }
      />
    );
  }
  return <NotAllowed />;
}

function NotAllowed() {
  const engine = useEngine();
  const isPending =
    useStore(engine.state.settings, ({ view }) => view?.settings.find(({ key }) => key === ALLOW_SETTING))
      ?.isPending === true;
  const allow = useAction(async () => {
    try {
      await engine.client.call('settings/write', { changes: { [ALLOW_SETTING]: true } });
    } catch (thrown) {
      toastThrown(thrown);
      return;
    }
    await restartServer(engine);
  });
  return (
    <EmptyState
      icon={MemoryStick}
      testId="memory-off"
      title={t('memory.off')}
      text={t('memory.offText')}
      actions={
        <Button
          variant="primary"
          icon={RefreshCw}
          isBusy={allow.isRunning}
          data-testid="memory-allow"
          onClick={allow.run}
        >
          {t(isPending ? 'server.restart' : 'memory.allow')}
        </Button>
      }
    />
  );
}
