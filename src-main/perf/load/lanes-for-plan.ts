// The lanes a plan asks for: HTTP connections, gRPC calls or gRPC streams, and the connection they share.

import type { ConnectionOptions } from 'node:tls';
import { readFileSync } from 'node:fs';

import type { PerfPlan, PerfTls } from '../../../src-shared/contract/perf-plan.ts';
import type { Clock } from '../../base/clock.ts';
import { GrpcLoadChannel } from '../../client/grpc-load-channel.ts';
import { GrpcWireChannel } from '../../client/grpc-wire-channel.ts';
import { perfPlanErrors } from '../measure/plan-errors.ts';
import { GrpcStreamLane, GrpcUnaryLane } from './grpc-lanes.ts';
import { HttpLane } from './http-lane.ts';
import type { LaneOptions } from './lane.ts';
import { LanePool } from './load-driver.ts';

/** Where the plan sends; `isSecure`: over TLS. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

/** "host:port", with or without "http://" or "https://"; the port may be left out. */
export function parseAddress(url: string, defaultPort: number): Address {
  const match = /^(?:(https?):\/\/)?(\[[^\]]+\]|[^:/]+)(?::(\d+))?\/?$/.exec(url);
  if (match === null) throw perfPlanErrors.address({ url });
  const port = match[3] === undefined ? defaultPort : Number(match[3]);
  if (port < 1 || port > 65535) throw perfPlanErrors.port({ url });
  const host = (match[2] ?? '').replace(/^\[|\]$/g, '');
  return { host, port, isSecure: match[1] === 'https' };
}

/** `host:port`, with brackets around an IPv6 address. */
export function addressText({ host, port }: Address): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Options of a TLS connection, its files read at once; undefined for open text. */
export function httpTls(tls: PerfTls | undefined, address: Address): ConnectionOptions | undefined {
  if (tls === undefined && !address.isSecure) return undefined;
  const file = (name: string): Buffer | undefined => (name === '' ? undefined : readFileSync(name));
  const ca = file(tls?.rootFile ?? '');
  const cert = file(tls?.certificateFile ?? '');
  const key = file(tls?.keyFile ?? '');
  return {
    rejectUnauthorized: tls?.verifiesPeer ?? true,
    ...(tls?.verifiesHost === false && { checkServerIdentity: () => undefined }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
}

/** Closing cuts requests that are still on their way, and closes the shared connection last. */
export interface Lanes {
  readonly pool: LanePool;
  /** Whoever made the lanes calls it once the run is over; nobody hears of requests that it cuts. */
  close(): void;
}

/** Makes them for an address; no request is sent yet. */
export function lanesFor(
  plan: PerfPlan,
  address: Address,
  options: LaneOptions & { readonly clock: Clock },
): Lanes {
  if (plan.protocol === 'http') {
    const target = { host: address.host, port: address.port, tls: httpTls(plan.tls, address) };
    const pool = new LanePool(() => new HttpLane(target, options));
    return { pool, close: () => pool.close() };
  }
  const { tls, compression, headers } = plan;
  const channel =
    tls === undefined && compression === 'none'
      ? new GrpcWireChannel({ host: address.host, port: address.port, headers })
      : new GrpcLoadChannel(addressText(address), { tls, compression, headers });
  const pool = new LanePool(() =>
    plan.isStreaming ? new GrpcStreamLane(channel, options) : new GrpcUnaryLane(channel, options),
  );
  return {
    pool,
    close: () => {
      pool.close();
      channel.close();
    },
  };
}
