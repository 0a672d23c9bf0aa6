// After a crash of the server process: that it happened, that it runs again, and what is being loaded again.

import { useState } from 'react';

import { useModels, useServer } from '../engine/engine-context.tsx';
import { address } from '../lib/address.ts';
import { activeTab, open, showBottom, useWorkspace } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';

/** Says that the server process ended and came back, unless the Server screen is open, which tells it at length. */
export function CrashStrip() {
  const crash = useServer((view) => view?.crashes.at(-1));
  const loading = useModels(({ models }) => models.filter(({ state }) => state === 'loading').length);
  // Crashes from before this window was opened are told on the Server screen only.
  const [seenAtMs, setSeenAtMs] = useState(() => Date.now());
  const isTold = useWorkspace((state) => activeTab(state)?.address.area === 'server');
  if (crash === undefined || crash.atMs <= seenAtMs) return null;
  if (isTold) {
    setSeenAtMs(crash.atMs);
    return null;
  }
  return (
    <Banner
      isStrip
      tone="bad"
      testId="banner-crashed"
      actions={
        <>
          <Button size="sm" onClick={() => open(address('server'))}>
            {t('crash.report')}
          </Button>
          <Button size="sm" onClick={() => showBottom('logs')}>
            {t('server.crash.logs')}
          </Button>
          <Button size="sm" onClick={() => setSeenAtMs(crash.atMs)}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      {t('server.crash', { detail: crash.detail })} {loading > 0 && t('crash.loading', { count: loading })}
    </Banner>
  );
}
