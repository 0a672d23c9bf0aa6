// Graphics adapters of a Linux machine: its display devices out of sysfs, NVIDIA's by their own tool, and the software
// renderers among the Vulkan drivers.

import { readFile, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';

import type { GpuAdapter } from './gpu-adapter.ts';
import { vendorName } from './gpu-adapter.ts';
import { nvidiaAdapters } from './nvidia-adapters.ts';
import type { RunTool } from './run-tool.ts';
import { drives, vulkanDrivers } from './vulkan-drivers.ts';
import type { VulkanDriver } from './vulkan-drivers.ts';

/** How Linux is asked for its GPUs; tests answer for it. */
export interface LinuxFacts {
  readonly run: RunTool;
  /** Default: /sys/class/drm. */
  readonly drm?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Hardware first; never rejects. */
export async function linuxAdapters(facts: LinuxFacts): Promise<readonly GpuAdapter[]> {
  const drivers = await vulkanDrivers(facts.environment ?? process.env);
  const isDriven = (vendor: string): boolean => drives(drivers, vendor);
  const nvidia = await nvidiaAdapters(facts.run, isDriven('NVIDIA'));
  const devices = await drmAdapters(facts.drm ?? '/sys/class/drm', isDriven);
  // Where NVIDIA's tool answers it knows more than sysfs does.
  const others = nvidia.length === 0 ? devices : devices.filter(({ vendor }) => vendor !== 'NVIDIA');
  return [...nvidia, ...others, ...drivers.flatMap(softwareAdapter)];
}

/** The renderer on the processor that a driver is; none for one that drives hardware. */
function softwareAdapter({ software, library }: VulkanDriver): readonly GpuAdapter[] {
  if (software === undefined) return [];
  return [
    {
      name: software,
      vendor: 'none',
      driver: library,
      kind: 'software',
      memoryBytes: undefined,
      hasWebGpu: true,
    },
  ];
}

/** One for each card; connectors ("card0-HDMI-A-1") and render nodes are the same devices again. */
async function drmAdapters(
  folder: string,
  isDriven: (vendor: string) => boolean,
): Promise<readonly GpuAdapter[]> {
  const names = await readdir(folder).catch(() => []);
  const cards = names.filter((name) => /^card\d+$/.test(name)).sort(byNumber);
  const adapters = await Promise.all(
    cards.map((card) => drmAdapter(path.join(folder, card, 'device'), isDriven)),
  );
  return adapters.filter((adapter) => adapter !== undefined);
}

async function drmAdapter(
  device: string,
  isDriven: (vendor: string) => boolean,
): Promise<GpuAdapter | undefined> {
  const read = async (name: string): Promise<string> =>
    (await readFile(path.join(device, name), 'utf8').catch(() => '')).trim();
  const driver = path.basename(await readlink(path.join(device, 'driver')).catch(() => ''));
  const id = await read('vendor');
  if (id === '' && driver === '') return undefined;
  const vendor = id === '' ? vendorOfDriver(driver) : vendorName(id);
  const vram = Number((await read('mem_info_vram_total')) || Number.NaN);
  const product = (await read('product_name')) || (await read('label'));
  const link = await readlink(device).catch(() => '');
  const address = path.basename(link || device);
  return {
    name: product === '' ? `${vendor} ${(await read('device')) || driver}` : product,
    vendor,
    driver: driver === '' ? undefined : driver,
    kind: kindOf(vendor, address, vram),
    memoryBytes: Number.isFinite(vram) && vram > 0 ? vram : undefined,
    hasWebGpu: isDriven(vendor),
    pci: PCI_ADDRESS.test(address) ? address : undefined,
  };
}

const PCI_ADDRESS = /^[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.\d$/;

/** Systems on a chip have no vendor file. */
function vendorOfDriver(driver: string): string {
  if (/panfrost|panthor|lima|mali/.test(driver)) return 'ARM';
  if (/msm|adreno/.test(driver)) return 'Qualcomm';
  if (/asahi/.test(driver)) return 'Apple';
  return driver;
}

const FEW_BYTES = 2 * 1024 ** 3;

/** Intel's integrated adapter sits at bus 0; AMD's has little memory of its own. */
function kindOf(vendor: string, address: string, vram: number): GpuAdapter['kind'] {
  if (vendor === 'NVIDIA') return 'discrete';
  if (vendor === 'AMD') return vram > FEW_BYTES ? 'discrete' : 'integrated';
  if (vendor === 'Intel') return address.startsWith('0000:00:') ? 'integrated' : 'discrete';
  return ['Apple', 'ARM', 'Qualcomm'].includes(vendor) ? 'integrated' : 'unknown';
}

function byNumber(a: string, b: string): number {
  return Number(a.slice('card'.length)) - Number(b.slice('card'.length));
}
