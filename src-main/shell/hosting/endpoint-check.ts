// Whether an endpoint really answers: a request over the loopback, as a client sends it. The first one of a process
// reads the code of its client and builds a connection besides, so the time told is that of a second one.

import { connect } from 'node:net';

import type { EndpointCheck } from '../../../src-shared/contract/observe-views.ts';
import { systemClock } from '../../base/clock.ts';
import { GrpcInferClient } from '../../client/grpc-client.ts';

/** How these requests name themselves; they are left out of the list of clients. */
export const CHECK_AGENT = 'conch-endpoint-check';
const PATIENCE_MS = 3000;
const PATHS = { http: '/v2/health/live', metrics: '/metrics' } as const;

/** The endpoint that is tried. */
export interface CheckTarget {
  readonly kind: EndpointCheck['kind'];
  /** "127.0.0.1:8000" */
  readonly address: string;
  /** Only whether it accepts connections can be told without the client's certificates. */
  readonly isTls: boolean;
}

/** Never rejects: what went wrong is the message. */
export async function checkEndpoint({ kind, address, isTls }: CheckTarget): Promise<EndpointCheck> {
  let startNs = systemClock.nowNs();
  const took = (): number => (systemClock.nowNs() - startNs) / 1000;
  const again = (): void => {
    startNs = systemClock.nowNs();
  };
  try {
    if (kind !== 'grpc') await twice(() => askHttp(`http://${address}${PATHS[kind]}`), again);
    else if (isTls) await connectTo(address);
    else await askGrpc(address, again);
    return { kind, isOk: true, tookUs: took(), message: undefined };
  } catch (thrown) {
    const { message, cause } = thrown as Error;
    return {
      kind,
      isOk: false,
      tookUs: took(),
      message: cause instanceof Error && cause.message !== '' ? cause.message : message,
    };
  }
}

async function twice(ask: () => Promise<unknown>, again: () => void): Promise<void> {
  await ask();
  again();
  await ask();
}

async function askHttp(url: string): Promise<void> {
  const answer = await fetch(url, {
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: { 'user-agent': CHECK_AGENT },
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`answered ${answer.status} ${answer.statusText}`);
}

async function askGrpc(address: string, again: () => void): Promise<void> {
  const client = new GrpcInferClient(address, { clock: systemClock, userAgent: CHECK_AGENT });
  const patience = Promise.withResolvers<never>();
  const timer = systemClock.after(PATIENCE_MS, () =>
    patience.reject(new Error(`no answer within ${PATIENCE_MS / 1000} s`)),
  );
  try {
    const ask = (): Promise<unknown> => client.manage('ServerLive', {});
    await Promise.race([twice(ask, again), patience.promise]);
  } finally {
    timer.cancel();
    await client.close();
  }
}

function connectTo(address: string): Promise<void> {
  const colon = address.lastIndexOf(':');
  return new Promise((resolve, reject) => {
    const host = address.slice(0, colon).replaceAll(/[[\]]/g, '');
    const socket = connect({ host, port: Number(address.slice(colon + 1)), timeout: PATIENCE_MS });
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('timeout', () => socket.destroy(new Error(`no connection within ${PATIENCE_MS / 1000} s`)));
    socket.once('error', reject);
  });
}
