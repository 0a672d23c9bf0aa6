// The header fields of a call, read as gRPC reads them (gRPC over HTTP/2, "Requests").

import type { RequestFields } from '../../../http2/request-fields.ts';
import { CallMetadata } from './call-metadata.ts';

const TIMEOUT = /^(\d{1,8})([HMSmun])$/;
const UNIT_MS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 0.001,
  n: 0.000_001,
};
/** Timers wait no longer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** What the header fields of a call say. */
export interface CallHead {
  readonly path: string;
  readonly metadata: CallMetadata;
  /** Whole milliseconds; 0 = has passed already, undefined = none. */
  readonly timeoutMs: number | undefined;
  /** Of compressed messages. */
  readonly encoding: string;
  /** False = the client left it out, which no gRPC library does. */
  readonly hasContentType: boolean;
  /** Of the HTTP answer, when this is no gRPC at all. */
  readonly httpStatus: number;
  /** What is wrong with the fields; undefined = nothing. */
  readonly fault: string | undefined;
}

const heads = new WeakMap<RequestFields, CallHead>();

/** Requests whose fields are the same object give the same head. */
export function readCallHead(request: RequestFields): CallHead {
  const known = heads.get(request);
  if (known !== undefined) return known;
  const head = read(request);
  heads.set(request, head);
  return head;
}

function read({ method, path, fields }: RequestFields): CallHead {
  const metadata = new CallMetadata(fields);
  // Left out by some clients, which the reference allows.
  const [named] = metadata.get('content-type');
  const contentType = named ?? 'application/grpc';
  const [timeout] = metadata.get('grpc-timeout');
  const [encoding = 'identity'] = metadata.get('grpc-encoding');
  const isGrpc = /^application\/grpc(?:[+;]|$)/.test(contentType);
  const parts = timeout === undefined ? undefined : TIMEOUT.exec(timeout);
  const [, count = '0', unit = 'm'] = parts ?? [];
  return {
    path,
    metadata,
    encoding,
    timeoutMs: parts == null ? undefined : wholeMs(Number(count) * (UNIT_MS[unit] ?? 1)),
    hasContentType: named !== undefined,
    httpStatus: method !== 'POST' ? 405 : isGrpc ? 200 : 415,
    fault: parts === null ? `Invalid grpc-timeout value "${timeout}"` : undefined,
  };
}

/** What is shorter than a millisecond gets one, as long as it is not nothing. */
function wholeMs(ms: number): number {
  return ms === 0 ? 0 : Math.max(1, Math.min(MAX_TIMEOUT_MS, Math.floor(ms)));
}
