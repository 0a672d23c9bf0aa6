// Memory of the GPUs that the kernel drives itself on Linux (amdgpu, i915, xe): what a process has by the DRM clients among
// its open files, and what is taken of the whole device where its driver tells. No rights are needed for one's own processes.
// Source: "DRM client usage stats" of the kernel's documentation.

import { readFile, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';

import type { MemoryTool } from './memory-tool.ts';

/** A graphics card as the kernel numbers it. */
export interface DrmDevice {
  /** PCI address, "0000:03:00.0". */
  readonly pci: string;
  /** Its memory is the machine's. */
  readonly isIntegrated: boolean;
}

/** Where the kernel's files lie; tests have theirs. */
export interface DrmMemoryOptions {
  /** Default: /proc. */
  readonly proc?: string;
  /** Default: /sys/bus/pci/devices. */
  readonly pci?: string;
}

/** One open connection to a GPU; several files may be the same one. */
export interface DrmClient {
  readonly pci: string;
  readonly id: string;
  /** Bytes by region of memory: "vram0", "gtt", "system"; empty where the driver does not tell. */
  readonly regions: ReadonlyMap<string, number>;
}

/** Of a region the kernel tells one to three of these; what is in memory now says most. */
const KINDS = ['resident', 'memory', 'total'];
const UNITS: Readonly<Record<string, number>> = { '': 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };
/** A card's own memory, as its drivers call it; all other regions are the machine's. */
const OWN_MEMORY = /^(vram|local)/;
/** amdgpu's name for what was moved out of the GPU's reach. */
const OUTSIDE = 'cpu';

/** Each GPU is named by its PCI address. */
export function drmMemory(devices: readonly DrmDevice[], options: DrmMemoryOptions = {}): MemoryTool {
  const { proc = '/proc', pci: folder = '/sys/bus/pci/devices' } = options;
  return {
    name: 'fdinfo',
    look: async (pids) => {
      const clients = (await Promise.all(pids.map((pid) => clientsOf(path.join(proc, String(pid)))))).flat();
      const looks = devices.map(async (device) => {
        const { pci, isIntegrated } = device;
        const used = await readFile(path.join(folder, pci, 'mem_info_vram_used'), 'utf8').catch(() => '');
        // Of an integrated one that is the reserved part alone.
        const deviceBytes = /^\d+\s*$/.test(used) && !isIntegrated ? Number(used) : undefined;
        return [pci, { processBytes: bytesOn(device, clients), deviceBytes }] as const;
      });
      return new Map(await Promise.all(looks));
    },
  };
}

/** What the file of one client says; undefined when it is none of a GPU. */
export function parseFdinfo(text: string): DrmClient | undefined {
  const values = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, key = '', value = ''] = /^(drm-[^:\s]+):\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== '') values.set(key, value);
  }
  const pci = values.get('drm-pdev');
  if (pci === undefined) return undefined;
  const regions = new Map<string, number>();
  for (const key of values.keys()) {
    // "drm-total-cycles-rcs" counts time.
    const region = /^drm-(?:resident|memory|total)-(?!cycles-)(.+)$/.exec(key)?.[1];
    const size = region === undefined ? undefined : sizeOf(region, values);
    if (region !== undefined && size !== undefined && region !== OUTSIDE) regions.set(region, size);
  }
  return { pci, id: values.get('drm-client-id') ?? '', regions };
}

function sizeOf(region: string, values: ReadonlyMap<string, string>): number | undefined {
  const text = KINDS.map((kind) => values.get(`drm-${kind}-${region}`)).find((value) => value !== undefined);
  const [, count = '', unit = ''] = /^(\d+)\s*([KMG]iB)?$/.exec(text ?? '') ?? [];
  const factor = UNITS[unit];
  return count === '' || factor === undefined ? undefined : Number(count) * factor;
}

async function clientsOf(process: string): Promise<readonly DrmClient[]> {
  const names = await readdir(path.join(process, 'fd')).catch(() => []);
  const clients = await Promise.all(
    names.map(async (name) => {
      const file = await readlink(path.join(process, 'fd', name)).catch(() => '');
      if (!file.startsWith('/dev/dri/')) return undefined;
      return parseFdinfo(await readFile(path.join(process, 'fdinfo', name), 'utf8').catch(() => ''));
    }),
  );
  return clients.filter((client) => client !== undefined);
}

/** 0 without a client on the device; undefined when its driver does not tell. */
function bytesOn({ pci, isIntegrated }: DrmDevice, clients: readonly DrmClient[]): number | undefined {
  const own = clients.filter((client) => client.pci === pci);
  const once = new Map(own.map((client) => [client.id, client]));
  const sizes = [...once.values()].flatMap(({ regions }) =>
    [...regions].filter(([region]) => isIntegrated || OWN_MEMORY.test(region)).map(([, size]) => size),
  );
  if (sizes.length === 0 && once.size > 0) return undefined;
  return sizes.reduce((sum, size) => sum + size, 0);
}
