// Says that the window has lost its server process, and that it comes back by itself. Everything typed stays.

import { useConnection } from '../engine/engine-context.tsx';
import { t } from '../texts/translate.ts';
import { Banner } from '../ui/banner.tsx';

export function ConnectionStrip() {
  const status = useConnection((state) => state.status);
  const attempt = useConnection((state) => state.attempt);
  if (status === 'open') return null;
  if (status === 'connecting') {
    return attempt === 0 ? null : (
      <Banner isStrip tone="info" testId="connection-connecting">
        {t('connection.connecting')}
      </Banner>
    );
  }
  return (
    <Banner isStrip tone="bad" testId="connection-lost">
      {t('connection.lost', { attempt })}
    </Banner>
  );
}
