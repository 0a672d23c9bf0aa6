// Graphics adapters of Windows and macOS, which list them by programs of their own; WebGPU is part of both systems.

import type { GpuAdapter } from './gpu-adapter.ts';
import { nvidiaAdapters } from './nvidia-adapters.ts';
import type { RunTool } from './run-tool.ts';

const WINDOWS_SCRIPT =
  'Get-CimInstance Win32_VideoController | Select-Object Name,AdapterCompatibility,DriverVersion,AdapterRAM | ConvertTo-Json -Compress';

/** Drivers of Windows that draw on the processor, or over the network. */
const WINDOWS_SOFTWARE = /basic (render|display)|remote display|hyper-v|indirect display/i;
/** The system's field has 32 bits: what fills it may be more. */
const LARGEST_TOLD = 0xfff0_0000;

interface WindowsController {
  readonly Name?: string;
  readonly AdapterCompatibility?: string;
  readonly DriverVersion?: string;
  readonly AdapterRAM?: number;
}

/** Never rejects. */
export async function windowsAdapters(run: RunTool): Promise<readonly GpuAdapter[]> {
  const [nvidia, text] = await Promise.all([
    nvidiaAdapters(run, true),
    run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', WINDOWS_SCRIPT]).catch(() => ''),
  ]);
  const listed = listOf<WindowsController>(text).map(windowsAdapter);
  const others = nvidia.length === 0 ? listed : listed.filter(({ vendor }) => vendor !== 'NVIDIA');
  return [...nvidia, ...others];
}

function windowsAdapter(controller: WindowsController): GpuAdapter {
  const {
    Name: name = 'display adapter',
    AdapterCompatibility: maker = '',
    AdapterRAM: ram = 0,
  } = controller;
  const isSoftware = WINDOWS_SOFTWARE.test(name);
  return {
    name,
    vendor: shortVendor(maker === '' ? name : maker),
    driver: controller.DriverVersion || undefined,
    kind: isSoftware ? 'software' : 'unknown',
    memoryBytes: ram > 0 && ram < LARGEST_TOLD ? ram : undefined,
    hasWebGpu: true,
  };
}

interface MacDisplays {
  readonly SPDisplaysDataType?: readonly {
    readonly sppci_model?: string;
    /** "10"; of Apple's own GPUs. */
    readonly sppci_cores?: string;
    readonly spdisplays_vendor?: string;
    readonly spdisplays_vram?: string;
    readonly spdisplays_mtlgpufamilysupport?: string;
  }[];
}

/** `machineBytes`: the memory of the machine, which Apple's own GPUs share. Never rejects. */
export async function macAdapters(run: RunTool, machineBytes: number): Promise<readonly GpuAdapter[]> {
  const text = await run('system_profiler', ['SPDisplaysDataType', '-json']).catch(() => '');
  const [read] = listOf<MacDisplays>(text);
  return (read?.SPDisplaysDataType ?? []).map((display) => {
    const name = display.sppci_model ?? 'display adapter';
    const vendor = shortVendor(`${display.spdisplays_vendor ?? ''} ${name}`);
    const [, amount = '', unit = ''] = /(\d+)\s*(GB|MB)/.exec(display.spdisplays_vram ?? '') ?? [];
    return {
      name,
      vendor,
      driver: 'Metal',
      kind: vendor === 'AMD' || vendor === 'NVIDIA' ? 'discrete' : 'integrated',
      memoryBytes: amount === '' ? undefined : Number(amount) * 1024 ** (unit === 'GB' ? 3 : 2),
      unifiedBytes: vendor === 'Apple' ? machineBytes : undefined,
      coreCount: /^\d+$/.test(display.sppci_cores ?? '') ? Number(display.sppci_cores) : undefined,
      hasWebGpu: display.spdisplays_mtlgpufamilysupport !== undefined || vendor === 'Apple',
    };
  });
}

/** What a tool prints as JSON: one value or a list of them; anything else is none. */
function listOf<T>(text: string): readonly T[] {
  try {
    const read = JSON.parse(text) as T | readonly T[];
    return Array.isArray(read) ? (read as readonly T[]) : [read as T];
  } catch {
    return [];
  }
}

function shortVendor(text: string): string {
  if (/nvidia/i.test(text)) return 'NVIDIA';
  if (/\bamd\b|advanced micro|radeon/i.test(text)) return 'AMD';
  if (/intel/i.test(text)) return 'Intel';
  if (/apple/i.test(text)) return 'Apple';
  if (/qualcomm|adreno/i.test(text)) return 'Qualcomm';
  return text.trim();
}
