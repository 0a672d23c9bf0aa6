// Where the server listens and whether it answers: addresses to copy, health with the reason when it is not ready.

import { ExternalLink } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

import type {
  EndpointCheck,
  EndpointView,
  ServerView,
} from '../../../../src-shared/contract/observe-views.ts';
import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { openUrl } from '../../../actions/open-url.ts';
import { endpointUrl } from '../../../actions/server-actions.ts';
import { useClient, useModels } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { modelAddress } from '../../../lib/address.ts';
import { formatMicros, formatRate } from '../../../lib/format.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { StateIcon } from '../../../ui/state-chip.tsx';

/** The ports are asked on a button; a check lasts until they change. */
export function EndpointsCard({ view }: { readonly view: ServerView }) {
  const listening = view.endpoints.filter(({ isListening }) => isListening).map(({ address }) => address);
  const { checks, isRunning, check } = useChecks(listening.join(' '));
  return (
    <Card
      title={t('server.endpoints')}
      testId="server-endpoints"
      actions={
        <Button
          size="sm"
          isBusy={isRunning}
          disabledReason={listening.length === 0 ? t('server.endpoint.notListening') : undefined}
          data-testid="endpoints-check"
          onClick={check}
        >
          {t('server.endpoint.check')}
        </Button>
      }
    >
      <ul className="flex flex-col">
        {view.endpoints.map((endpoint) => (
          <Endpoint
            key={endpoint.kind}
            endpoint={endpoint}
            check={checks.find(({ kind }) => kind === endpoint.kind)}
          />
        ))}
      </ul>
    </Card>
  );
}

/** Each endpoint is asked when it begins to listen, when this is shown, and on demand; every asking is a request. */
function useChecks(listening: string) {
  const client = useClient();
  const [checks, setChecks] = useState<readonly EndpointCheck[]>([]);
  const shown = useRef('');
  const action = useAction(async () => {
    const answer = await client.call('server/check', {});
    // The server may listen elsewhere by now, and was asked again then.
    if (shown.current === listening) setChecks(answer);
  });
  useEffect(() => {
    shown.current = listening;
    const controller = new AbortController();
    if (listening !== '') {
      client.call('server/check', {}, { signal: controller.signal }).then(setChecks, () => {
        if (!controller.signal.aborted) setChecks([]);
      });
    }
    return () => controller.abort();
  }, [client, listening]);
  return { checks: listening === '' ? [] : checks, isRunning: action.isRunning, check: action.run };
}

function Endpoint({
  endpoint,
  check,
}: {
  readonly endpoint: EndpointView;
  readonly check: EndpointCheck | undefined;
}) {
  const { kind, address, isListening, requestCount, requestsPerSecond } = endpoint;
  const url = endpointUrl(endpoint);
  const name = t(`server.endpoint.${kind}`);
  const isCounted = kind !== 'ui';
  return (
    <li
      data-testid={`endpoint-${kind}`}
      data-listening={isListening}
      className="flex min-h-10 flex-wrap items-center gap-x-3 py-0.5 border-b border-line/70 last:border-b-0"
    >
      <span className="w-24 font-medium text-strong">{name}</span>
      <code className="min-w-36 text-strong">
        {address === undefined ? t('server.endpoint.off') : address}
      </code>
      <EndpointState endpoint={endpoint} check={check} />
      <span className="ml-auto flex items-center gap-3">
        {isCounted && (
          <span className="flex flex-col items-end text-sm leading-tight text-faint">
            <span data-testid={`endpoint-rate-${kind}`}>
              <span className="text-strong">{formatRate(requestsPerSecond)}</span> {t('server.endpoint.rate')}
            </span>
            <span>{t('server.endpoint.requests', { count: requestCount })}</span>
          </span>
        )}
        <span className="flex w-14 justify-end">
          {(kind === 'metrics' || kind === 'http') && isListening && url !== undefined && (
            <IconButton
              label={t('server.endpoint.open', { name })}
              icon={ExternalLink}
              onClick={() => openUrl(kind === 'http' ? `${url}/v2` : url)}
            />
          )}
          {url !== undefined && (
            <CopyButton text={url} label={t('server.endpoint.copy', { name })} isIconOnly />
          )}
        </span>
      </span>
    </li>
  );
}

function EndpointState({
  endpoint: { kind, isListening, error },
  check,
}: {
  readonly endpoint: EndpointView;
  readonly check: EndpointCheck | undefined;
}) {
  const isBroken = isListening && check?.isOk === false;
  const state = isBroken || error !== undefined ? 'failed' : isListening ? 'ready' : 'unloaded';
  const text = isBroken
    ? t('server.endpoint.noAnswer', { reason: check.message ?? '' })
    : error !== undefined
      ? error
      : !isListening
        ? t('server.endpoint.notListening')
        : check === undefined
          ? t('server.endpoint.listening')
          : t('server.endpoint.answers', { time: formatMicros(check.tookUs) });
  return (
    <span
      className="flex min-w-0 items-center gap-1.5 text-soft"
      data-testid={`endpoint-state-${kind}`}
      data-state={state}
    >
      <StateIcon state={state} />
      <span className="min-w-0 break-words">{text}</span>
    </span>
  );
}

/** Live, ready, and what keeps the server from being ready. */
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

function whyShort(model: ModelView | undefined, reason: string): string {
  if (model?.state === 'not-runnable') return t('command.notRunnable', { backend: model.backend });
  return model?.failure?.title ?? reason;
}

/** The models that a strict server waits for. */
function WhyNotReady({ notReady }: Pick<ServerView, 'notReady'>) {
  const byName = useModels((state) => state.byName);
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
          {/* The page of the model has the server's words; here they would be a wall. */}
          <span className="break-words" title={reason}>
            {reason === '' ? t('server.health.loading') : whyShort(byName.get(model), reason)}
          </span>
        </li>
      ))}
    </ul>
  );
}
