// What a scheduler reports to a trace when it takes a request. That of sequences reports QUEUE_START alone.

import type { InferenceRequest } from './inference-request.ts';
import { contiguous } from './tensor-bytes.ts';

/** Records QUEUE_START and, when the trace has tensors, the inputs that have elements right behind it. */
export function traceQueued({ trace, inputs }: InferenceRequest, nowNs: number): void {
  if (trace === undefined) return;
  trace.activity('QUEUE_START', nowNs);
  const record = trace.tensors;
  if (record === undefined) return;
  for (const { name, datatype, clientShape, bytes } of inputs) {
    if (bytes.byteSize === 0) continue;
    record('TENSOR_QUEUE_INPUT', { name, datatype, shape: clientShape, bytes: contiguous(bytes) }, nowNs);
  }
}
