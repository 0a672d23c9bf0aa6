// The circumstances of a run, so that nobody compares a laptop on battery with a workstation without being told.

import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { PerfFingerprint } from '../../../src-shared/contract/perf-views.ts';

const POWER_FOLDER = '/sys/class/power_supply';

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
