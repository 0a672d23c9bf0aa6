// What a model costs in memory, in a sentence. Its texts come later than what draws the frame. Pure.

import { t } from '../texts/translate.ts';
import { formatBytes } from './format.ts';
import type { Costed } from './model-memory.ts';
import { modelMemory } from './model-memory.ts';

/** For a row of facts, with what the number is. */
export function memoryLong(model: Costed): string {
  const { kind, bytes } = modelMemory(model);
  return t(`model.memory.${kind}`, { size: formatBytes(bytes) });
}
