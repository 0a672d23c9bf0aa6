import { describe, expect, it } from 'vitest';
import { InferInput, InferenceRequest } from './inference-request.ts';
import { traceQueued } from './queue-trace.ts';
import type { RequestTrace } from './request-trace.ts';
import { bytesOf, NO_BYTES } from './tensor-bytes.ts';

describe('the trace of a request that is queued', () => {
  it('tells the inputs that have elements', () => {
    const seen: string[] = [];
    const trace: Partial<RequestTrace> = {
      activity: (name) => seen.push(name),
      tensors: (kind, { name, shape }) => seen.push(`${kind} ${name} ${shape.join()}`),
    };
    const request = new InferenceRequest({
      modelName: 'm',
      modelVersion: 1,
      inputs: [
        new InferInput('NONE', 'FP32', [0, 2], NO_BYTES),
        new InferInput('ONE', 'FP32', [1], bytesOf(new Uint8Array(4))),
        new InferInput('EMPTY', 'BYTES', [0], bytesOf(new Uint8Array(0))),
      ],
      onResponse: () => undefined,
      trace: trace as RequestTrace,
    });
    traceQueued(request, 5);
    expect(seen).toEqual(['QUEUE_START', 'TENSOR_QUEUE_INPUT ONE 1']);
  });
});
