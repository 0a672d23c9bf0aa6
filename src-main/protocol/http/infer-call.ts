// One infer request between submission and reply. Holds the model in use until the reply is built, collects the
// responses (exactly one is wanted), and cancels the request when the client goes away.

import { isDataType } from '../../../src-shared/datatypes.ts';
import { errorFromWire, toServerError } from '../../../src-shared/errors.ts';
import { concreteCount } from '../../../src-shared/tensor/shape.ts';
import { backendErrors } from '../../inference/backend-errors.ts';
import type { HeaderPattern } from '../../inference/header-pattern.ts';
import { InferInput, InferenceRequest, INVALID_DATATYPE } from '../../inference/inference-request.ts';
import type { InferenceResponse } from '../../inference/inference-response.ts';
import { logRefused, logsRequests } from '../../inference/request-log.ts';
import type { ModelUse } from '../../inference/model-invoker.ts';
import { bytesOf } from '../../inference/tensor-bytes.ts';
import { CallTrace } from './call-trace.ts';
import type { BodyBytes } from './infer-binary.ts';
import type { InferExchange } from './infer-exchange.ts';
import { forwardHeaders } from './infer-parameters.ts';
import { buildInferReply, checkJsonForm, estimateJsonBytes, findOutput } from './infer-response.ts';
import type { InferReply } from './infer-response.ts';
import { sendInferReply } from './infer-send.ts';
import { OFFLOAD_MIN_BYTES } from './json-offload.ts';
import type { ParsedInfer, ParsedInput } from './parsed-infer.ts';
import { logBuffers, logReleases } from './reply-log.ts';
import { rememberedReply, rememberReply } from './reply-memory.ts';
import { holdPlace, readShared } from './shared-tensors.ts';

/** Answers its exchange exactly once. Errors are replies with the status of their code and a JSON object `error`. */
export class InferCall {
  readonly exchange: InferExchange;
  readonly #callTrace: CallTrace;
  #use: ModelUse | undefined;
  #request: InferenceRequest | undefined;
  #parsed: ParsedInfer | undefined;
  #first: InferenceResponse | undefined;
  #responseCount = 0;
  #isCancelled = false;
  #id = '';
  #isAdmitted = false;
  /** Regions of inputs and outputs that must outlive an unregistration. */
  readonly #heldPlaces: (() => void)[] = [];

  constructor(exchange: InferExchange, use: ModelUse) {
    this.exchange = exchange;
    this.#use = use;
    this.#callTrace = new CallTrace(exchange);
    exchange.running = this;
  }

