// What a model costs in memory, as far as it is known: measured while it was loaded alone, else the size of its weights,
// which is the least it can be, else nothing. Never a zero that means "not known". Pure.

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { formatBytes } from './format.ts';

/** What is known of the cost of a model. */
export type Costed = Pick<ModelView, 'memoryBytes'> & {
  readonly timings?: Pick<NonNullable<ModelView['timings']>, 'memoryDeltaBytes'> | undefined;
};

/** `bytes` is undefined only when nothing is known. */
export interface ModelMemory {
  /** `reused` and `small` were measured, and the process did not grow: of the first the weights are known. */
  readonly kind: 'measured' | 'reused' | 'small' | 'weights' | 'unknown';
  readonly bytes: number | undefined;
}

/** Every session costs more than this: weights of less say nothing of the cost. */
const TELLING_BYTES = 64 * 1024;

/** What is known best: measured before weights, weights only where they say something. */
export function modelMemory({ timings, memoryBytes }: Costed): ModelMemory {
  const measured = timings?.memoryDeltaBytes;
  if (measured !== undefined && measured > 0) return { kind: 'measured', bytes: measured };
  const isSeen = measured !== undefined;
  return memoryBytes === undefined || memoryBytes < TELLING_BYTES
    ? { kind: isSeen ? 'small' : 'unknown', bytes: undefined }
    : { kind: isSeen ? 'reused' : 'weights', bytes: memoryBytes };
}

/** A cost worth a column, even when it is the only one that is known. */
const NOTABLE_BYTES = 1024 * 1024;

/** Whether a list of these models says something about memory: of half of those that are loaded, or of a large one. */
export function tellsMemory(models: readonly (Costed & Pick<ModelView, 'state'>)[]): boolean {
  const known = models.map((model) => modelMemory(model).bytes).filter((bytes) => bytes !== undefined);
  const loadedCount = models.filter(({ state }) => state === 'ready').length;
  return (
    known.some((bytes) => bytes >= NOTABLE_BYTES) || (known.length > 0 && known.length * 2 >= loadedCount)
  );
}

/** Whether one more load alone would say more than is known. */
export function isMeasurable(model: Costed): boolean {
  return model.timings?.memoryDeltaBytes === undefined;
}

/** For a cell: "54.0 MiB", "≥ 44.5 KiB", "–". */
export function memoryShort(model: Costed): string {
  const { kind, bytes } = modelMemory(model);
  return kind === 'weights' || kind === 'reused' ? `≥ ${formatBytes(bytes)}` : formatBytes(bytes);
}
