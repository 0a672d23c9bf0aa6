// The response cache as one model version uses it: key, lookup at enqueue, insertion when the response is sent, and
// the statistics of both. Hits never enter a queue. Errors are never stored.

import { createHash } from 'node:crypto';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { toServerError } from '../../src-shared/errors.ts';
import type { Clock } from '../base/clock.ts';
import { getLogger } from '../base/log.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import type { InferenceResponse } from '../inference/inference-response.ts';
import type { StatisticsCollector } from '../inference/statistics-collector.ts';
import type { ResponseCache } from './response-cache.ts';

const log = getLogger('scheduling');

/** Only where the configuration turns the cache on and the server has one. */
export class ModelCache {
  readonly #cache: ResponseCache;
  readonly #clock: Clock;
  readonly #statistics: StatisticsCollector;
  readonly #missesFailures: boolean;

  constructor(options: {
    readonly cache: ResponseCache;
    readonly clock: Clock;
    readonly statistics: StatisticsCollector;
    /** Error responses of a request that ran count as misses: of all models but ensembles, as in Triton. */
    readonly missesFailures: boolean;
  }) {
    this.#cache = options.cache;
    this.#clock = options.clock;
    this.#statistics = options.statistics;
    this.#missesFailures = options.missesFailures;
  }

  /**
   * Answers and releases the request when its response is stored: true. Otherwise its first good response will be
   * offered to the cache. `beforeHit` runs before a hit is answered (response ordering).
   */
  answer(request: InferenceRequest, beforeHit?: (request: InferenceRequest) => void): boolean {
    const { times } = request;
    times.cacheLookupStartNs = this.#clock.nowNs();
    const key = cacheKey(request);
    if (log.isVerbose(2)) log.verbose(2, `Looking up cache key: ${key}`);
    const outputs = this.#cache.lookup(key);
    times.cacheLookupEndNs = this.#clock.nowNs();
    if (outputs === undefined) {
      this.#storeResponseOf(request, key);
      return false;
    }
    beforeHit?.(request);
    this.#statistics.cacheHit(request);
    void request.respondOutputs(outputs, true);
    request.release();
    return true;
  }

  #storeResponseOf(request: InferenceRequest, key: string): void {
    let isOffered = false;
    request.interceptResponses((next) => (response, isFinal) => {
      if (response !== undefined && !isOffered) {
        isOffered = true;
        this.#store(request, key, response);
      }
      return next(response, isFinal);
    });
  }

  #store(request: InferenceRequest, key: string, response: InferenceResponse): void {
    const isFailure = response.error !== undefined;
    if (isFailure && !(this.#missesFailures && request.state === 'EXECUTING')) return;
    const startNs = this.#clock.nowNs();
    if (!isFailure && !this.#isInserted(request, key, response)) return;
    const { cacheLookupStartNs, cacheLookupEndNs } = request.times;
    const durationNs = cacheLookupEndNs - cacheLookupStartNs + (this.#clock.nowNs() - startNs);
    this.#statistics.cacheMiss(durationNs);
  }

  /** False when another request with the same inputs was first, which is neither an error nor a miss. */
  #isInserted(request: InferenceRequest, key: string, response: InferenceResponse): boolean {
    if (log.isVerbose(2)) log.verbose(2, `Inserting at cache key: ${key}`);
    try {
      this.#cache.insert(key, response.outputs);
    } catch (thrown) {
      const error = toServerError(thrown);
      if (error.code === 'ALREADY_EXISTS') return false;
      log.error(`Failed to insert key [${key}] into response cache: ${error.message}`, {
        model: request.modelName,
      });
    }
    return true;
  }
}

/** True when this model version's responses may be cached (wrong combinations are refused at load). */
export function usesResponseCache(config: ModelConfig): boolean {
  return (
    config.responseCache?.enable === true &&
    config.sequenceBatching === undefined &&
    config.modelTransactionPolicy?.decoupled !== true
  );
}

/**
 * Decimal text of a 64-bit hash over model, version, requested outputs, and each input's name, type, shape and bytes
 * (inputs in order of their names). The request must be normalised.
 */
export function cacheKey(request: InferenceRequest): string {
  const hash = createHash('sha256');
  const outputs = [...request.requestedOutputs].sort();
  hash.update(JSON.stringify([request.modelName, request.actualVersion, outputs]));
  const inputs = [...request.inputs].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, datatype, clientShape, bytes } of inputs) {
    hash.update(JSON.stringify([name, datatype, clientShape, bytes.byteSize]));
    for (const chunk of bytes.chunks) hash.update(chunk);
  }
  return hash.digest().readBigUInt64LE(0).toString();
}
