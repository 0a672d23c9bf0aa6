// What every request handler of one HTTP server shares.

import type { HeaderPattern } from '../../inference/header-pattern.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { ClientProtocol } from '../../../src-shared/contract/observe-views.ts';
import type { ClientBook } from '../../service/client-book.ts';
import type { InferenceService } from '../../service/inference-service.ts';
import type { RequestTracer } from '../../tracing/request-tracer.ts';
import type { CacheBlocks } from './load-report.ts';
import type { JsonOffload } from './json-offload.ts';

/** A request whose body is arriving, as whoever closes slow ones sees it. */
export interface ReadingRequest {
  readonly body: { readonly byteSize: number; readonly startedAtMs: number } | undefined;
  /** Answers with 400 and cuts the rest of the body off. */
  refuseBody(message: string): void;
}

/** What all requests of a port share. */
export interface HttpContext {
  readonly service: InferenceService;
  readonly clock: Clock;
  readonly clients: ClientBook;
  /** What its clients speak. */
  readonly protocol: ClientProtocol;
  readonly logger: Logger;
  readonly tracer: RequestTracer | undefined;
  /** Parses and prints large JSON away from the loop. */
  readonly offload: JsonOffload;
  readonly maxInputByteSize: number;
  readonly forwardPattern: HeaderPattern | undefined;
  /** Key-value cache of a language model, while a backend reports it. */
  readonly cacheBlocks: () => CacheBlocks | undefined;
  /** Requests whose body is still arriving. */
  readonly reading: Set<ReadingRequest>;
  /** Answers from now on are the last ones of their connections. */
  isDraining(): boolean;
}