  /** The body is there: from here on the request may leave a trace, also when it cannot be read. */
  startTrace(): void {
    if (this.#use !== undefined) this.#callTrace.start(this.#use.name);
  }

  /** Ends the use of the model and of shared-memory regions. Idempotent. */
  release(): void {
    for (const letGo of this.#heldPlaces.splice(0)) letGo();
    const use = this.#use;
    this.#use = undefined;
    use?.release();
  }

  /** The client has gone: the request is cancelled, and the model stays in use until its last response. */
  cancel(): void {
    this.#isCancelled = true;
    this.#request?.cancel();
  }

  /** Answers with an error, whatever was reached. */
  fail(thrown: unknown): void {
    if (!this.#isAdmitted && logsRequests()) logRefused(this.#id, toServerError(thrown).message);
    this.release();
    this.exchange.running = undefined;
    this.exchange.fail(thrown);
    this.#callTrace.failed(thrown);
    this.#callTrace.end();
  }

  /** Hands the request to the service; throws what refuses it. `isRaw`: the body is the model's only input. */
  submit(parsed: ParsedInfer, body: BodyBytes, jsonByteSize: number, isRaw: boolean): void {
    const use = this.#use;
    if (this.#isCancelled || use === undefined) {
      this.release();
      this.#callTrace.end();
      return;
    }
    this.#id = parsed.id;
    const { exchange } = this;
    const { service } = exchange.context;
    const inputs = parsed.inputs.map((input) => this.#input(input, body, jsonByteSize, use.name));
    if (parsed.fault !== undefined) throw errorFromWire(parsed.fault);
    for (const { shared } of parsed.outputs) {
      if (shared !== undefined) this.#heldPlaces.push(holdPlace(service, shared, use.name));
    }
    if (exchange.context.forwardPattern !== undefined) this.#forward(parsed, exchange.context.forwardPattern);
    this.#parsed = parsed;
    const request = new InferenceRequest({
      modelName: use.name,
      modelVersion: exchange.match.version === '' ? -1 : Number(use.version),
      id: parsed.id,
      correlationId: parsed.correlationId,
      flags: parsed.flags,
      priority: parsed.priority,
      timeoutUs: parsed.timeoutUs,
      inputs,
      requestedOutputs: parsed.outputs.map((output) => output.name),
      onResponse: (response, isFinal) => this.#respond(response, isFinal),
      parameters: parsed.parameters,
      rawInput: isRaw ? body.slice(0, body.byteSize) : undefined,
      trace: this.#callTrace.trace,
      inputMemory: jsonByteSize > OFFLOAD_MIN_BYTES ? jsonMemory(parsed) : body.ownMemory(),
    });
    this.#request = request;
    service.infer(use, request);
    this.#isAdmitted = true;
  }

  #input(input: ParsedInput, body: BodyBytes, jsonByteSize: number, model: string): InferInput {
    const { binary, json, shared } = input;
    const datatype = isDataType(input.datatype) ? input.datatype : INVALID_DATATYPE;
    if (binary !== undefined) {
      const bytes = body.slice(jsonByteSize + binary.offset, binary.byteSize);
      return new InferInput(input.name, datatype, input.shape, bytes);
    }
    if (shared === undefined) {
      return new InferInput(input.name, datatype, input.shape, bytesOf(json ?? new Uint8Array(0)));
    }
    const { service } = this.exchange.context;
    this.#heldPlaces.push(holdPlace(service, shared, model));
    return new InferInput(input.name, datatype, input.shape, readShared(service, shared));
  }

  #forward(parsed: ParsedInfer, pattern: HeaderPattern): void {
    forwardHeaders(pattern, this.exchange.rawHeaders, (parsed.parameters ??= new Map()));
  }

  #respond(response: InferenceResponse | undefined, isFinal: boolean): void {
    if (response !== undefined) {
      this.#callTrace.responded();
      this.#first ??= response;
      this.#responseCount += 1;
    }
    if (!isFinal) return;
    try {
      const pending = this.#reply();
      if (pending === undefined) this.#finish();
      else pending.then(() => this.#finish()).catch((thrown: unknown) => this.fail(thrown));
    } catch (thrown) {
      this.fail(thrown);
    }
  }

  /** Builds and sends the reply; a promise when large parts are printed or compressed elsewhere. */
  #reply(): void | Promise<void> {
    const response = this.#first;
    if (response === undefined || this.#responseCount !== 1) {
      throw backendErrors.notSingle({ count: this.#responseCount });
    }
    if (response.error !== undefined) throw response.error;
    const parsed = this.#parsed;
    const use = this.#use;
    if (this.#isCancelled || parsed === undefined || use === undefined) return;
    logBuffers(response, parsed);
    const known = rememberedReply(response, parsed);
    if (known !== undefined) return this.#send(known, response);
    for (const output of response.outputs) {
      if (estimateJsonBytes(output) > OFFLOAD_MIN_BYTES && isJson(parsed, output.name)) {
        return this.#replyLarge(response, parsed, use);
      }
    }
    const reply = buildInferReply(response, parsed, use, this.exchange.context.service);
    rememberReply(response, parsed, reply);
    return this.#send(reply, response);
  }

  async #replyLarge(response: InferenceResponse, parsed: ParsedInfer, use: ModelUse): Promise<void> {
    const { offload, service } = this.exchange.context;
    const printed = new Map<string, Uint8Array | undefined>();
    await Promise.all(
      response.outputs
        .filter((output) => isJson(parsed, output.name))
        .map(async (output) => {
          checkJsonForm(output);
          printed.set(
            output.name,
            await offload.print(output, concreteCount(output.shape), this.exchange.gone),
          );
        }),
    );
    const reply = buildInferReply(response, parsed, use, service, (output) => printed.get(output.name));
    await this.#send(reply, response);
  }

  #send(reply: InferReply, { giveBack }: InferenceResponse): void | Promise<void> {
    this.#callTrace.sendStarts();
    // Only now: to a client that has gone it is sent at once.
    if (giveBack !== undefined) this.exchange.whenSent(giveBack);
    return sendInferReply(this.exchange, reply);
  }

  #finish(): void {
    logReleases(this.#first);
    this.release();
    this.exchange.running = undefined;
    this.#callTrace.end();
  }
}

/** Memory of inputs that a parsing thread made: it holds nothing else. */
function jsonMemory(parsed: ParsedInfer): readonly ArrayBuffer[] {
  return parsed.inputs.flatMap(({ json }) => (json === undefined ? [] : [json.buffer as ArrayBuffer]));
}

/** True when the output goes out as plain JSON elements. */
function isJson(parsed: ParsedInfer, outputName: string): boolean {
  const wanted = findOutput(parsed, outputName);
  return !wanted.isBinary && wanted.classCount === 0 && wanted.shared === undefined;
}
