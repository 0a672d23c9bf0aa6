// Who called this server since it started, by protocol and user agent. Asked for once a second while it is shown.

import { useEffect, useState } from 'react';

import type { ClientView } from '../../../../src-shared/contract/observe-views.ts';
import { isAbort, explainedMessage } from '../../../engine/engine-client.ts';
import { useClient, useSamples } from '../../../engine/engine-context.tsx';
import { formatClock, formatCount } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Card } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';

const SHOWN = 20;

/** The first of a long list only. */
export function ClientsCard() {
  const { clients, error } = useClients();
  return (
    <Card title={t('server.clients')} testId="server-clients">
      {clients === undefined ? (
        error === undefined ? (
          <Skeleton rows={1} />
        ) : (
          <p className="text-bad">{error}</p>
        )
      ) : clients.length === 0 ? (
        <p className="text-faint">{t('server.clients.none')}</p>
      ) : (
        <SimpleTable
          label={t('server.clients')}
          testId="server-clients-table"
          rows={clients.slice(0, SHOWN)}
          keyOf={({ protocol, userAgent }) => `${protocol} ${userAgent ?? ''}`}
          columns={[
            {
              id: 'agent',
              title: t('server.clients.agent'),
              cell: ({ userAgent, lastError }) => (
                <>
                  {userAgent === undefined ? (
                    <span className="text-faint">{t('server.clients.nameless')}</span>
                  ) : (
                    <span className="break-words">{userAgent}</span>
                  )}
                  {lastError !== undefined && (
                    <span className="block text-sm break-words text-soft">
                      {t('server.clients.lastError', { error: lastError })}
                    </span>
                  )}
                </>
              ),
            },
            { id: 'protocol', title: t('server.clients.protocol'), cell: ({ protocol }) => protocol },
            {
              id: 'requests',
              title: t('server.clients.requests'),
              align: 'end',
              cell: ({ requestCount }) => formatCount(requestCount),
            },
            {
              id: 'errors',
              title: t('server.clients.errors'),
              align: 'end',
              cell: ({ errorCount }) => (
                <span className={errorCount > 0 ? 'text-bad' : undefined}>{formatCount(errorCount)}</span>
              ),
            },
            {
              id: 'seen',
              title: t('server.clients.seen'),
              align: 'end',
              cell: ({ lastSeenMs }) => formatClock(lastSeenMs),
            },
          ]}
        />
      )}
    </Card>
  );
}

/** No clients until the server has answered once; what it said last stays while it cannot be asked. */
function useClients(): {
  readonly clients: readonly ClientView[] | undefined;
  readonly error: string | undefined;
} {
  const client = useClient();
  const second = useSamples(({ perSecond }) => perSecond?.atMs ?? 0);
  const [clients, setClients] = useState<readonly ClientView[]>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    const controller = new AbortController();
    client.call('server/clients', {}, { signal: controller.signal }).then(setClients, (thrown: unknown) => {
      if (!isAbort(thrown)) setError(explainedMessage(thrown));
    });
    return () => controller.abort();
  }, [client, second]);
  return { clients, error };
}
