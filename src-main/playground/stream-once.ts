// One request over a gRPC stream, all its responses collected: how the playground talks to decoupled models.

import type { Clock } from '../base/clock.ts';
import type { GrpcInferClient } from '../client/grpc-client.ts';
import type { ClientExchange, ClientRequest, ClientResponse } from '../client/infer-client.ts';

/** Rejects with the signal's reason when aborted; the stream is then cancelled. */
export function streamOnce(
  client: GrpcInferClient,
  request: ClientRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<ClientExchange> {
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  const startNs = clock.nowNs();
  const responses: ClientResponse[] = [];
  let error: string | undefined;
  let firstNs = 0;
  return new Promise((resolve, reject) => {
    const stream = client.stream({
      onMessage: ({ errorMessage, response }) => {
        if (firstNs === 0) firstNs = clock.nowNs();
        if (errorMessage !== '') error = errorMessage;
        else if (response.outputs.length > 0) responses.push(response);
      },
      onEnd: (code, details) => {
        signal.removeEventListener('abort', abort);
        if (signal.aborted) {
          reject(signal.reason as Error);
          return;
        }
        const endNs = clock.nowNs();
        const arrivedNs = firstNs === 0 ? endNs : firstNs;
        if (code !== 0) error = details;
        resolve({
          ok: error === undefined,
          status: code,
          statusText: code === 0 ? 'OK' : details,
          error,
          responses,
          headers: [],
          rawHead: `${responses.length} ${responses.length === 1 ? 'response' : 'responses'} on one stream`,
          requestByteSize: request.inputs.reduce((total, { bytes }) => total + bytes.byteLength, 0),
          responseByteSize: responses.reduce(
            (total, { outputs }) => total + outputs.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
            0,
          ),
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
    stream.send(request);
    stream.halfClose();
  });
}
