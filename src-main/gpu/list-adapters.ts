// Lists the graphics adapters of this machine, by the means of its system.

import os from 'node:os';

import { macAdapters, windowsAdapters } from './desktop-adapters.ts';
import type { GpuAdapter } from './gpu-adapter.ts';
import { linuxAdapters } from './linux-adapters.ts';
import { runTool } from './run-tool.ts';

/** Hardware before software; empty where nothing is found. Never rejects. */
export function listAdapters(): Promise<readonly GpuAdapter[]> {
  switch (process.platform) {
    case 'win32':
      return windowsAdapters(runTool);
    case 'darwin':
      return macAdapters(runTool, os.totalmem());
    default:
      return linuxAdapters({ run: runTool });
  }
}
