// What the HTTP frontend can be told. The engine's options have the same shape.

import { DEFAULT_PORTS } from '../../../src-shared/default-ports.ts';
import type { RestrictedGroup } from './restricted-api.ts';

/** Threads that read sockets in front of the event loop. Linux. */
export interface WireThreadOptions {
  /** 0 = the loop reads them all. */
  readonly count: number;
  /** They come once the loop is busy. */
  readonly waitForLoad: boolean;
}

/** The HTTP endpoint: where it listens, what it takes and how much of it. */
export interface HttpServerOptions {
  readonly address: string;
  /** 0 = a free port. */
  readonly port: number;
  /** Several processes may share the port. */
  readonly reusePort: boolean;
  readonly wireThreads: WireThreadOptions;
  /** Limit of JSON parts, raw and inflated bodies; above 0. */
  readonly maxInputByteSize: number;
  /** Regular expression on header names; "" = forward none. */
  readonly headerForwardPattern: string;
  readonly restricted: readonly RestrictedGroup[];
  /** Origins that may call from a web page. */
  readonly allowedOrigins: readonly string[];
  /** Names of this machine besides its own, while a loopback address is listened on. */
  readonly allowedHosts: readonly string[];
}

/** The HTTP endpoint with the reference's defaults, but on a loopback address. */
export const defaultHttpServerOptions: HttpServerOptions = {
  address: '127.0.0.1',
  port: DEFAULT_PORTS.http,
  reusePort: false,
  wireThreads: { count: 0, waitForLoad: false },
  maxInputByteSize: 67_108_864,
  headerForwardPattern: '',
  restricted: [],
  allowedOrigins: [],
  allowedHosts: [],
};
