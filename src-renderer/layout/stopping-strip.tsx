// While the server stops and requests are still under way: what it waits for, how long at most, and how to stop waiting.

import { useEngine, useSamples, useServer } from '../engine/engine-context.tsx';
import { useAction } from '../engine/use-action.ts';
import { activeTab, useWorkspace } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';

/** Above every screen but the Server screen, which says it in its header. */
export function StoppingStrip() {
  const engine = useEngine();
  const seconds = useServer((view) => (view?.state === 'stopping' ? view.exitTimeoutSec : undefined));
  const count = useSamples(({ perSecond }) => perSecond?.inFlight ?? 0);
  const isTold = useWorkspace((state) => activeTab(state)?.address.area === 'server');
  const stopNow = useAction(() => engine.client.call('server/stopNow', {}));
  if (seconds === undefined || count === 0 || isTold) return null;
  return (
    <Banner
      isStrip
      testId="banner-stopping"
      actions={
        <Button size="sm" isBusy={stopNow.isRunning} data-testid="strip-stop-now" onClick={stopNow.run}>
          {t('server.stopNow')}
        </Button>
      }
    >
      {t('server.state.stopping')}. {t('server.stopping', { count, seconds })}
    </Banner>
  );
}
