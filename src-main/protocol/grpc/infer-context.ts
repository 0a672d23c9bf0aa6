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
  let trace: RequestTrace | undefined;
  let use: ModelUse | undefined;
  let letRegionsGo = (): void => undefined;
  try {
    const found = service.useModel(message.modelName, message.modelVersion);
    use = found;
    if (found.isDecoupled && !options.allowsDecoupled) throw grpcErrors.decoupled();
    trace = startTrace(context, message, options.metadata);
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
    const stamped = stampedResponses(trace, context.clock, isSent, () => built.request.isCancelled);
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
          trace?.end();
        }
        return wait;
      },
      trace,
    });
    if (built.regions.length > 0) letRegionsGo = holdRegions(service, built.regions, found.name);
    const admitted: AdmittedRequest = { ...built, use: found };
    target.onResponse = options.onAdmitted(admitted);
    built.request.onRelease(letGo);
    trace?.activity('GRPC_WAITREAD_END', context.clock.nowNs());
    service.infer(found, built.request);
    return admitted;
  } catch (thrown) {
    letRegionsGo();
    use?.release();
    if (trace?.failed !== undefined) trace.failed(toServerError(thrown));
    trace?.end();
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
  trace: RequestTrace | undefined,
  clock: Clock,
  isSent: IsSent,
  isGivenUp: () => boolean,
): (respond: () => void | Promise<void>, ...callback: Parameters<IsSent>) => void | Promise<void> {
  let hasResponded = false;
  return (respond, response, isFinal) => {
    if (trace === undefined || isGivenUp()) return respond();
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

function startTrace(
  { tracer, clock }: InferContext,
  message: GrpcInferRequest,
  metadata: BuildContext['metadata'],
): RequestTrace | undefined {
  if (tracer?.isActive() !== true) return undefined;
  // Before the trace is made: it began when the message was waited for.
  const startNs = clock.nowNs();
  const text = (key: string): string | undefined =>
    metadata[key] === undefined ? undefined : String(metadata[key]);
  const trace = tracer.start(message.modelName, {
    traceparent: text('traceparent'),
    tracestate: text('tracestate'),
  });
  trace?.activity('GRPC_WAITREAD_START', startNs);
  return trace;
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
