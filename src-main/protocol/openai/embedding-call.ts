// One embedding request to a model that takes the form of vLLM: a JSON text in, a list of numbers as JSON text out.

import { InferenceRequest } from '../../inference/inference-request.ts';
import type { InferenceResponse } from '../../inference/inference-response.ts';
import type { ModelUse } from '../../inference/model-invoker.ts';
import { CallTrace } from '../http/call-trace.ts';
import { inputsOf } from './model-inputs.ts';
import type { OpenaiExchange } from './openai-exchange.ts';
import { detailFault } from './openai-fault.ts';
import type { EmbeddingBody } from './request-schemas.ts';
import { textOutput } from './text-outputs.ts';

/** Answers its exchange exactly once, with its first response. */
export class EmbeddingCall {
  readonly #exchange: OpenaiExchange;
  readonly #use: ModelUse;
  readonly #body: EmbeddingBody;
  readonly #trace: CallTrace;
  #request: InferenceRequest | undefined;
  #isAnswered = false;

  constructor(exchange: OpenaiExchange, use: ModelUse, body: EmbeddingBody) {
    this.#exchange = exchange;
    this.#use = use;
    this.#body = body;
    this.#trace = new CallTrace(exchange);
  }

  /** The client has gone. Does nothing before `submit`. */
  cancel(): void {
    this.#request?.cancel();
  }

  /** Throws what refuses the request. */
  submit(): void {
    const { input, dimensions } = this.#body;
    const pooling = dimensions == null ? {} : { pooling_params: { dimensions: [dimensions] } };
    const inputs = inputsOf(this.#use.config, [
      ['embedding_request', [JSON.stringify({ input, ...pooling })]],
      ['return_num_input_tokens', ['true']],
      ['return_num_output_tokens', ['true']],
    ]);
    const trace = this.#trace.start(this.#use.name);
    const request = new InferenceRequest({
      modelName: this.#use.name,
      modelVersion: -1,
      inputs,
      onResponse: (response, isFinal) => this.#respond(response, isFinal),
      ...(trace === undefined ? undefined : { trace }),
    });
    this.#request = request;
    this.#exchange.context.service.infer(this.#use, request);
    this.#exchange.running = this;
  }

  #respond(response: InferenceResponse | undefined, isFinal: boolean): void {
    this.#trace.responded();
    if (!this.#isAnswered && (response !== undefined || isFinal)) {
      this.#isAnswered = true;
      try {
        if (response === undefined) {
          throw detailFault(500, 'Unexpected number of responses: 0, expected 1 or 2.');
        }
        this.#trace.sendStarts();
        this.#exchange.json(JSON.stringify(this.#answer(response)));
      } catch (thrown) {
        this.#exchange.fail(thrown);
        this.#trace.failed(thrown);
      }
    }
    if (!isFinal) return;
    this.#exchange.running = undefined;
    this.#use.release();
    this.#trace.end();
  }

  #answer(response: InferenceResponse): object {
    const { text, promptTokens = 0 } = textOutput(response);
    const numbers = numbersIn(text);
    const isBase64 = this.#body.encoding_format === 'base64';
    const embedding = isBase64 ? Buffer.from(Float32Array.from(numbers).buffer).toString('base64') : numbers;
    return {
      object: 'list',
      data: [{ object: 'embedding', embedding, index: 0 }],
      model: this.#body.model,
      usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
    };
  }
}

function numbersIn(text: string): readonly number[] {
  try {
    const read: unknown = JSON.parse(text);
    if (Array.isArray(read) && read.every((one) => typeof one === 'number')) return read as number[];
  } catch {
    // Told below.
  }
  throw detailFault(500, 'the model answered with no JSON list of numbers');
}
