// What the log tells when the gRPC port opens.

import { getLogger } from '../../base/log.ts';
import { textTable } from '../../logging/text-table.ts';
import type { GrpcServerOptions } from './grpc-options.ts';

const log = getLogger('grpc');

/** Pings of the server in a row without data: it sends none but keepalive ones, so the option is a name only. */
const MAX_PINGS_WITHOUT_DATA = '2';

/** The table of the keepalive options, at --log-verbose=1. */
export function logKeepalive(options: GrpcServerOptions): void {
  if (!log.isVerbose(1)) return;
  const rows: (readonly [string, string])[] = [
    ['GRPC KeepAlive Option', 'Value'],
    ['keepalive_time_ms', String(options.keepaliveTimeMs)],
    ['keepalive_timeout_ms', String(options.keepaliveTimeoutMs)],
    ['keepalive_permit_without_calls', options.keepalivePermitWithoutCalls ? '1' : '0'],
    ['http2_max_pings_without_data', MAX_PINGS_WITHOUT_DATA],
    ['http2_min_recv_ping_interval_without_data_ms', String(options.minRecvPingIntervalWithoutDataMs)],
    ['http2_max_ping_strikes', String(options.maxPingStrikes)],
  ];
  if (options.maxConnectionAgeMs !== 0)
    rows.push(['max_connection_age_ms', String(options.maxConnectionAgeMs)]);
  if (options.maxConnectionAgeGraceMs !== 0)
    rows.push(['max_connection_age_grace_ms', String(options.maxConnectionAgeGraceMs)]);
  log.verbose(1, textTable(rows));
}

/** `address` with its port, as every frontend tells it. */
export function logStarted(address: string): void {
  log.info(`Started GRPCInferenceService at ${address}`);
}
