// The latest executions of one model version, for the history and the batch doctor: what ran together, why the batch
// closed, and how long its oldest request had waited.

import { RingBuffer } from '../base/ring-buffer.ts';
import type { ExecutionRecord } from '../inference/execution.ts';
import type { BatchPayload } from './batch-payload.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import type { InstanceSlot } from './instance-slot.ts';

const HISTORY_LENGTH = 512;

export class ExecutionHistory {
  readonly #records = new RingBuffer<ExecutionRecord>(HISTORY_LENGTH);

  /** `durationNs`: from the start of execute() to its return. Warm-up leaves no record. */
  record(slot: InstanceSlot, payload: BatchPayload, atWallMs: number, durationNs: number): void {
    if (payload.requests.every((request) => request.isUncounted)) return;
    let oldestNs = slot.startedAtNs;
    for (const { times } of payload.requests) {
      if (times.queueStartNs > 0 && times.queueStartNs < oldestNs) oldestNs = times.queueStartNs;
    }
    this.#records.push({
      atWallMs,
      instanceName: slot.spec.name,
      requestCount: payload.requests.length,
      batchSize: payload.batchSize,
      closeReason: payload.closeReason,
      shapes: payload.closeReason === 'shape' ? shapesOf(payload.requests[0]) : '',
      queueLength: payload.queueLength,
      oldestQueueNs: slot.startedAtNs - oldestNs,
      inferNs: durationNs,
    });
  }

  /** Oldest first. */
  toArray(): readonly ExecutionRecord[] {
    return this.#records.toArray();
  }
}

function shapesOf(request: InferenceRequest | undefined): string {
  return request?.inputs.map(({ name, shape }) => `${name} [${shape.join(',')}]`).join(', ') ?? '';
}
