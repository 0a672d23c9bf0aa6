// What the window shows while it has no server: the token page when it never had one and its token is refused, else the
// window as it was, without colours and with its buttons off.

import type { ReactNode } from 'react';
import { useEffect } from 'react';

import { useConnection } from '../engine/engine-context.tsx';
import { formatClock } from '../lib/format.ts';
import { setServerLost } from '../lib/command-registry.ts';
import { t } from '../texts/translate.ts';
import { OfflineContext } from '../ui/offline.ts';
import { TokenPage } from './token-page.tsx';

/** Tells what is inside that the server is lost, and asks for a token where the server wants one. */
export function ConnectionGate({ children }: { readonly children: ReactNode }) {
  const isRefused = useConnection((state) => state.status === 'refused' && state.generation === 0);
  const lostAtMs = useConnection((state) => (state.generation === 0 ? undefined : state.lostAtMs));
  const isLost = lostAtMs !== undefined;
  useEffect(() => {
    document.documentElement.toggleAttribute('data-offline', isLost);
    setServerLost(isLost);
  }, [isLost]);
  if (isRefused) return <TokenPage />;
  const reason = isLost ? t('connection.since', { time: formatClock(lostAtMs) }) : undefined;
  return <OfflineContext value={reason}>{children}</OfflineContext>;
}
