// How busy the GPUs are, in words: short for the status bar, and a line for each with what told it. Pure.

import type { GpuDeviceUse, GpuUse } from '../../src-shared/contract/gpu-use.ts';
import { t } from '../texts/translate.ts';
import { formatBytes } from './format.ts';

/** "37 %  1.2 GiB"; without memory where nobody tells of it. */
export function gpuUseShort({ utilizationPercent, memoryBytes }: GpuUse): string {
  return [percent(utilizationPercent), ...(memoryBytes === undefined ? [] : [formatBytes(memoryBytes)])].join(
    '  ',
  );
}

/** "Apple M3: 37 % busy, 1.2 GiB of 16.0 GiB in use (ioreg)" */
export function gpuUseLines({ devices }: GpuUse): readonly string[] {
  return devices.map((device) =>
    t('gpu.use', {
      name: device.name,
      busy: percent(device.utilizationPercent),
      memory: memoryText(device),
      source: t(`gpu.use.${device.source}`),
    }),
  );
}

function memoryText({ memoryBytes, memoryTotalBytes }: GpuDeviceUse): string {
  if (memoryBytes === undefined) return t('gpu.use.noMemory');
  const size = formatBytes(memoryBytes);
  return memoryTotalBytes === undefined
    ? t('gpu.use.memory', { size })
    : t('gpu.use.memoryOf', { size, total: formatBytes(memoryTotalBytes) });
}

function percent(value: number): string {
  return `${Math.round(value)} %`;
}
