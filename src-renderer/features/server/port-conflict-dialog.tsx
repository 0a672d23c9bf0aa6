// A port the server needs is taken: which program has it, and free ones to use instead. Shown once per conflict; the
// Server screen keeps saying it.

import { useState } from 'react';

import type { ServerView } from '../../../src-shared/contract/observe-views.ts';
import { startServer } from '../../actions/server-actions.ts';
import { useEngine, useServer } from '../../engine/engine-context.tsx';
import { useAction } from '../../engine/use-action.ts';
import { t } from '../../texts/translate.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';

type Conflict = NonNullable<ServerView['portConflict']>;

/** Stands once in the window; draws nothing without a conflict. */
export function PortConflictDialog() {
  const conflict = useServer((view) => (view?.state === 'port-problem' ? view.portConflict : undefined));
  const [dismissed, setDismissed] = useState('');
  const key = conflict === undefined ? '' : `${conflict.port} ${conflict.holder ?? ''}`;
  // Each start that fails is a conflict of its own; news of the server in between are not.
  if (conflict === undefined && dismissed !== '') setDismissed('');
  if (conflict === undefined || key === dismissed) return null;
  return <ConflictDialog conflict={conflict} onClose={() => setDismissed(key)} />;
}

function ConflictDialog({
  conflict,
  onClose,
}: {
  readonly conflict: Conflict;
  readonly onClose: () => void;
}) {
  const engine = useEngine();
  const { port, holder, holderCommand, freePorts } = conflict;
  const [isShown, setIsShown] = useState(false);
  const [http, grpc, metrics] = freePorts;
  const use = useAction(async () => {
    if (http === undefined || grpc === undefined || metrics === undefined) return;
    await startServer(engine, { http, grpc, metrics });
  });
  const retry = useAction(() => startServer(engine));
  const isStarting = use.isRunning || retry.isRunning;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      testId="port-conflict"
      title={t('server.port.title', { port: String(port) })}
      description={t('server.port.text', {
        port: String(port),
        holder: holder === undefined ? t('server.port.unknownHolder') : holder,
      })}
      footer={
        <>
          <Button worksOffline data-testid="port-later" onClick={onClose}>
            {t('server.port.later')}
          </Button>
          {holderCommand !== undefined && (
            <Button data-testid="port-process" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
              {t('server.port.process')}
            </Button>
          )}
          <Button isBusy={isStarting} data-testid="port-retry" onClick={retry.run}>
            {t('server.port.retry')}
          </Button>
          {metrics !== undefined && (
            <Button variant="primary" isBusy={isStarting} data-testid="port-use-free" onClick={use.run}>
              {t('server.port.use', { ports: portRange(freePorts) })}
            </Button>
          )}
        </>
      }
    >
      {isShown && (
        <CodeBlock text={`${holder ?? ''}\n${holderCommand ?? ''}`} isWrapped testId="port-process-command" />
      )}
    </Dialog>
  );
}

/** "8010-8012" for neighbours, else all of them. */
export function portRange(ports: readonly number[]): string {
  const isRange =
    ports.length > 1 && ports.every((port, index) => index === 0 || port === (ports[index - 1] ?? 0) + 1);
  return isRange ? `${ports[0] ?? ''}-${ports.at(-1) ?? ''}` : ports.join(', ');
}
