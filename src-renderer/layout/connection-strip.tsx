// Says that the window has lost its server process, and that it comes back by itself, or what it needs for that.
// Everything typed stays.

import { useEffect, useRef, useState } from 'react';

import { useConnection } from '../engine/engine-context.tsx';
import { formatClock } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { announce } from '../ui/announcer.tsx';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TokenForm } from './token-page.tsx';

/** Says that the server is lost or does not answer, and when it is tried again. Its return is told to readers. */
export function ConnectionStrip() {
  const status = useConnection((state) => state.status);
  const wasLost = useRef(false);
  useEffect(() => {
    if (status === 'open' && wasLost.current) announce(t('connection.back'));
    wasLost.current = status === 'lost' || status === 'silent';
  }, [status]);
  const attempt = useConnection((state) => state.attempt);
  const lostAtMs = useConnection((state) => state.lostAtMs ?? 0);
  if (status === 'open') return null;
  if (status === 'refused') return <RefusedStrip />;
  if (status === 'silent') {
    return (
      <Banner isStrip tone="warn" testId="connection-silent">
        {t('connection.silent', { time: formatClock(lostAtMs) })}
      </Banner>
    );
  }
  if (status === 'connecting') {
    return attempt === 0 ? null : (
      <Banner isStrip tone="info" testId="connection-connecting">
        {t('connection.connecting')}
      </Banner>
    );
  }
  return (
    <Banner isStrip tone="bad" testId="connection-lost">
      {t('connection.lost', { attempt, time: formatClock(lostAtMs) })}
    </Banner>
  );
}

/** The page was connected, and the server that answers now is another one. */
function RefusedStrip() {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Banner
        isStrip
        tone="bad"
        testId="connection-refused"
        actions={
          <Button size="sm" worksOffline onClick={() => setAsking(true)} data-testid="connection-enter">
            {t('connection.enterAddress')}
          </Button>
        }
      >
        {t('connection.refused')}
      </Banner>
      <Dialog isOpen={isAsking} onClose={() => setAsking(false)} title={t('token.title')} width="md">
        <TokenForm />
      </Dialog>
    </>
  );
}
