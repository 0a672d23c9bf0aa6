// What a model takes of GPU memory, in words: a number with how it was measured, or why there is none. Pure.

import type { GpuMemoryShare } from '../../src-shared/contract/gpu-memory.ts';
import { t } from '../texts/translate.ts';
import { formatBytes } from './format.ts';

/** One sentence for each GPU that the model is on. */
export function gpuMemoryLines(shares: readonly GpuMemoryShare[]): readonly string[] {
  return shares.map((share) => t('model.gpuMemory', { device: share.device, text: shareText(share) }));
}

/** For a cell: "512 MiB", "≥ 512 MiB" when one of several GPUs is not known, "–" without any number. */
export function gpuMemoryShort(shares: readonly GpuMemoryShare[]): string {
  const bytes = gpuMemoryBytes(shares);
  const isPart = bytes !== undefined && shares.some((share) => share.bytes === undefined);
  return isPart ? `≥ ${formatBytes(bytes)}` : formatBytes(bytes);
}

/** Of all GPUs together, as far as it is known; undefined = nothing is. */
export function gpuMemoryBytes(shares: readonly GpuMemoryShare[]): number | undefined {
  const known = shares.map(({ bytes }) => bytes).filter((bytes) => bytes !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, bytes) => sum + bytes, 0);
}

function shareText({ bytes, unknown, way, tool, isFirst }: GpuMemoryShare): string {
  if (bytes === undefined || way === undefined || tool === undefined) {
    return t('model.gpuMemory.unknown', { reason: t(`model.gpuMemory.${unknown ?? 'untold'}`) });
  }
  const how = t(`model.gpuMemory.by.${way}`, { tool });
  const first = isFirst && way !== 'host' ? ` ${t('model.gpuMemory.first')}` : '';
  return `${formatBytes(bytes)}: ${how}${first}`;
}
