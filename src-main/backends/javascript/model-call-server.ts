// The engine's side of requests a JavaScript model makes to other models: ordinary in-process requests through the
// ModelInvoker. When the model's thread ends, what it had asked for is cancelled.
// (docs/reference/requests.md#requests-by-models)

import { errorToWire, toServerError, unsupported, type WireError } from '../../../src-shared/errors.ts';
import { InferenceRequest, InferInput } from '../../inference/inference-request.ts';
import type { InferenceResponse } from '../../inference/inference-response.ts';
import type { ModelInvoker, ModelUse } from '../../inference/model-invoker.ts';
import { bytesOf } from '../../inference/tensor-bytes.ts';
import { packedBytes, TensorPacker } from './packed-tensors.ts';
import type { CallMessage, ToWorker } from './worker-messages.ts';

type PostToWorker = (message: ToWorker, transfer?: readonly ArrayBuffer[]) => void;

export class ModelCallServer {
  readonly #invoker: ModelInvoker | undefined;
  readonly #post: PostToWorker;
  readonly #open = new Map<number, InferenceRequest>();

  constructor(invoker: ModelInvoker | undefined, post: PostToWorker) {
    this.#invoker = invoker;
    this.#post = post;
  }

  call(message: CallMessage): void {
    let use: ModelUse | undefined;
    try {
      if (this.#invoker === undefined) {
        throw unsupported('requests to other models are not available where the model runs without a server');
      }
      use = this.#invoker.use(message.model, message.version);
      const request = this.#request(message, use);
      this.#open.set(message.call, request);
      use.infer(request);
    } catch (thrown) {
      this.#open.delete(message.call);
      use?.release();
      this.#refuse(message.call, errorToWire(toServerError(thrown)));
    }
  }

  cancel(call: number): void {
    this.#open.get(call)?.cancel();
  }

  cancelAll(): void {
    for (const request of this.#open.values()) request.cancel();
  }

  #request(message: CallMessage, use: ModelUse): InferenceRequest {
    const { call, data } = message;
    const request = new InferenceRequest({
      modelName: message.model,
      modelVersion: message.version,
      id: message.id,
      correlationId: message.correlationId,
      flags: message.flags,
      priority: message.priority,
      timeoutUs: message.timeoutUs,
      parameters: new Map(Object.entries(message.parameters)),
      requestedOutputs: message.requestedOutputs,
      inputs: message.inputs.map(
        (input) => new InferInput(input.name, input.datatype, input.shape, bytesOf(packedBytes(data, input))),
      ),
      onResponse: (response, isFinal) => {
        if (isFinal) {
          this.#open.delete(call);
          use.release();
        }
        this.#answer(call, response, isFinal);
      },
    });
    return request;
  }

  #answer(call: number, response: InferenceResponse | undefined, isFinal: boolean): void {
    if (response === undefined) {
      this.#post({ kind: 'callResponse', call, response: undefined, isFinal });
      return;
    }
    const packer = new TensorPacker();
    const outputs = response.outputs.map(({ name, datatype, shape, bytes }) =>
      packer.add({
        name,
        datatype,
        shape,
        byteSize: bytes.byteLength,
        write: (target) => target.set(bytes),
      }),
    );
    const data = packer.pack();
    const { modelName, modelVersion, error } = response;
    const parameters = Object.fromEntries(response.parameters);
    this.#post(
      {
        kind: 'callResponse',
        call,
        isFinal,
        response: {
          modelName,
          modelVersion,
          parameters,
          outputs,
          data,
          error: error && errorToWire(error),
        },
      },
      [data],
    );
  }

  #refuse(call: number, error: WireError): void {
    const data = new ArrayBuffer(0);
    const response = { modelName: '', modelVersion: '', parameters: {}, outputs: [], data, error };
    this.#post({ kind: 'callResponse', call, response, isFinal: true });
  }
}
