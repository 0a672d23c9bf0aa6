// What both inference rpcs share: admission of one decoded message to its model, and the message for one response.

import { toServerError } from '../../../src-shared/errors.ts';
import type { GrpcDelays } from './grpc-delays.ts';
import type { Clock } from '../../base/clock.ts';
import type { HeaderPattern } from '../../inference/header-pattern.ts';
import type { InferenceRequest, ResponseCallback } from '../../inference/inference-request.ts';
import type { InferenceResponse } from '../../inference/inference-response.ts';
import type { ModelUse } from '../../inference/model-invoker.ts';
import { logRefused, logsRequests } from '../../inference/request-log.ts';
import type { RequestTrace } from '../../inference/request-trace.ts';
import type { InferenceService } from '../../service/inference-service.ts';
import type { GrpcInferResponse } from '../../grpc-wire/infer-message.ts';
import type { GrpcInferRequest } from '../../grpc-wire/infer-message.ts';
import type { RequestTracer } from '../../tracing/request-tracer.ts';
import { grpcErrors } from './grpc-errors.ts';
import type { OutputPlan } from './output-plan.ts';
import { applyPlans, holdRegions } from './output-plan.ts';
import type { BuildContext } from './request-builder.ts';
import { buildRequest } from './request-builder.ts';

/** Runs at once unless there is something to wait for. */
export function after(clock: Clock, delayMs: number, run: () => void): void {
  if (delayMs === 0) run();
  else clock.after(delayMs, run);
}

/** What all inference calls of an endpoint share. */
export interface InferContext {
  readonly service: InferenceService;
  readonly forwardPattern: HeaderPattern | undefined;
  readonly clock: Clock;
  readonly tracer: RequestTracer | undefined;
  readonly delays: GrpcDelays;
  /** False once the frontend stops taking requests. */
  readonly isAccepting: () => boolean;
  readonly handlers: HandlerCount;
}

/** What of inference is under way: unary calls, streams, and the requests on them. */
export class HandlerCount {
  #count = 0;

  /** Opened and not yet ended. */
  get count(): number {
    return this.#count;
  }

  /** Counts one more; the function that is handed back ends it, once. */
  open(): () => void {
    this.#count += 1;
    let isOpen = true;
    return () => {
      if (isOpen) this.#count -= 1;
      isOpen = false;
    };
  }
}

/**
 * `plans` by output name; an output without one is sent raw. Whoever has it releases `use` when the request
 * cannot be submitted.
 */
export interface AdmittedRequest {
  readonly request: InferenceRequest;
  readonly use: ModelUse;
  readonly plans: ReadonlyMap<string, OutputPlan>;
  readonly wantsEmptyFinal: boolean;
}

/** How a call hands a request to the service. */
export interface AdmitOptions {
  readonly metadata: BuildContext['metadata'];
  readonly allowsDecoupled: boolean;
  /** Called with the request once it exists, before any response can come. */
  readonly onAdmitted: (admitted: AdmittedRequest) => ResponseCallback;
}

/**
 * Finds the model, builds the request and hands it to the service. Throws ServerError when it is refused; the model
 * is then not held any more. Otherwise the use is held until the request is released and its final response was sent.
 */
export function admit(
  context: InferContext,
  message: GrpcInferRequest,
  options: AdmitOptions,
): AdmittedRequest {
  const { service } = context;
  if (!context.isAccepting()) {
    throw grpcErrors.stopping();
  }
  if (message.fault !== undefined) throw message.fault;
  let use: ModelUse | undefined;
  let tracing: CallTrace | undefined;
  let letRegionsGo = (): void => undefined;
  try {
    const found = service.useModel(message.modelName, message.modelVersion);
    use = found;
    if (found.isDecoupled && !options.allowsDecoupled) throw grpcErrors.decoupled();
    tracing = CallTrace.of(context, message, options.metadata);
    const target: { onResponse?: ResponseCallback } = {};
    let holds = 2;
    const letGo = (): void => {
      holds -= 1;
      if (holds > 0) return;
      letRegionsGo();
      found.release();
    };
    const isSent: IsSent = (response, isFinal) =>
      found.isDecoupled ? response !== undefined || (isFinal && built.wantsEmptyFinal) : isFinal;
    const stamped = stampedResponses(context.clock, isSent, () => built.request);
    const built = buildRequest(message, {
      service,
      use: found,
      metadata: options.metadata,
      forwardPattern: context.forwardPattern,
      onResponse: (response, isFinal) => {
        const respond = (): void | Promise<void> => target.onResponse?.(response, isFinal);
        const wait = stamped(respond, response, isFinal);
        if (isFinal) {
          letGo();
          tracing?.trace?.end();
        }
        return wait;
      },
      startTrace: () => tracing?.start(),
    });
    if (built.regions.length > 0) letRegionsGo = holdRegions(service, built.regions, found.name);
    const admitted: AdmittedRequest = { ...built, use: found };
    target.onResponse = options.onAdmitted(admitted);
    built.request.onRelease(letGo);
    tracing?.trace?.activity('GRPC_WAITREAD_END', context.clock.nowNs());
    service.infer(found, built.request);
    return admitted;
  } catch (thrown) {
    letRegionsGo();
    use?.release();
    tracing?.fail(thrown);
    throw thrown;
  }
}

