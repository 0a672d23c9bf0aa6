// One generate request between submission and its last response: one JSON body, or server-sent events that leave the
// moment the model sends them. A slow reader slows the model; a reader that goes away cancels it.

import type { ServerError } from '../../../src-shared/errors.ts';
import { errorFromWire, toServerError } from '../../../src-shared/errors.ts';
import { InferInput, InferenceRequest } from '../../inference/inference-request.ts';
import type { InferenceResponse } from '../../inference/inference-response.ts';
import type { ModelUse } from '../../inference/model-invoker.ts';
import { logRefused, logsRequests } from '../../inference/request-log.ts';
import { bytesOf } from '../../inference/tensor-bytes.ts';
import { STATUS_MAP } from '../../service/status-map.ts';
import { CallTrace } from './call-trace.ts';
import { drained } from './drained.ts';
import type { Exchange } from './exchange.ts';
import type { ParsedGenerate } from './generate-parser.ts';
import { printError, printGenerateResponse } from './generate-response.ts';

const NOT_ONE =
  'generate expects model to produce exactly 1 response, use generate stream for model that generates various number of responses';

const JSON_TYPE = 'application/json';
const EVENT_TYPE = 'text/event-stream; charset=utf-8';

/**
 * Once a stream has begun its status is 200: later errors are events. Without a stream more than one response is
 * an error, as in Triton.
 */
export class GenerateCall {
  readonly exchange: Exchange;
  readonly #isStream: boolean;
  readonly #trace: CallTrace;
  #use: ModelUse | undefined;
  #request: InferenceRequest | undefined;
  #responseCount = 0;
  #status = 200;
  #first = '';
  #isCancelled = false;
  #id = '';

  constructor(exchange: Exchange, use: ModelUse, isStream: boolean) {
    this.exchange = exchange;
    this.#use = use;
    this.#isStream = isStream;
    this.#trace = new CallTrace(exchange, isStream);
    exchange.running = this;
  }

  /** The client has gone: the request is cancelled, and the model stays in use until its last response. */
  cancel(): void {
    this.#isCancelled = true;
    this.#request?.cancel();
  }

  /** The body is there: from here on the request may leave a trace, also when it cannot be read. */
  startTrace(): void {
    if (this.#use !== undefined) this.#trace.start(this.#use.name);
  }

  /** A fault before execution: plain JSON on both routes. */
  fail(thrown: unknown): void {
    if (logsRequests()) logRefused(this.#id, toServerError(thrown).message);
    this.#trace.failed(thrown);
    this.#finish();
    this.exchange.fail(thrown);
  }

  /** Hands the request to the service; throws what refuses it. */
  submit(parsed: ParsedGenerate): void {
    const use = this.#use;
    if (this.#isCancelled || use === undefined) {
      this.#finish();
      return;
    }
    this.#id = parsed.id;
    if (parsed.fault !== undefined) throw errorFromWire(parsed.fault);
    const { service } = this.exchange.context;
    const { trace } = this.#trace;
    const request = new InferenceRequest({
      modelName: use.name,
      modelVersion: this.exchange.match.version === '' ? -1 : Number(use.version),
      id: parsed.id,
      parameters: parsed.parameters,
      inputs: parsed.inputs.map(
        ({ name, datatype, shape, bytes }) => new InferInput(name, datatype, shape, bytesOf(bytes)),
      ),
      onResponse: (response, isFinal) => this.#respond(response, isFinal),
      ...(trace === undefined ? undefined : { trace }),
    });
    this.#request = request;
    service.infer(use, request);
  }

  #respond(response: InferenceResponse | undefined, isFinal: boolean): void | Promise<void> {
    let pending: void | Promise<void> = undefined;
    this.#trace.responded();
    if (response !== undefined && !this.#isCancelled) {
      const text = this.#print(response);
      this.#responseCount += 1;
      if (this.#isStream) pending = this.#writeEvent(text);
      else if (this.#responseCount === 1) this.#first = text;
    }
    if (isFinal) this.#end();
    return pending;
  }

  /** Text of a response; the status of the reply is that of the first one. */
  #print(response: InferenceResponse): string {
    let fault: ServerError | undefined = response.error;
    let text = '';
    try {
      if (fault === undefined) text = printGenerateResponse(response);
    } catch (thrown) {
      fault = toServerError(thrown);
    }
    if (fault === undefined) return text;
    if (this.#responseCount === 0) this.#status = STATUS_MAP[fault.code].http;
    return printError(fault.message);
  }

  #writeEvent(text: string): void | Promise<void> {
    const { res } = this.exchange;
    if (!this.#begin(EVENT_TYPE)) return;
    this.#trace.sendStarts();
    const isTaken = res.write(`data: ${text}\n\n`, 'latin1');
    this.#trace.sent();
    return isTaken ? undefined : drained(res);
  }

  /** Sends status and headers once; false when there is nobody to answer. */
  #begin(contentType: string): boolean {
    const { exchange } = this;
    if (exchange.res.headersSent) return !exchange.res.destroyed;
    if (!exchange.begin()) return false;
    this.#trace.sendStarts();
    exchange.writeHead(this.#status, ['Content-Type', contentType, ...exchange.loadReport()]);
    return true;
  }

  #end(): void {
    const { res } = this.exchange;
    if (this.#isStream) {
      if (this.#begin(EVENT_TYPE)) res.end();
    } else if (this.#begin(JSON_TYPE)) {
      // Written before the end, so that the reply is chunked as the reference's is.
      res.write(this.#responseCount === 1 ? this.#first : printError(NOT_ONE), 'latin1');
      res.end();
    }
    this.#finish();
  }

  #finish(): void {
    this.exchange.running = undefined;
    this.#use?.release();
    this.#use = undefined;
    this.#trace.end();
  }
}
