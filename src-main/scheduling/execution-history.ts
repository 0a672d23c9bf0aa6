// The latest executions of one model version, for the history and the batch doctor: what ran together, why the batch
// closed, and how long its oldest request had waited. Each is written over the oldest one, in columns: objects that
// outlive their request, made at the speed of requests, cost the garbage collector more than all others.

import type { BatchCloseReason, ExecutionRecord } from '../inference/execution.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import type { BatchPayload } from './batch-payload.ts';
import type { InstanceSlot } from './instance-slot.ts';

const LENGTH = 512;

/**
 * Of one version, over all its instances. Holds numbers alone: no request and no tensor stays in memory because
 * of it.
 */
export class ExecutionHistory {
  readonly #atWallMs = new Float64Array(LENGTH);
  readonly #requestCounts = new Float64Array(LENGTH);
  readonly #batchSizes = new Float64Array(LENGTH);
  readonly #queueLengths = new Float64Array(LENGTH);
  readonly #oldestQueueNs = new Float64Array(LENGTH);
  readonly #inferNs = new Float64Array(LENGTH);
  readonly #instanceNames: string[] = [];
  readonly #closeReasons: BatchCloseReason[] = [];
  readonly #shapes: (string | undefined)[] = [];
  #next = 0;

  /** `durationNs`: from the start of execute() to its return. Warm-up leaves no record. */
  record(slot: InstanceSlot, payload: BatchPayload, atWallMs: number, durationNs: number): void {
    let isCounted = false;
    let oldestNs = slot.startedAtNs;
    for (const request of payload.requests) {
      isCounted ||= !request.isUncounted;
      const { queueStartNs } = request.times;
      if (queueStartNs > 0 && queueStartNs < oldestNs) oldestNs = queueStartNs;
    }
    if (!isCounted) return;
    const at = this.#next;
    this.#next = (at + 1) % LENGTH;
    this.#atWallMs[at] = atWallMs;
    this.#requestCounts[at] = payload.requests.length;
    this.#batchSizes[at] = payload.batchSize;
    this.#queueLengths[at] = payload.queueLength;
    this.#oldestQueueNs[at] = slot.startedAtNs - oldestNs;
    this.#inferNs[at] = durationNs;
    this.#instanceNames[at] = slot.spec.name;
    this.#closeReasons[at] = payload.closeReason;
    this.#shapes[at] = payload.closeReason === 'shape' ? shapesOf(payload.requests[0]) : undefined;
  }

  /** Oldest first. */
  toArray(): readonly ExecutionRecord[] {
    const count = this.#instanceNames.length;
    const first = count < LENGTH ? 0 : this.#next;
    return Array.from({ length: count }, (_, index) => this.#read((first + index) % LENGTH));
  }

  #read(at: number): ExecutionRecord {
    return {
      atWallMs: this.#atWallMs[at] ?? 0,
      instanceName: this.#instanceNames[at] ?? '',
      requestCount: this.#requestCounts[at] ?? 0,
      batchSize: this.#batchSizes[at] ?? 0,
      closeReason: this.#closeReasons[at] ?? 'direct',
      shapes: this.#shapes[at],
      queueLength: this.#queueLengths[at] ?? 0,
      oldestQueueNs: this.#oldestQueueNs[at] ?? 0,
      inferNs: this.#inferNs[at] ?? 0,
    };
  }
}

function shapesOf(request: InferenceRequest | undefined): string {
  return request?.inputs.map(({ name, shape }) => `${name} [${shape.join(',')}]`).join(', ') ?? '';
}
