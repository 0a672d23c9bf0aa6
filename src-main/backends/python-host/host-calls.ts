// Requests of a Python model to other models (business logic scripting), with the reference's texts: every failure comes
// back as the error of a response, those before the called model took the request with a prefix and as INTERNAL.

import type { ServerError } from '../../../src-shared/errors.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import type { InferenceResponse } from '../../inference/inference-response.ts';
import type { ModelInvoker, ModelUse } from '../../inference/model-invoker.ts';
import type { RequestTrace } from '../../inference/request-trace.ts';
import type { HostedCall } from '../hosted/hosted-calls.ts';
import { HostedCalls } from '../hosted/hosted-calls.ts';
import type { HostedTensor } from '../hosted/hosted-code.ts';
import { BlockReader } from './blocks.ts';
import type { Frame } from './frames.ts';
import { FRAME_FLAG, frameHeader, TO_HOST } from './frames.ts';
import type { HostChannel } from './host-channel.ts';
import { pythonHostErrors } from './host-errors.ts';
import { callOf, callResponseExtra, callResponseTensors } from './host-messages.ts';

/** How requests of a Python model reach other models. */
export interface HostCallsOptions {
  readonly invoker: ModelInvoker | undefined;
  /** undefined when the process is gone. */
  readonly channel: () => HostChannel | undefined;
  /** The trace of an open request, by its key. */
  readonly traceOf: (key: number) => RequestTrace | undefined;
}

/**
 * One for each instance. Requests come from `pb_utils.InferenceRequest.exec()` and `async_exec()`, whose
 * promises the host keeps.
 */
export class HostCalls {
  readonly #options: HostCallsOptions;
  readonly #calls: HostedCalls;
  readonly #reader = new BlockReader();

  constructor(options: HostCallsOptions) {
    this.#options = options;
    this.#calls = new HostedCalls({
      invoker: options.invoker,
      answer: (...answer) => this.#answer(...answer),
      refusal: refusalOf,
    });
  }

  /** A frame of kind `call`. */
  receive({ a: call, flags, payload }: Frame): void | Promise<void> {
    const block = this.#reader.read(payload, 0);
    const mayStream = (flags & FRAME_FLAG.decoupled) !== 0;
    const submit = (inputs: readonly HostedTensor[]): void => {
      const trace = this.#options.traceOf(Number(block.extra['k'] ?? 0));
      this.#calls.call({ ...callOf(call, block, inputs), trace }, (use) => checkPolicy(use, mayStream));
    };
    const inputs = this.#options.channel()?.tensors(block) ?? [];
    if (!(inputs instanceof Promise)) {
      submit(inputs);
      return undefined;
    }
    return inputs.then(submit).catch(() => undefined);
  }

  /** The model gave the call up; the rest of its responses is dropped by the host. */
  cancel(call: number): void {
    this.#calls.cancel(call);
  }

  /** To be called when the process has ended. */
  cancelAll(): void {
    this.#calls.cancelAll();
  }

  #answer(call: number, response: InferenceResponse | undefined, isFinal: boolean): void {
    const flags = (isFinal ? FRAME_FLAG.final : 0) | (response === undefined ? 0 : FRAME_FLAG.hasBlock);
    const channel = this.#options.channel();
    if (response === undefined) {
      channel?.send(frameHeader(TO_HOST.callResponse, 0, call, 0, flags));
      return;
    }
    const tensors = response.error === undefined ? callResponseTensors(response) : [];
    channel?.sendBlocks(
      { kind: TO_HOST.callResponse, a: call, b: 0, flags },
      [{ key: call, tensors, wanted: [], extra: callResponseExtra(response) }],
      (thrown) => {
        // The error has no tensors, so it needs no room.
        this.#answer(call, { ...response, outputs: [], error: toServerError(thrown) }, isFinal);
      },
    );
  }
}

function checkPolicy({ name, isDecoupled }: ModelUse, mayStream: boolean): void {
  if (!isDecoupled || mayStream) return;
  throw pythonHostErrors.decoupledCall({ model: name });
}

function refusalOf({ model }: HostedCall, error: ServerError, isFound: boolean): ServerError {
  const reason = isFound
    ? error.message
    : `Failed for execute the inference request. Model '${model}' is not ready.`;
  return pythonHostErrors.callFailed({ model, reason }, { cause: error });
}
