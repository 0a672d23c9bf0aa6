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
import { toastError } from '../../../ui/toast.tsx';

export function ServerHeader({ view }: { readonly view: ServerView }) {
  const engine = useEngine();
  const isOn = isRunning(view);
  const toggle = useAction(() => (isOn ? stopServer(engine) : startServer(engine)), toastError);
  const stopNow = useAction(() => engine.client.call('server/stopNow', {}), toastError);
  const nowMs = useSamples(({ perSecond }) => perSecond?.atMs ?? 0);
  const inFlight = useSamples(({ perSecond }) => perSecond?.inFlight ?? 0);
  return (
    <header className="flex flex-col gap-3">
      <div className="flex items-center gap-4">
        <Button
          size="lg"
          variant={isOn ? 'secondary' : 'primary'}
          icon={Power}
          isBusy={toggle.isRunning}
          data-testid="server-toggle"
          onClick={toggle.run}
        >
          {t(isOn ? 'command.serverStop' : 'command.serverStart')}
        </Button>
        <p className="text-lg font-semibold text-strong" data-testid="server-state" data-state={view.state}>
          {t(`server.state.${view.state}`)}
        </p>
        {view.state === 'serving' && nowMs > view.startedAtMs && (
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
      </div>
      <RestartBanner />
      <CrashBanner view={view} />
    </header>
  );
}

function RestartBanner() {
  const engine = useEngine();
  const settings = useStore(engine.state.settings, ({ view }) => view?.settings);
  const titles = settings?.filter(({ isPending }) => isPending).map(({ title }) => title) ?? [];
  const restart = useAction(() => restartServer(engine), toastError);
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

function CrashBanner({ view }: { readonly view: ServerView }) {
  const crash = view.crashes.at(-1);
  if (crash === undefined) return null;
  return (
    <Banner
      tone="bad"
      testId="banner-crash"
      actions={
        <Button size="sm" onClick={() => showBottom('logs')}>
          {t('server.crash.logs')}
        </Button>
      }
    >
      {t('server.crash', { detail: crash.detail })}{' '}
      {crash.model !== '' && `${t('server.crashModel', { model: crash.model })}. `}
      <span className="text-soft">
        {t('server.crashes', { count: view.crashes.length })}, {formatClock(crash.atMs)}
      </span>
    </Banner>
  );
}
