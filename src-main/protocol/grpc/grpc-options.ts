// What the gRPC frontend can be told.

import { DEFAULT_PORTS } from '../../../src-shared/default-ports.ts';
import type { CompressionLevel } from './calls/compress-message.ts';

/** One `--grpc-restricted-protocol`. */
export interface GrpcRestrictedGroup {
  readonly categories: readonly string[];
  /** Without the `triton-grpc-protocol-` prefix that the metadata key carries. */
  readonly header: string;
  readonly value: string;
}

/** The gRPC endpoint: where it listens, what it takes, how connections are kept. */
export interface GrpcServerOptions {
  readonly address: string;
  /** 0 = a free one. */
  readonly port: number;
  readonly reusePort: boolean;
  /** Regular expression on metadata keys; "" = forward none. */
  readonly headerForwardPattern: string;
  /** Responses of one decoupled request that may wait to be written. */
  readonly maxResponsePoolSize: number;
  /** Of inference responses, for clients that take compressed ones. */
  readonly responseCompression: CompressionLevel;
  /** Bytes that a compressed message may have when it is inflated. */
  readonly maxDecompressedByteSize: number;
  readonly restricted: readonly GrpcRestrictedGroup[];
  readonly tls:
    | {
        /** Clients must show a certificate. */
        readonly mutual: boolean;
        readonly certFile: string;
        readonly keyFile: string;
        readonly rootFile: string;
      }
    | undefined;
  readonly keepaliveTimeMs: number;
  readonly keepaliveTimeoutMs: number;
  readonly keepalivePermitWithoutCalls: boolean;
  /** Pings of a client that come too soon before its connection is closed; 0 = any number. */
  readonly maxPingStrikes: number;
  readonly minRecvPingIntervalWithoutDataMs: number;
  /** 0 = unlimited. */
  readonly maxConnectionAgeMs: number;
  readonly maxConnectionAgeGraceMs: number;
}

/** The reference's defaults, on the loopback address. */
export const defaultGrpcServerOptions: GrpcServerOptions = {
  address: '127.0.0.1',
  port: DEFAULT_PORTS.grpc,
  reusePort: false,
  headerForwardPattern: '',
  maxResponsePoolSize: 2_147_483_647,
  responseCompression: 'none',
  maxDecompressedByteSize: 67_108_864,
  restricted: [],
  tls: undefined,
  keepaliveTimeMs: 7_200_000,
  keepaliveTimeoutMs: 20_000,
  keepalivePermitWithoutCalls: false,
  maxPingStrikes: 2,
  minRecvPingIntervalWithoutDataMs: 300_000,
  maxConnectionAgeMs: 0,
  maxConnectionAgeGraceMs: 0,
};
