// How many threads read the sockets in front of the event loop.

import os from 'node:os';

import type { WireThreadOptions } from '../http-options.ts';

/** Below this many processors, threads in front take more from the rest than they give. */
const MIN_PROCESSORS = 6;
const MOST = 4;

/** `wanted` -1: as many as suit the machine, once they are needed. Only Linux spreads connections over several listeners. */
export function wireThreadsFor(
  wanted: number,
  machine: { readonly platform: string; readonly processors: number } = {
    platform: process.platform,
    processors: os.availableParallelism(),
  },
): WireThreadOptions {
  if (machine.platform !== 'linux') return { count: 0, waitForLoad: false };
  if (wanted >= 0) return { count: wanted, waitForLoad: false };
  const count = machine.processors < MIN_PROCESSORS ? 0 : Math.min(MOST, Math.floor(machine.processors / 3));
  return { count, waitForLoad: true };
}
