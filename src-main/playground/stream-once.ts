// One request over a gRPC stream, all its responses collected: how the playground talks to decoupled models.

import type { Clock } from '../base/clock.ts';
import type { GrpcInferClient } from '../client/grpc-client.ts';
import type { ClientExchange, ClientRequest, ClientResponse } from '../client/infer-client.ts';
import type { StreamWatch } from './open-streams.ts';

/** What is kept of a stream. A model may send for ever, and whoever reads it may be away. */
const MAX_RESPONSES = 1000;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** What came of one request over a stream. */
export interface StreamExchange extends ClientExchange {
  /** All responses with outputs, and whether the watch ended the stream. */
  readonly streamed: { readonly count: number; readonly isStopped: boolean };
}

/** What a stream is measured with, and who ends it. */
export interface StreamOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly watch?: StreamWatch | undefined;
}

/**
 * Rejects with the signal's reason when aborted; the stream is then cancelled. Where the watch stops it, what came until
 * then is the answer. Of a long stream the first responses are kept, and all are counted.
 */
export function streamOnce(
  client: GrpcInferClient,
  request: ClientRequest,
  { clock, signal, watch }: StreamOptions,
): Promise<StreamExchange> {
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  const startNs = clock.nowNs();
  const kept = new KeptResponses();
  let error: string | undefined;
  let firstNs = 0;
  return new Promise((resolve, reject) => {
    const stream = client.stream({
      onMessage: ({ errorMessage, response }) => {
        if (firstNs === 0) firstNs = clock.nowNs();
        if (errorMessage !== '') error = errorMessage;
        else if (response.outputs.length > 0) {
          kept.take(response);
          watch?.onResponse(response);
        }
      },
      onEnd: (code, details) => {
        signal.removeEventListener('abort', abort);
        watch?.stopped.removeEventListener('abort', abort);
        if (signal.aborted) {
          reject(signal.reason as Error);
          return;
        }
        const endNs = clock.nowNs();
        const arrivedNs = firstNs === 0 ? endNs : firstNs;
        const isStopped = watch?.stopped.aborted === true;
        if (code !== 0 && !isStopped) error = details;
        resolve({
          streamed: { count: kept.count, isStopped },
          ok: error === undefined,
          status: code,
          statusText: code === 0 ? 'OK' : isStopped ? 'CANCELLED' : details,
          error,
          responses: kept.responses,
          headers: [],
          rawHead: headOf(kept),
          requestByteSize: request.inputs.reduce((total, { bytes }) => total + bytes.byteLength, 0),
          responseByteSize: kept.byteSize,
          timing: {
            totalMs: (endNs - startNs) / 1e6,
            sendMs: 0,
            waitMs: (arrivedNs - startNs) / 1e6,
            receiveMs: (endNs - arrivedNs) / 1e6,
          },
        });
      },
    });
    const abort = (): void => stream.cancel();
    signal.addEventListener('abort', abort, { once: true });
    watch?.stopped.addEventListener('abort', abort, { once: true });
    stream.send(request);
    stream.halfClose();
  });
}

function headOf({ count, responses }: KeptResponses): string {
  const told = `${count} ${count === 1 ? 'response' : 'responses'} on one stream`;
  return responses.length === count ? told : `${told}; the first ${responses.length} are kept`;
}

/** The first responses of a stream, and the size of all. */
class KeptResponses {
  readonly responses: ClientResponse[] = [];
  count = 0;
  byteSize = 0;
  #keptBytes = 0;

  take(response: ClientResponse): void {
    const bytes = response.outputs.reduce((sum, output) => sum + output.bytes.byteLength, 0);
    this.count += 1;
    this.byteSize += bytes;
    if (this.responses.length >= MAX_RESPONSES || this.#keptBytes + bytes > MAX_KEPT_BYTES) return;
    this.#keptBytes += bytes;
    this.responses.push(response);
  }
}
