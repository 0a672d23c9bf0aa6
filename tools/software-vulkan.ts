// The Vulkan driver that computes on the processor, SwiftShader, where a browser or Electron brings it along: with it the
// WebGPU provider runs on a machine without a GPU. For tests only; it is slow by nature.

import { existsSync } from 'node:fs';
import path from 'node:path';

import { electronOnDisk } from './electron-binary.mjs';

const MANIFEST = 'vk_swiftshader_icd.json';
/** The Vulkan loader itself, which the WebGPU provider opens by this name. */
const LOADER = 'libvulkan.so.1';

const FOLDERS = [
  '/usr/lib/chromium',
  '/usr/lib/chromium-browser',
  '/opt/google/chrome',
  '/opt/microsoft/msedge',
];

/** Why there is none, for a test that is skipped. */
export const NO_SOFTWARE_VULKAN =
  "no SwiftShader: neither Debian's chromium nor Electron is installed, or this is not Linux";

/** What a process must have in its environment from its start; undefined where there is no such driver. */
export function softwareVulkan(): Readonly<Record<string, string>> | undefined {
  if (process.platform !== 'linux') return undefined;
  const electron = electronOnDisk();
  const folder = [...FOLDERS, ...(electron === undefined ? [] : [path.dirname(electron)])].find(
    (candidate) => existsSync(path.join(candidate, MANIFEST)) && existsSync(path.join(candidate, LOADER)),
  );
  if (folder === undefined) return undefined;
  const manifest = path.join(folder, MANIFEST);
  const libraries = [folder, process.env['LD_LIBRARY_PATH'] ?? ''].filter((entry) => entry !== '');
  return { VK_DRIVER_FILES: manifest, VK_ICD_FILENAMES: manifest, LD_LIBRARY_PATH: libraries.join(':') };
}
