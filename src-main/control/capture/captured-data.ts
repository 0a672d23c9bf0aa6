// Captured requests to a model as the input data of a load test. What failed, and what was too large to keep, is left out:
// only requests that were answered are traffic to measure with.

import type { DataType } from '../../../src-shared/datatypes.ts';
import { isDataType } from '../../../src-shared/datatypes.ts';
import { SEQUENCE_START } from '../../inference/inference-request.ts';
import type { CapturedStep } from '../../perf/data/captured-data.ts';
import { capturedText } from '../../perf/data/captured-data.ts';
import { perfDataErrors } from '../../perf/data/data-errors.ts';
import type { KeptRequest, RequestCapture } from './request-capture.ts';

/** Oldest first, clients' requests and those that an ensemble made. Ends the capturing. Throws NOT_FOUND when there are none. */
export function capturedData(capture: RequestCapture, model: string): string {
  const kept = sendable(capture, model);
  const [first] = kept;
  if (first === undefined) throw perfDataErrors.capturedNone({ model });
  capture.stop();
  return capturedText(streamsOf(kept).map((steps) => steps.map((one) => stepOf(one, first.atMs))));
}

/** Answered requests of the model with their tensors, oldest first. */
function sendable(capture: RequestCapture, model: string): readonly KeptRequest[] {
  return capture
    .list(model)
    .filter((one) => one.model === model && one.state === 'ok' && one.hasTensors && one.inputs.length > 0)
    .toReversed();
}

/** One stream for each sequence, from each of its starts on; all without a sequence together. */
function streamsOf(kept: readonly KeptRequest[]): readonly (readonly KeptRequest[])[] {
  const streams: KeptRequest[][] = [];
  const open = new Map<KeptRequest['correlationId'], KeptRequest[]>();
  for (const one of kept) {
    const isSequence = one.correlationId !== 0n && one.correlationId !== '';
    const isStart = isSequence && (one.flags & SEQUENCE_START) !== 0;
    let stream = isStart ? undefined : open.get(one.correlationId);
    if (stream === undefined) {
      stream = [];
      open.set(one.correlationId, stream);
      streams.push(stream);
    }
    stream.push(one);
  }
  return streams;
}

function stepOf(kept: KeptRequest, originMs: number): CapturedStep {
  const limits = {
    ...(kept.priority === 0n ? {} : { priority: { int: String(kept.priority) } }),
    ...(kept.timeoutUs === 0 ? {} : { timeout: { int: String(kept.timeoutUs) } }),
  };
  const own = [...kept.parameters].map(
    ([name, value]) => [name, typeof value === 'bigint' ? { int: String(value) } : value] as const,
  );
  return {
    timestampMs: kept.atMs - originMs,
    inputs: kept.inputs.map(({ name, datatype, shape, bytes }) => ({
      name,
      datatype: known(datatype),
      shape,
      b64: Buffer.from(bytes).toString('base64'),
    })),
    outputs: kept.requestedOutputs,
    parameters: { ...Object.fromEntries(own), ...limits },
  };
}

/** A request that was answered has no other datatypes. */
function known(datatype: string): DataType {
  if (!isDataType(datatype)) throw new TypeError(`'${datatype}' is no datatype`);
  return datatype;
}
