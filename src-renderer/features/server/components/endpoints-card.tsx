// Where the server listens and whether it answers: addresses to copy, health with the reason when it is not ready.

import { ExternalLink } from 'lucide-react';

import type { EndpointView, ServerView } from '../../../../src-shared/contract/observe-views.ts';
import { endpointUrl } from '../../../actions/server-actions.ts';
import { nativeShell } from '../../../engine/native-shell.ts';
import { modelAddress } from '../../../lib/address.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { StateIcon } from '../../../ui/state-chip.tsx';

export function EndpointsCard({ view }: { readonly view: ServerView }) {
  return (
    <Card title={t('server.endpoints')} testId="server-endpoints">
      <ul className="flex flex-col">
        {view.endpoints.map((endpoint) => (
          <Endpoint key={endpoint.kind} endpoint={endpoint} />
        ))}
      </ul>
    </Card>
  );
}

function Endpoint({ endpoint }: { readonly endpoint: EndpointView }) {
  const { kind, address, isListening, error, requestCount } = endpoint;
  const url = endpointUrl(endpoint);
  return (
    <li
      data-testid={`endpoint-${kind}`}
      data-listening={isListening}
      className="flex min-h-9 items-center gap-3 border-b border-line/70 last:border-b-0"
    >
      <span className="w-24 font-medium text-strong">{t(`server.endpoint.${kind}`)}</span>
      <code className="w-44 truncate text-strong">{address === '' ? t('server.endpoint.off') : address}</code>
      <span className="flex items-center gap-1.5 text-soft">
        <StateIcon state={isListening ? 'ready' : error === '' ? 'unloaded' : 'failed'} />
        {error === '' ? t(isListening ? 'server.endpoint.listening' : 'server.endpoint.notListening') : error}
      </span>
      <span className="ml-auto text-sm text-faint">
        {kind !== 'ui' && t('server.endpoint.requests', { count: requestCount })}
      </span>
      <span className="flex">
        {url !== '' && <CopyButton text={url} isIconOnly />}
        {(kind === 'metrics' || kind === 'http') && isListening && (
          <IconButton
            label={t('server.endpoint.open')}
            icon={ExternalLink}
            onClick={() => openUrl(kind === 'http' ? `${url}/v2` : url)}
          />
        )}
      </span>
    </li>
  );
}

function openUrl(url: string): void {
  const shell = nativeShell();
  if (shell === undefined) window.open(url, '_blank', 'noopener');
  else void shell.call('shell/openExternal', { url });
}

export function HealthCard({ view }: { readonly view: ServerView }) {
  const isLive = view.endpoints.some(({ kind, isListening }) => kind === 'http' && isListening);
  return (
    <Card title={t('server.health')}>
      <ul className="flex flex-col gap-1.5">
        <li className="flex items-center gap-2" data-testid="health-live" data-state={String(isLive)}>
          <StateIcon state={isLive ? 'ready' : 'unloaded'} />
          {t(isLive ? 'server.health.live' : 'server.health.notLive')}
        </li>
        <li data-testid="health-ready" data-state={String(view.isReady)}>
          <p className="flex items-center gap-2">
            <StateIcon state={view.isReady ? 'ready' : 'degraded'} />
            {view.isReady
              ? t('server.health.ready')
              : t('server.health.notReady', { count: view.notReady.length })}
          </p>
          {!view.isReady && <WhyNotReady notReady={view.notReady} />}
        </li>
      </ul>
      <p className="mt-2 text-sm text-faint">
        {t(view.strictReadiness ? 'server.health.strict' : 'server.health.lenient')}
      </p>
    </Card>
  );
}

/** The models that a strict server waits for. */
function WhyNotReady({ notReady }: Pick<ServerView, 'notReady'>) {
  return (
    <ul className="mt-1 ml-6 flex flex-col gap-1" data-testid="not-ready-list">
      {notReady.map(({ model, reason }) => (
        <li key={model} className="min-w-0 text-soft">
          <button
            type="button"
            className="rounded font-mono text-sm text-accent hover:underline"
            onClick={() => open(modelAddress(model))}
          >
            {model}
          </button>{' '}
          <span className="break-words">{reason === '' ? t('server.health.loading') : reason}</span>
        </li>
      ))}
    </ul>
  );
}
