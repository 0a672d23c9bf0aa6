// The worker's side of requests a JavaScript model makes to other models: one entry per open call, each a queue of
// responses that ends with a result, an error, or the final flag.

import { errorFromWire } from '../../../src-shared/errors.ts';
import { SEQUENCE_END, SEQUENCE_START } from '../../inference/inference-request.ts';
import { javascriptErrors } from './javascript-errors.ts';
import type { InferCall, InferResult } from './model-api.ts';
import type { Post } from './model-runner.ts';
import { TensorPacker } from './packed-tensors.ts';
import { readTensor, writeTensor } from './tensor-values.ts';
import type { ToWorker } from './worker-messages.ts';

type CallResponse = Extract<ToWorker, { kind: 'callResponse' }>;

interface OpenCall {
  readonly queue: CallResponse[];
  wake: (() => void) | undefined;
}

/** Lives in the worker of one instance. A call rejects with the error of the first response that has one. */
export class ModelCalls {
  readonly #post: Post;
  readonly #open = new Map<number, OpenCall>();
  #nextCall = 1;

  constructor(post: Post) {
    this.#post = post;
  }

  /** Hands a response to the call that waits for it; one of a call that is over is dropped. */
  receive(message: CallResponse): void {
    const open = this.#open.get(message.call);
    if (open === undefined) return;
    open.queue.push(message);
    open.wake?.();
  }

  /** The single response of a model that is not decoupled. */
  async infer(call: InferCall): Promise<InferResult> {
    const results: InferResult[] = [];
    for await (const result of this.inferStream(call)) results.push(result);
    const [first] = results;
    if (first === undefined || results.length > 1) {
      throw javascriptErrors.notSingle({ model: call.model, count: results.length });
    }
    return first;
  }

  /** Begins the call when it is first read. Leaving early, or the abort of its signal, cancels it in the engine. */
  async *inferStream(call: InferCall): AsyncGenerator<InferResult> {
    const id = this.#nextCall++;
    const open: OpenCall = { queue: [], wake: undefined };
    let isDone = false;
    this.#open.set(id, open);
    try {
      call.signal?.throwIfAborted();
      this.#send(id, call);
      while (!isDone) {
        const message = await this.#next(open, call.signal);
        isDone = message.isFinal;
        if (message.response !== undefined) yield asResult(message.response);
      }
    } finally {
      this.#open.delete(id);
      if (!isDone) this.#post({ kind: 'cancelCall', call: id });
    }
  }

  async #next(open: OpenCall, signal: AbortSignal | undefined): Promise<CallResponse> {
    for (;;) {
      const message = open.queue.shift();
      if (message !== undefined) return message;
      const arrival = Promise.withResolvers<void>();
      open.wake = arrival.resolve;
      const onAbort = (): void => arrival.reject(javascriptErrors.callCancelled());
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        await arrival.promise;
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
    }
  }

  #send(call: number, request: InferCall): void {
    const packer = new TensorPacker();
    const inputs = Object.entries(request.inputs).map(([name, value]) => {
      const label = `input '${name}' for model '${request.model}'`;
      return packer.add(writeTensor(value, { name, label, datatype: value.datatype, batches: false }));
    });
    const data = packer.pack();
    this.#post(
      {
        kind: 'call',
        call,
        model: request.model,
        version: request.version ?? -1,
        id: request.id ?? '',
        correlationId: request.correlationId ?? 0n,
        flags:
          (request.isSequenceStart === true ? SEQUENCE_START : 0) |
          (request.isSequenceEnd === true ? SEQUENCE_END : 0),
        priority: request.priority ?? 0n,
        timeoutUs: request.timeoutUs ?? 0,
        parameters: { ...request.parameters },
        requestedOutputs: request.requestedOutputs ?? [],
        inputs,
        data,
      },
      [data],
    );
  }
}

function asResult(response: NonNullable<CallResponse['response']>): InferResult {
  if (response.error !== undefined) throw errorFromWire(response.error);
  const { modelName, modelVersion, parameters, outputs, data } = response;
  return {
    modelName,
    modelVersion,
    parameters,
    outputs: Object.fromEntries(outputs.map((output) => [output.name, readTensor(data, output)])),
  };
}
