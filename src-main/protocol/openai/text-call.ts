// One text request between submission and its last response: one JSON object, or events that leave the moment the model
// sends them. A slow reader slows the model; a reader that goes away cancels the request.

import type { InferInput } from '../../inference/inference-request.ts';
import { InferenceRequest } from '../../inference/inference-request.ts';
import type { InferenceResponse } from '../../inference/inference-response.ts';
import type { ModelUse } from '../../inference/model-invoker.ts';
import { CallTrace } from '../http/call-trace.ts';
import { drained } from '../http/drained.ts';
import type { AnswerHead, Form } from './answer-objects.ts';
import { answerHead } from './answer-objects.ts';
import type { OpenaiExchange } from './openai-exchange.ts';
import { detailFault } from './openai-fault.ts';
import type { TextOutput } from './text-outputs.ts';
import { textOutput, TokenCounts } from './text-outputs.ts';

const EVENT_TYPE = 'text/event-stream; charset=utf-8';

/** `use` is released by the call. */
export interface TextCallParts {
  readonly use: ModelUse;
  /** As the request names it. */
  readonly model: string;
  readonly inputs: readonly InferInput[];
  readonly form: Form;
  readonly isStream: boolean;
  readonly includesUsage: boolean;
}

/** Answers its exchange exactly once. After the first event an error only ends the connection. */
export class TextCall {
  readonly #exchange: OpenaiExchange;
  readonly #parts: TextCallParts;
  readonly #trace: CallTrace;
  readonly #head: AnswerHead;
  readonly #counts = new TokenCounts();
  #use: ModelUse | undefined;
  #request: InferenceRequest | undefined;
  /** Of an answer in one piece. */
  #first: TextOutput | undefined;
  #responseCount = 0;
  #isCancelled = false;
  /** Answered or failed; what still comes of the model is dropped. */
  #hasEnded = false;

  constructor(exchange: OpenaiExchange, parts: TextCallParts) {
    this.#exchange = exchange;
    this.#parts = parts;
    this.#use = parts.use;
    this.#trace = new CallTrace(exchange);
    this.#head = answerHead(parts.model, exchange.context.clock.wallMs());
    exchange.running = this;
  }

  /** The client has gone, or wants no more: the request is cancelled, and nothing more is sent. */
  cancel(): void {
    this.#isCancelled = true;
    this.#request?.cancel();
  }

  /** Hands the request to the service; what refuses it is answered. */
  submit(): void {
    const { use, inputs } = this.#parts;
    const trace = this.#trace.start(use.name);
    try {
      const request = new InferenceRequest({
        modelName: use.name,
        modelVersion: -1,
        inputs,
        onResponse: (response, isFinal) => this.#respond(response, isFinal),
        ...(trace === undefined ? undefined : { trace }),
      });
      this.#request = request;
      this.#exchange.context.service.infer(use, request);
    } catch (thrown) {
      this.#fail(thrown);
      this.#finish();
    }
  }

  #respond(response: InferenceResponse | undefined, isFinal: boolean): void | Promise<void> {
    this.#trace.responded();
    if (this.#hasEnded) {
      if (isFinal) this.#finish();
      return undefined;
    }
    try {
      return this.#parts.isStream ? this.#stream(response, isFinal) : this.#collect(response, isFinal);
    } catch (thrown) {
      this.#fail(thrown);
      if (isFinal) this.#finish();
      else this.#request?.cancel();
      return undefined;
    }
  }

  #collect(response: InferenceResponse | undefined, isFinal: boolean): void {
    if (response !== undefined) {
      const output = textOutput(response);
      this.#responseCount += 1;
      if (this.#first === undefined) {
        this.#first = output;
        this.#counts.add(output);
      }
    }
    if (!isFinal) return;
    const count = this.#responseCount;
    if (count !== 1 || this.#first === undefined) {
      throw detailFault(500, `Unexpected number of responses: ${count}, expected 1 or 2.`);
    }
    this.#trace.sendStarts();
    this.#exchange.json(JSON.stringify(this.#parts.form.whole(this.#head, this.#first, this.#counts.usage)));
    this.#finish();
  }

  #stream(response: InferenceResponse | undefined, isFinal: boolean): void | Promise<void> {
    const { form, includesUsage } = this.#parts;
    const events: object[] = [];
    if (response !== undefined || isFinal) {
      const output = response === undefined ? NOTHING : textOutput(response);
      this.#counts.add(output);
      if (!this.#exchange.res.headersSent)
        events.push(...[form.first(this.#head)].filter((one) => one !== undefined));
      events.push(...form.parts(this.#head, output, isFinal));
    }
    const isLast = isFinal || form.isOver;
    const { usage } = this.#counts;
    if (isLast && includesUsage && usage !== null) events.push(form.usage(this.#head, usage));
    const texts = [...events.map((event) => JSON.stringify(event)), ...(isLast ? ['[DONE]'] : [])];
    const pending =
      texts.length === 0 ? undefined : this.#write(texts.map((text) => `data: ${text}\n\n`).join(''));
    if (!isLast) return pending;
    this.#exchange.res.end();
    this.#hasEnded = true;
    if (isFinal) this.#finish();
    else this.#request?.cancel();
    return pending;
  }

  #write(text: string): void | Promise<void> {
    const { res } = this.#exchange;
    if (!res.headersSent) {
      if (!this.#exchange.begin()) return undefined;
      this.#trace.sendStarts();
      this.#exchange.writeHead(200, ['Content-Type', EVENT_TYPE]);
    }
    if (this.#isCancelled || res.destroyed) return undefined;
    const isTaken = res.write(text);
    this.#trace.sent();
    return isTaken ? undefined : drained(res);
  }

  /** The model stays in use until its last response. */
  #fail(thrown: unknown): void {
    const { res } = this.#exchange;
    this.#hasEnded = true;
    this.#trace.failed(thrown);
    if (res.headersSent) res.destroy();
    else this.#exchange.fail(thrown);
  }

  #finish(): void {
    this.#exchange.running = undefined;
    this.#use?.release();
    this.#use = undefined;
    this.#trace.end();
  }
}

/** A flag that nothing follows. */
const NOTHING: TextOutput = {
  text: '',
  promptTokens: undefined,
  completionTokens: undefined,
  logprobs: null,
};
