// The circumstances of a run, so that nobody compares a laptop on battery with a workstation without being told.

import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { PerfFingerprint } from '../../../src-shared/contract/perf-views.ts';

const POWER_FOLDER = '/sys/class/power_supply';
const CPU_FOLDER = '/sys/devices/system/cpu';

/** What may change while a run goes on and spoils it. */
export interface MachineState {
  readonly powerSource: string;
  /** How often processors were slowed down because they were hot, since the start of the system; undefined = not known. */
  readonly throttleCount: number | undefined;
}

/** Power source and throttling at this moment; what the system does not tell is left out. */
export async function machineState(): Promise<MachineState> {
  return { powerSource: await powerSource(), throttleCount: await throttleCount() };
}

/** Sentences about what may have disturbed a run; none where nothing did. */
export function machineWarnings(before: MachineState, after: MachineState): readonly string[] {
  const warnings: string[] = [];
  if (before.powerSource === 'battery' || after.powerSource === 'battery')
    warnings.push('The machine ran on battery: processors may have been slower than on mains.');
  const throttled = (after.throttleCount ?? 0) - (before.throttleCount ?? 0);
  if (throttled > 0)
    warnings.push(`Processors were slowed down ${throttled} times during the run because they were hot.`);
  return warnings;
}

/** Processor, memory, system and versions at this moment. */
export async function machineFingerprint(about: {
  readonly device: string;
  readonly appVersion: string;
}): Promise<PerfFingerprint> {
  return {
    cpuModel: os.cpus()[0]?.model.trim() ?? '',
    cpuCount: os.availableParallelism(),
    memoryByteSize: os.totalmem(),
    platform: `${os.platform()} ${os.release()} ${os.arch()}`,
    device: about.device,
    powerSource: await powerSource(),
    appVersion: about.appVersion,
    serverName: '',
  };
}

/** "" where the system does not tell. */
async function powerSource(): Promise<string> {
  const read = (name: string, file: string): Promise<string> =>
    readFile(path.join(POWER_FOLDER, name, file), 'utf8').then(
      (text) => text.trim(),
      () => '',
    );
  for (const name of await readdir(POWER_FOLDER).catch(() => [])) {
    if ((await read(name, 'type')) !== 'Battery') continue;
    return (await read(name, 'status')) === 'Discharging' ? 'battery' : 'AC';
  }
  return '';
}

/** Linux only. */
async function throttleCount(): Promise<number | undefined> {
  const names = await readdir(CPU_FOLDER).catch(() => []);
  const counts = await Promise.all(
    names
      .filter((name) => /^cpu\d+$/.test(name))
      .map((name) =>
        readFile(path.join(CPU_FOLDER, name, 'thermal_throttle', 'core_throttle_count'), 'utf8').then(
          Number,
          () => undefined,
        ),
      ),
  );
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, count) => total + count, 0);
}
