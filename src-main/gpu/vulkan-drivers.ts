// The Vulkan drivers that are installed on a Linux machine, found where the Vulkan loader finds them: WebGPU runs through
// them. A driver is known by the name of its library, which says whose adapters it drives.
// Source: "Linux driver discovery" in the interface document of the Vulkan loader.

import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

/** A driver that Vulkan's loader would offer. */
export interface VulkanDriver {
  /** File name of its library: "libvulkan_radeon.so". */
  readonly library: string;
  /** Why it is known to compute on the processor: the name of that renderer; undefined = it drives hardware. */
  readonly software: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const SOFTWARE: readonly (readonly [RegExp, string])[] = [
  [/swiftshader/i, 'SwiftShader'],
  [/vulkan_lvp|llvmpipe|lavapipe/i, 'llvmpipe'],
];

/** Vendor -> libraries that drive its adapters. */
const LIBRARIES: Readonly<Record<string, RegExp>> = {
  NVIDIA: /nvidia|nouveau/i,
  AMD: /radeon|amdvlk/i,
  Intel: /intel/i,
  Apple: /asahi/i,
  Qualcomm: /freedreno|adreno/i,
  ARM: /panfrost|panvk|mali/i,
  virtio: /virtio|gfxstream/i,
};

/** Drivers that the loader would try, in its order. Unreadable manifests are passed over, as the loader does. */
export async function vulkanDrivers(
  environment: Environment = process.env,
): Promise<readonly VulkanDriver[]> {
  const drivers: VulkanDriver[] = [];
  for (const manifest of await manifests(environment)) {
    const library = await libraryOf(manifest);
    if (library === undefined) continue;
    const known = SOFTWARE.find(([pattern]) => pattern.test(library));
    drivers.push({ library, software: known?.[1] });
  }
  return drivers;
}

/** Whether one of the drivers is for adapters of this vendor. */
export function drives(drivers: readonly VulkanDriver[], vendor: string): boolean {
  const pattern = LIBRARIES[vendor];
  return pattern !== undefined && drivers.some(({ library }) => pattern.test(library));
}

async function manifests(environment: Environment): Promise<readonly string[]> {
  const forced = environment['VK_DRIVER_FILES'] ?? environment['VK_ICD_FILENAMES'] ?? '';
  const places =
    forced === '' ? [...split(environment['VK_ADD_DRIVER_FILES']), ...folders(environment)] : split(forced);
  const found = await Promise.all(places.map(manifestsAt));
  return found.flat();
}

function folders(environment: Environment): readonly string[] {
  const home = environment['HOME'] ?? '';
  const bases = [
    environment['XDG_CONFIG_HOME'] ?? path.join(home, '.config'),
    ...split(environment['XDG_CONFIG_DIRS'] ?? '/etc/xdg'),
    '/usr/local/etc',
    '/etc',
    environment['XDG_DATA_HOME'] ?? path.join(home, '.local/share'),
    ...split(environment['XDG_DATA_DIRS'] ?? '/usr/local/share:/usr/share'),
  ];
  return bases.map((base) => path.join(base, 'vulkan/icd.d'));
}

function split(list: string | undefined): readonly string[] {
  return (list ?? '').split(path.delimiter).filter((entry) => entry !== '');
}

/** A place is a manifest or a folder of them. */
async function manifestsAt(place: string): Promise<readonly string[]> {
  if (place.endsWith('.json')) return [place];
  const names = await readdir(place).catch(() => []);
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => path.join(place, name));
}

async function libraryOf(manifest: string): Promise<string | undefined> {
  try {
    const read = JSON.parse(await readFile(manifest, 'utf8')) as { ICD?: { library_path?: unknown } };
    const file = read.ICD?.library_path;
    return typeof file === 'string' ? path.basename(file) : undefined;
  } catch {
    return undefined;
  }
}
