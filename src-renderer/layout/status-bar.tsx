// The bottom row: the server in numbers, once per second. Fixed widths, so that nothing jumps when a number changes.

import { CircleCheck, CircleDashed, CircleX, LoaderCircle, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';

import { endpointUrl } from '../actions/server-actions.ts';
import { useConnection, useEngine, useModels, useSamples, useServer } from '../engine/engine-context.tsx';
import { APP_VERSION } from '../lib/app-version.ts';
import { formatBytes, formatMicros, formatRate } from '../lib/format.ts';
import { gpuUseLines, gpuUseShort } from '../lib/gpu-use.ts';
import { useLiveModels } from '../engine/use-live-models.ts';
import { problemCount } from '../lib/problem-count.ts';
import { showBottom, useWorkspace } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { copyText } from '../ui/copy-button.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { Progress } from '../ui/progress.tsx';
import type { OverflowItem } from './overflow-row.tsx';
import { OverflowRow } from './overflow-row.tsx';

const DOTS = {
  serving: { icon: CircleCheck, color: 'text-good' },
  starting: { icon: LoaderCircle, color: 'text-info' },
  stopping: { icon: LoaderCircle, color: 'text-info' },
  stopped: { icon: CircleDashed, color: 'text-faint' },
  'port-problem': { icon: TriangleAlert, color: 'text-bad' },
  offline: { icon: CircleX, color: 'text-bad' },
} as const;

/** The state of server and machine, at the bottom. */
export function StatusBar() {
  const items: readonly OverflowItem[] = [
    { id: 'server', content: <ServerStatus /> },
    { id: 'ready', content: <ReadyCount /> },
    {
      id: 'inflight',
      content: (
        <Sample
          id="inflight"
          label={t('status.inFlight')}
          help={t('status.inFlightHelp')}
          width="w-20"
          read={(s) => String(s.inFlight)}
        />
      ),
    },
    {
      id: 'waiting',
      content: (
        <Sample
          id="waiting"
          label={t('status.waiting')}
          help={t('status.waitingHelp')}
          width="w-20"
          read={(s) => String(s.waiting)}
        />
      ),
    },
    {
      id: 'rate',
      content: (
        <Sample
          id="rate"
          label={t('status.rate')}
          help={t('status.rateHelp')}
          width="w-20"
          isLabelLast
          read={(s) => formatRate(s.inferPerSecond)}
        />
      ),
    },
    {
      id: 'p99',
      content: (
        <Sample
          id="p99"
          label="p99"
          help={t('status.p99Help')}
          width="w-24"
          read={(s) => formatMicros(s.p99Us)}
        />
      ),
    },
    { id: 'problems', startsRight: true, content: <Problems /> },
    { id: 'task', content: <RunningTask /> },
    {
      id: 'cpu',
      content: (
        <Sample
          id="cpu"
          label={t('status.cpu')}
          help={t('status.cpuHelp')}
          width="w-20"
          read={(s) => `${Math.round(s.cpuPercent)} %`}
        />
      ),
    },
    {
      id: 'memory',
      content: (
        <Sample id="memory" label={t('status.memory')} width="w-24" read={(s) => formatBytes(s.rssBytes)} />
      ),
    },
    { id: 'gpu', content: <Gpu /> },
    { id: 'provider', content: <Provider /> },
    { id: 'version', content: <Version /> },
  ];
  return (
    <footer
      data-region="status"
      aria-label={t('region.status')}
      className="flex h-6 shrink-0 select-none items-stretch border-t border-line bg-canvas pl-1 text-sm text-soft"
    >
      <OverflowRow items={items} moreLabel={t('status.more')} />
    </footer>
  );
}

function Item({
  id,
  children,
  className,
  state,
  title,
}: {
  readonly id: string;
  readonly children: ReactNode;
  readonly className?: string;
  readonly state?: string;
  readonly title?: string | undefined;
}) {
  return (
    <span
      title={title}
      data-testid={`status-${id}`}
      data-state={state}
      className={cx('flex h-full items-center gap-1.5 px-2 whitespace-nowrap', className)}
    >
      {children}
    </span>
  );
}

function ServerStatus() {
  const isConnected = useConnection((state) => state.status === 'open');
  const view = useServer((server) => server);
  const state = !isConnected || view === undefined ? 'offline' : view.state;
  const dot = DOTS[state];
  return (
    <Item id="server" state={state}>
      <Icon of={dot.icon} size={12} className={dot.color} />
      <span className="text-strong">{t(`server.state.${state}`)}</span>
      {isConnected &&
        view?.endpoints
          .filter(({ kind }) => kind !== 'ui')
          .map((endpoint) => {
            const url = endpointUrl(endpoint);
            if (url === undefined) return null;
            return (
              <button
                key={endpoint.kind}
                type="button"
                data-testid={`status-port-${endpoint.kind}`}
                title={t('status.copyBaseUrl', { url })}
                onClick={() => void copyText(url)}
                className={cx(
                  'focus-inset h-6 rounded px-1 hover:bg-hover hover:text-strong',
                  !endpoint.isListening && 'text-faint line-through',
                )}
              >
                <span className="text-faint">{t(`status.port.${endpoint.kind}`)}</span>{' '}
                <span data-testid={`status-port-number-${endpoint.kind}`}>
                  {endpoint.address?.split(':').at(-1)}
                </span>
              </button>
            );
          })}
    </Item>
  );
}

function ReadyCount() {
  const total = useModels(({ models }) => models.length);
  const ready = useModels(({ models }) => models.filter(({ state }) => state === 'ready').length);
  return <Item id="ready">{t('status.ready', { ready, total })}</Item>;
}

function Sample({
  id,
  label,
  help,
  width,
  read,
  isLabelLast = false,
}: {
  readonly id: string;
  readonly label: string;
  /** Of what, and over which time. */
  readonly help?: string;
  readonly width: string;
  readonly read: (sample: NonNullable<ReturnType<typeof latest>>) => string;
  readonly isLabelLast?: boolean;
}) {
  const isConnected = useConnection((state) => state.status === 'open');
  const value = useSamples((state) => {
    const sample = isConnected ? latest(state) : undefined;
    return sample === undefined ? '–' : read(sample);
  });
  return (
    <Item id={id} className={width} title={help}>
      {!isLabelLast && label} <span className="text-strong">{value}</span> {isLabelLast && label}
    </Item>
  );
}

function latest(state: Parameters<Parameters<typeof useSamples>[0]>[0]) {
  return state.perSecond;
}

function Problems() {
  const repositories = useModels((state) => state.repositories);
  const count = problemCount(useLiveModels(), repositories);
  // Said when it is pressed: the panel that opens does not take the focus.
  const isOpen = useWorkspace(({ isBottomOpen, bottomTab }) => isBottomOpen && bottomTab === 'problems');
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      data-testid="status-problems"
      data-count={count}
      onClick={() => showBottom('problems')}
      className="focus-inset flex h-full items-center gap-1.5 rounded px-2 hover:bg-hover hover:text-strong"
    >
      <Icon
        of={count === 0 ? CircleCheck : TriangleAlert}
        size={12}
        className={count === 0 ? 'text-faint' : 'text-warn'}
      />
      {t('status.problems', { count })}
    </button>
  );
}