/** Whether a callback makes a message for the client. */
type IsSent = (response: InferenceResponse | undefined, isFinal: boolean) => boolean;

/**
 * Stamps of the responses of a call: the first callback completes it, and each message is sent by itself. What comes after
 * the client has gone is sent to nobody.
 */
function stampedResponses(
  clock: Clock,
  isSent: IsSent,
  request: () => InferenceRequest,
): (respond: () => void | Promise<void>, ...callback: Parameters<IsSent>) => void | Promise<void> {
  let hasResponded = false;
  return (respond, response, isFinal) => {
    const { trace, isCancelled } = request();
    if (trace === undefined || isCancelled) return respond();
    if (!hasResponded) trace.activity('INFER_RESPONSE_COMPLETE', clock.nowNs());
    hasResponded = true;
    const startNs = clock.nowNs();
    const wait = respond();
    if (isSent(response, isFinal)) {
      trace.activity('GRPC_SEND_START', startNs);
      trace.activity('GRPC_SEND_END', clock.nowNs());
    }
    return wait;
  };
}

/** A request was refused before it was admitted, or by its admission. */
export function logRefusal({ id }: GrpcInferRequest, thrown: unknown): void {
  if (logsRequests()) logRefused(id, toServerError(thrown).message);
}

/** The trace of one message: sampled when everything in it was found right. */
class CallTrace {
  readonly #tracer: RequestTracer;
  readonly #model: string;
  readonly #metadata: BuildContext['metadata'];
  /** It begins when the message was waited for. */
  readonly #sinceNs: number;
  #isSampled = false;
  /** Undefined before it is sampled, and where it is not. */
  trace: RequestTrace | undefined;

  constructor(tracer: RequestTracer, model: string, metadata: BuildContext['metadata'], sinceNs: number) {
    this.#tracer = tracer;
    this.#model = model;
    this.#metadata = metadata;
    this.#sinceNs = sinceNs;
  }

  /** Undefined where nobody traces. */
  static of(
    { tracer, clock }: InferContext,
    { modelName }: GrpcInferRequest,
    metadata: BuildContext['metadata'],
  ): CallTrace | undefined {
    return tracer?.isActive() === true
      ? new CallTrace(tracer, modelName, metadata, clock.nowNs())
      : undefined;
  }

  start(): RequestTrace | undefined {
    const context = { traceparent: this.#text('traceparent'), tracestate: this.#text('tracestate') };
    this.#isSampled = true;
    this.trace = this.#tracer.start(this.#model, context);
    this.trace?.activity('GRPC_WAITREAD_START', this.#sinceNs);
    return this.trace;
  }

  /** What was refused before it was sampled is told to those who watch every request, as the window does. */
  fail(thrown: unknown): void {
    if (!this.#isSampled) {
      this.trace = this.#tracer.startRefused(this.#model);
      this.trace?.activity('GRPC_WAITREAD_START', this.#sinceNs);
    }
    if (this.trace?.failed !== undefined) this.trace.failed(toServerError(thrown));
    this.trace?.end();
  }

  #text(key: string): string | undefined {
    const value = this.#metadata[key];
    return value === undefined ? undefined : String(value);
  }
}

/** The success message of one response; throws what classification or shared memory refuse. */
export function responseMessage(
  context: InferContext,
  { use, plans }: AdmittedRequest,
  response: InferenceResponse,
): GrpcInferResponse {
  return {
    modelName: response.modelName,
    modelVersion: response.modelVersion,
    id: response.id,
    parameters: response.parameters,
    outputs: applyPlans(context.service, use, plans, response.outputs),
  };
}
