// What the verbose log tells of sequences: where requests queue, which slots sequences take and leave, who has gone quiet.
// Texts are the reference's.

import { getLogger } from '../base/log.ts';
import type { CorrelationId, InferenceRequest } from '../inference/inference-request.ts';
import type { InstanceSlot } from './instance-slot.ts';
import type { RequestSlot } from './sequence-lane.ts';

const log = getLogger('scheduling');
const LEVEL = 1;

/** A request is queued in the slot of its sequence. */
export function logQueued(model: string, id: CorrelationId, { spec }: InstanceSlot, slot: RequestSlot): void {
  if (log.isVerbose(LEVEL))
    log.verbose(
      LEVEL,
      `Enqueuing CORRID ${id} into batcher ${spec.name}, sequence slot ${slot.index}: ${model}`,
    );
}

/** A request waits, since no slot is free; `isNew` = its sequence did not wait yet. */
export function logWaiting(model: string, id: CorrelationId, isNew: boolean): void {
  if (log.isVerbose(LEVEL))
    log.verbose(LEVEL, `Enqueuing CORRID ${id} into ${isNew ? 'new' : 'existing'} backlog: ${model}`);
}

/** The last request of a sequence leaves its slot. */
export function logEnd(
  { logPrefix, correlationId }: InferenceRequest,
  instance: InstanceSlot,
  slot: RequestSlot,
  isOldest: boolean,
): void {
  if (!log.isVerbose(LEVEL)) return;
  const start = isOldest ? `${logPrefix}end` : 'End';
  log.verbose(LEVEL, `${start} sequence CORRID ${correlationId} in ${placeOf(instance, slot)}`);
}

/** The oldest strategy hands a request to its dynamic batcher. */
export function logIssue(
  { logPrefix, correlationId }: InferenceRequest,
  instance: InstanceSlot,
  slot: RequestSlot,
): void {
  if (!log.isVerbose(LEVEL)) return;
  const place = placeOf(instance, slot);
  log.verbose(LEVEL, `${logPrefix}issue to dynamic batcher CORRID ${correlationId} in ${place}`);
}

/** A waiting sequence gets a slot that became free. */
export function logRefill(model: string, { spec }: InstanceSlot, { index, queue }: RequestSlot): void {
  if (!log.isVerbose(LEVEL)) return;
  const last = queue.at(-1);
  if (typeof last !== 'object') return;
  log.verbose(
    LEVEL,
    `${last.logPrefix}CORRID ${last.correlationId} reusing batcher ${spec.name}, slot ${index}: ${model}`,
  );
}

/** A slot is free for the next sequence. */
export function logFreed({ spec }: InstanceSlot, { index }: RequestSlot): void {
  log.verbose(LEVEL, `Freeing slot in batcher ${spec.name}, slot ${index}`);
}

/** A sequence was quiet for too long. */
export function logIdle({ spec }: InstanceSlot, { index, owner }: RequestSlot): void {
  if (!log.isVerbose(LEVEL)) return;
  log.verbose(LEVEL, `Reaper: CORRID ${owner}: max sequence idle exceeded`);
  log.verbose(LEVEL, `Reaper: force-ending CORRID ${owner} in batcher ${spec.name}, slot ${index}`);
}

/** A sequence is started that has not ended. */
export function logConflict(model: string, id: CorrelationId): void {
  log.warn(
    `sequence ${id} for model '${model}' has a conflict. The previous sequence did not end before this sequence start. Previous sequence will be terminated early.`,
  );
}

/** The slot of an instance that is being removed is gone. */
export function logSlotRemoval({ spec }: InstanceSlot, { index }: RequestSlot): void {
  log.verbose(LEVEL, `Removing slot for batcher ${spec.name}, slot ${index}`);
}

/** The last slot of an instance that is being removed is gone. */
export function logBatcherRemoval({ spec }: InstanceSlot): void {
  log.verbose(LEVEL, `Removing batcher ${spec.name}`);
  log.verbose(LEVEL + 1, 'Cleaning-up resources on sequence-batch clean-up thread...');
}

function placeOf({ spec }: InstanceSlot, { index }: RequestSlot): string {
  return `batcher ${spec.name}, slot ${index}`;
}
