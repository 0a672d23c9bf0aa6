// Starting and stopping the listeners, and what is copied or saved about the server.

import type { EndpointView, ServerView } from '../../src-shared/contract/observe-views.ts';
import type { Engine } from '../engine/engine-context.tsx';
import { t } from '../texts/translate.ts';
import { ask } from '../ui/confirm.tsx';
import { saveText } from './save-text.ts';
import { toastThrown } from '../engine/toast-thrown.ts';

/** Ports to listen on instead of those of the settings; 0 picks a free one. */
export interface Ports {
  readonly http: number;
  readonly grpc: number;
  readonly metrics: number;
}

/** Opens the listeners of a stopped server. Failures are told as messages. */
export async function startServer(engine: Engine, ports?: Ports): Promise<void> {
  try {
    const view = await engine.client.call('server/start', ports === undefined ? {} : { ports });
    engine.state.server.setState({ view });
  } catch (thrown) {
    toastThrown(thrown);
  }
}

/** Asks first when requests are in flight. False when the user kept it running or it failed. */
export async function stopServer(engine: Engine): Promise<boolean> {
  if (!(await mayInterrupt(engine))) return false;
  try {
    const view = await engine.client.call('server/stop', {});
    engine.state.server.setState({ view });
    return true;
  } catch (thrown) {
    toastThrown(thrown);
    return false;
  }
}

/** A new server process: settings that are read at its start count then. The window connects again by itself. */
export async function restartServer(engine: Engine): Promise<void> {
  if (!(await mayInterrupt(engine))) return;
  try {
    await engine.client.call('server/restart', {});
  } catch (thrown) {
    toastThrown(thrown);
  }
}

async function mayInterrupt(engine: Engine): Promise<boolean> {
  const inFlight = engine.state.samples.getState().server?.inFlight ?? 0;
  if (inFlight === 0) return true;
  const answer = await ask({
    title: t('server.stopTitle'),
    text: t('server.stopText', { count: inFlight }),
    choices: [{ value: 'stop', label: t('server.stop'), isDanger: true }],
  });
  return answer !== undefined;
}

/** Takes requests, or will in a moment. */
export function isRunning(view: ServerView | undefined): boolean {
  return view?.state === 'serving' || view?.state === 'starting';
}

/** What clients of an endpoint are given besides its address. */
const PATHS: Partial<Record<EndpointView['kind'], string>> = { metrics: '/metrics', openai: '/v1' };

/** "http://127.0.0.1:8000"; undefined when the endpoint is off. gRPC addresses have no scheme. */
export function endpointUrl(endpoint: EndpointView | undefined): string | undefined {
  if (endpoint === undefined || endpoint.address === undefined) return undefined;
  if (endpoint.kind === 'grpc') return endpoint.address;
  return `http://${endpoint.address}${PATHS[endpoint.kind] ?? ''}`;
}

/** The endpoint of a protocol; undefined before the server was asked. */
export function endpointOf(
  view: ServerView | undefined,
  kind: EndpointView['kind'],
): EndpointView | undefined {
  return view?.endpoints.find((endpoint) => endpoint.kind === kind);
}

/** Hands what a report of a fault needs to the user as one JSON file, named by the time. */
export async function exportDiagnostics(engine: Engine): Promise<void> {
  try {
    const { json } = await engine.client.call('server/diagnostics', {});
    await saveText(
      `conch-diagnostics-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.json`,
      json,
    );
  } catch (thrown) {
    toastThrown(thrown);
  }
}