function RunningTask() {
  const task = useStore(useEngine().state.tasks, ({ tasks }) =>
    tasks.find(({ state }) => state === 'running'),
  );
  if (task === undefined) return null;
  return (
    <button
      type="button"
      data-testid="status-task"
      onClick={() => showBottom('tasks')}
      className="focus-inset flex h-full items-center gap-2 rounded px-2 hover:bg-hover"
    >
      <span className="max-w-40 truncate">{task.title}</span>
      <Progress value={task.progress} label={task.title} className="w-16" />
      {task.progress !== undefined && (
        <span className="w-9 text-right">{Math.round(task.progress * 100)} %</span>
      )}
    </button>
  );
}

function Gpu() {
  const gpu = useSamples(({ perSecond }) => perSecond?.gpu);
  return gpu === undefined ? null : (
    <Item id="gpu">
      <span title={gpuUseLines(gpu).join('\n')}>
        {t('status.gpu')} <span className="text-strong">{gpuUseShort(gpu)}</span>
      </span>
    </Item>
  );
}

function Provider() {
  const provider = useServer((view) => view?.providers[0] ?? '');
  return provider === '' ? null : <Item id="provider">{t('status.runsOn', { provider })}</Item>;
}

function Version() {
  const compatible = useServer((view) => view?.version ?? '');
  const dropped = useSamples(({ perSecond }) => perSecond?.droppedCount ?? 0);
  const notes = [
    ...(compatible === '' ? [] : [t('status.compatible', { version: compatible })]),
    ...(dropped === 0 ? [] : [t('status.dropped', { count: dropped })]),
  ];
  return (
    <Item id="version">
      <span title={notes.join('\n')}>
        {t('app.name')} {APP_VERSION}
      </span>
    </Item>
  );
}
