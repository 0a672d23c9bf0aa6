// ModelInfer: one request, one response. The response is held until the final flag, as models may send the flag on
// its own; none or several responses are the model's fault and become INTERNAL.

import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';

import { internal } from '../../../src-shared/errors.ts';
import type { InferenceRequest } from '../../inference/inference-request.ts';
import type { InferenceResponse } from '../../inference/inference-response.ts';
import { toGrpcFault } from './grpc-error.ts';
import type { AdmittedRequest, InferContext } from './infer-context.ts';
import { admit, after, logRefusal, responseMessage } from './infer-context.ts';
import { HandlerLog } from './handler-log.ts';
import type { GrpcInferResponse } from '../../grpc-wire/infer-message.ts';
import { encodeInferResponse } from '../../grpc-wire/infer-response-encoder.ts';
import type { GrpcInferRequest } from '../../grpc-wire/infer-message.ts';

type Call = ServerUnaryCall<GrpcInferRequest, Buffer>;

export function modelInfer(context: InferContext, call: Call, callback: sendUnaryData<Buffer>): void {
  const records = new HandlerLog('ModelInferHandler');
  const done = context.handlers.open();
  let isAnswered = false;
  const answer: typeof callback = (...args) => {
    isAnswered = true;
    done();
    callback(...args);
  };
  let request: InferenceRequest | undefined;
  // The library says so at the end of every call.
  call.on('cancelled', () => {
    records.ended(!isAnswered);
    if (isAnswered) return;
    after(context.clock, context.delays.notificationMs, () => {
      done();
      request?.cancel();
    });
  });
  after(context.clock, context.delays.processMs, () => {
    if (!call.cancelled) request = start(context, call, answer, records);
  });
}

/** The request on its way; undefined when it was refused. */
function start(
  context: InferContext,
  call: Call,
  callback: sendUnaryData<Buffer>,
  records: HandlerLog,
): InferenceRequest | undefined {
  let held: InferenceResponse | undefined;
  let count = 0;
  const reply = (make: () => Buffer): void => {
    if (call.cancelled) return;
    const { clock, delays } = context;
    try {
      const bytes = make();
      after(clock, delays.completionMs, () => callback(null, bytes));
    } catch (thrown) {
      callback(toGrpcFault(thrown, 'ModelInfer'));
    }
  };
  try {
    const admitted = admit(context, call.request, {
      metadata: call.metadata.getMap(),
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
    logRefusal(call.request, thrown);
    callback(toGrpcFault(thrown, 'ModelInfer'));
    return undefined;
  }
}

function singleResponse(
  context: InferContext,
  admitted: AdmittedRequest,
  response: InferenceResponse | undefined,
  count: number,
): GrpcInferResponse {
  if (response === undefined || count > 1) throw internal(`expected a single response, got ${count}`);
  if (response.error !== undefined) throw response.error;
  return responseMessage(context, admitted, response);
}
