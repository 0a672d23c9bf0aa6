// The big switch, how long the server has been up, what waits for a restart, and what went wrong.

import { Power, RefreshCw } from 'lucide-react';
import { useStore } from 'zustand';

import type { ServerView } from '../../../../src-shared/contract/observe-views.ts';
import { isRunning, restartServer, startServer, stopServer } from '../../../actions/server-actions.ts';
import { useEngine, useSamples } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { formatClock, formatDuration } from '../../../lib/format.ts';
import { showBottom } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { useOfflineReason } from '../../../ui/offline.ts';

/** The switch asks for what the state of the server allows. */
export function ServerHeader({ view }: { readonly view: ServerView }) {
  const engine = useEngine();
  const isOn = isRunning(view);
  const isStale = useOfflineReason() !== undefined;
  const toggle = useAction(() => (isOn ? stopServer(engine) : startServer(engine)));
  const stopNow = useAction(() => engine.client.call('server/stopNow', {}));
  const nowMs = useSamples(({ perSecond }) => perSecond?.atMs ?? 0);
  const inFlight = useSamples(({ perSecond }) => perSecond?.inFlight ?? 0);
  return (
    <header className="flex flex-col gap-3">
      <div className="flex items-center gap-4">
        <p className="text-2xl font-semibold text-strong" data-testid="server-state" data-state={view.state}>
          {isStale
            ? t('state.lastKnown', { state: t(`server.state.${view.state}`) })
            : t(`server.state.${view.state}`)}
        </p>
        {!isStale && view.state === 'serving' && nowMs > view.startedAtMs && (
          <span className="text-faint">
            {t('server.uptime', { time: formatDuration(nowMs - view.startedAtMs) })}
          </span>
        )}
        {view.state === 'stopping' && (
          <>
            <span className="text-soft" data-testid="server-stopping">
              {t('server.stopping', { count: inFlight, seconds: view.exitTimeoutSec })}
            </span>
            <Button data-testid="server-stop-now" isBusy={stopNow.isRunning} onClick={() => stopNow.run()}>
              {t('server.stopNow')}
            </Button>
          </>
        )}
        <Button
          className="ml-auto"
          variant={isOn ? 'secondary' : 'primary'}
          icon={Power}
          isBusy={toggle.isRunning}
          data-testid="server-toggle"
          onClick={toggle.run}
        >
          {t(isOn ? 'command.serverStop' : 'command.serverStart')}
        </Button>
      </div>
      <RestartBanner />
      {view.state === 'port-problem' && <PortBanner view={view} />}
      <CrashBanner view={view} />
    </header>
  );
}

function RestartBanner() {
  const engine = useEngine();
  const settings = useStore(engine.state.settings, ({ view }) => view?.settings);
  const titles = settings?.filter(({ isPending }) => isPending).map(({ title }) => title) ?? [];
  const restart = useAction(() => restartServer(engine));
  if (titles.length === 0) return null;
  return (
    <Banner
      tone="info"
      testId="banner-restart"
      actions={
        <Button size="sm" variant="primary" icon={RefreshCw} isBusy={restart.isRunning} onClick={restart.run}>
          {t('server.restart')}
        </Button>
      }
    >
      {t('server.restartNeeded', { count: titles.length, names: titles.join(', ') })}
    </Banner>
  );
}

/** Stays when the dialog was closed; the only word when the port is free but not ours to take. */
function PortBanner({ view }: { readonly view: ServerView }) {
  const engine = useEngine();
  const { portConflict, endpoints } = view;
  const [http, grpc, metrics] = portConflict?.freePorts ?? [];
  const retry = useAction(() => startServer(engine));
  const use = useAction(async () => {
    if (http === undefined || grpc === undefined || metrics === undefined) return;
    await startServer(engine, { http, grpc, metrics });
  });
  const isStarting = retry.isRunning || use.isRunning;
  const error = endpoints.find((endpoint) => endpoint.error !== undefined)?.error ?? '';
  return (
    <Banner
      tone="bad"
      testId="banner-port"
      actions={
        <>
          <Button size="sm" isBusy={isStarting} data-testid="banner-port-retry" onClick={retry.run}>
            {t('server.port.retry')}
          </Button>
          {metrics !== undefined && (
            <Button
              size="sm"
              variant="primary"
              isBusy={isStarting}
              data-testid="banner-port-use"
              onClick={use.run}
            >
              {t('server.port.use', { ports: `${http}, ${grpc}, ${metrics}` })}
            </Button>
          )}
        </>
      }
    >
      <p>
        {portConflict === undefined
          ? error
          : t('server.port.text', {
              port: String(portConflict.port),
              holder:
                portConflict.holder === undefined ? t('server.port.unknownHolder') : portConflict.holder,
            })}
      </p>
      {/EACCES|permission denied/i.test(error) && <p className="text-soft">{t('server.port.denied')}</p>}
    </Banner>
  );
}

function CrashBanner({ view }: { readonly view: ServerView }) {
  const crash = view.crashes.at(-1);
  if (crash === undefined) return null;
  return (
    <Banner
      tone="bad"
      testId="banner-crash"
      actions={
        <>
          <CopyButton text={crashReport(view)} label={t('server.crash.copy')} testId="crash-copy" />
          <Button size="sm" onClick={() => showBottom('logs')}>
            {t('server.crash.logs')}
          </Button>
        </>
      }
    >
      {t('server.crash', { detail: crash.detail })}{' '}
      {crash.model !== undefined && `${t('server.crashModel', { model: crash.model })}. `}
      <span className="text-soft">
        {t('server.crashes', { count: view.crashes.length })}, {formatClock(crash.atMs)}
      </span>
      {view.crashes.length > 1 && (
        <ul className="mt-1 text-soft" data-testid="crash-list">
          {view.crashes
            .slice(0, -1)
            .toReversed()
            .map(({ atMs, detail, model }) => (
              <li key={atMs}>
                {formatClock(atMs)} {detail}
                {model !== undefined && `, ${t('server.crashModel', { model })}`}
              </li>
            ))}
        </ul>
      )}
    </Banner>
  );
}

/** What a report to the makers of a model or of this app needs, as text. */
function crashReport({ crashes, version, runtimeVersions, cpuModel, gpus }: ServerView): string {
  return JSON.stringify(
    {
      crashes: crashes.map(({ atMs, ...crash }) => ({ at: new Date(atMs).toISOString(), ...crash })),
      protocols: version,
      ...runtimeVersions,
      cpu: cpuModel,
      gpus,
    },
    null,
    2,
  );
}
