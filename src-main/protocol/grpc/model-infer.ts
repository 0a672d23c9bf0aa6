// ModelInfer: one request, one response. The response is held until the final flag, as models may send the flag on
// its own; none or several responses are the model's fault and become INTERNAL.

import type { InferenceRequest } from '../../inference/inference-request.ts';
import type { InferenceResponse } from '../../inference/inference-response.ts';
import type { MetadataMap } from './calls/call-metadata.ts';
import type { GrpcFault } from './grpc-error.ts';
import { toGrpcFault } from './grpc-error.ts';
import type { AdmittedRequest, InferContext } from './infer-context.ts';
import { admit, after, logRefusal, responseMessage } from './infer-context.ts';
import { HandlerLog } from './handler-log.ts';
import type { GrpcInferResponse } from '../../grpc-wire/infer-message.ts';
import { encodeInferResponse } from '../../grpc-wire/infer-response-encoder.ts';
import type { GrpcInferRequest } from '../../grpc-wire/infer-message.ts';
import type { WireMessage } from '../../grpc-wire/wire-message.ts';
import { backendErrors } from '../../inference/backend-errors.ts';

/** The call of one inference, as it is served here. */
export interface InferCall {
  readonly message: GrpcInferRequest;
  readonly metadata: MetadataMap;
  /** The client has gone or its deadline has passed. */
  readonly isCancelled: () => boolean;
  /** `run` is called when the client has gone before the answer. */
  whenGone(run: () => void): void;
  /** `left` is called when the message has left; never, when it did not. */
  reply(message: WireMessage, left?: () => void): void;
  /** In place of `reply`; one of both is called once. */
  fail(fault: GrpcFault): void;
}

/** The only answer of a call: the message, or what went wrong. */
type Answer = (fault: GrpcFault | undefined, message?: WireMessage, left?: () => void) => void;

/** Returns at once; the call is answered exactly once, and the request cancelled when the client goes first. */
export function modelInfer(context: InferContext, call: InferCall): void {
  const records = new HandlerLog('ModelInferHandler');
  const done = context.handlers.open();
  const answer: Answer = (fault, message, left) => {
    done();
    if (fault !== undefined) call.fail(fault);
    else if (message !== undefined) call.reply(message, left);
    process.nextTick(() => records.ended(false));
  };
  let request: InferenceRequest | undefined;
  call.whenGone(() => {
    records.ended(true);
    after(context.clock, context.delays.notificationMs, () => {
      done();
      request?.cancel();
    });
  });
  after(context.clock, context.delays.processMs, () => {
    if (!call.isCancelled()) request = start(context, call, answer, records);
  });
}

/** The request on its way; undefined when it was refused. */
function start(
  context: InferContext,
  call: InferCall,
  answer: Answer,
  records: HandlerLog,
): InferenceRequest | undefined {
  let held: InferenceResponse | undefined;
  let count = 0;
  const reply = (make: () => WireMessage): void => {
    if (call.isCancelled()) return;
    const { clock, delays } = context;
    try {
      const bytes = make();
      after(clock, delays.completionMs, () => answer(undefined, bytes, held?.giveBack));
    } catch (thrown) {
      answer(toGrpcFault(thrown, 'ModelInfer'));
    }
  };
  try {
    const admitted = admit(context, call.message, {
      metadata: call.metadata,
      allowsDecoupled: false,
      onAdmitted: (taken) => {
        taken.request.onRelease(() => records.released());
        return (response, isFinal) => {
          if (response !== undefined) {
            held ??= response;
            count += 1;
          }
          records.responded(count, isFinal, response?.outputs);
          if (isFinal) reply(() => encodeInferResponse(singleResponse(context, taken, held, count)));
        };
      },
    });
    return admitted.request;
  } catch (thrown) {
    logRefusal(call.message, thrown);
    answer(toGrpcFault(thrown, 'ModelInfer'));
    return undefined;
  }
}

function singleResponse(
  context: InferContext,
  admitted: AdmittedRequest,
  response: InferenceResponse | undefined,
  count: number,
): GrpcInferResponse {
  if (response === undefined || count > 1) throw backendErrors.notSingle({ count });
  if (response.error !== undefined) throw response.error;
  return responseMessage(context, admitted, response);
}
