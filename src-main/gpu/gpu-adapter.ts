// One graphics adapter of the machine, as far as the system tells without running anything on it.

import type { NumberedGpu } from './visible-devices.ts';

/** `software` computes on the processor: it is for tests, and never chosen unless it is named. */
export type AdapterKind = 'discrete' | 'integrated' | 'software' | 'unknown';

/** A graphics card of this machine, whoever told of it. Sizes are bytes. */
export interface GpuAdapter {
  readonly name: string;
  /** "NVIDIA", "AMD", "Intel", "Apple", or the PCI id of another one. */
  readonly vendor: string;
  /** Name and, where known, version: "nvidia 580.65", "amdgpu"; undefined = not known. */
  readonly driver: string | undefined;
  readonly kind: AdapterKind;
  /** Memory of its own; undefined where it has none or nobody tells. */
  readonly memoryBytes: number | undefined;
  /** Memory of the machine that is the adapter's too; only where the system says so, which is Apple's. */
  readonly unifiedBytes?: number | undefined;
  readonly coreCount?: number | undefined;
  /** What WebGPU needs on this system is installed for it. */
  readonly hasWebGpu: boolean;
  /** Its PCI address, "0000:03:00.0"; only on Linux, and not of NVIDIA's. */
  readonly pci?: string | undefined;
  /** Only where NVIDIA's driver answers. */
  readonly cuda?: (NumberedGpu & { readonly capability: number }) | undefined;
}

const MIB = 1024 * 1024;

/**
 * "NVIDIA H100 (NVIDIA, discrete, driver nvidia 580.65, 81559 MiB)", "Apple M3 (Apple, integrated, driver Metal, 10 cores,
 * 16384 MiB shared with the processor)".
 */
export function adapterText(adapter: GpuAdapter): string {
  const { name, vendor, driver, kind, memoryBytes, unifiedBytes, coreCount } = adapter;
  const parts = [
    vendor,
    kind === 'unknown' ? '' : kind,
    driver === undefined ? '' : `driver ${driver}`,
    coreCount === undefined ? '' : `${coreCount} cores`,
    memoryBytes === undefined ? '' : `${Math.round(memoryBytes / MIB)} MiB`,
    unifiedBytes === undefined ? '' : `${Math.round(unifiedBytes / MIB)} MiB shared with the processor`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? name : `${name} (${parts.join(', ')})`;
}

const VENDORS: Readonly<Record<string, string>> = {
  '0x10de': 'NVIDIA',
  '0x1002': 'AMD',
  '0x8086': 'Intel',
  '0x106b': 'Apple',
  '0x5143': 'Qualcomm',
  '0x13b5': 'ARM',
  '0x1af4': 'virtio',
  '0x1a03': 'ASPEED',
};

/** Name of a PCI vendor id such as "0x10de". */
export function vendorName(id: string): string {
  return VENDORS[id.toLowerCase()] ?? id;
}
