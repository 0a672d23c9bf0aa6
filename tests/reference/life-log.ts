// What servers log about models while something is done.

import { wait } from './life-calls.ts';
import { hideVolatile, logRecords } from './normalise.ts';
import type { Target } from './reference-case.ts';

/** New records of the log that tell of models; what each server says of its own insides is left out. */
const ABOUT_MODELS = /load|unload|fail|ensemble|poll|version|Invalid|depend|circular|ignore|not available/i;
const OF_THE_MACHINE = /CUDA|Cleaning|TRITONBACKEND|Process for|Loading|Server side auto/;

export async function saidDuring(
  target: Target,
  act: () => Promise<unknown>,
  isUnload = false,
): Promise<readonly string[]> {
  const before = target.log().length;
  await act();
  // The process of a Python model takes its time to end; when it does is told only where an unload was asked for.
  await wait(isUnload ? 2500 : 300);
  return saidOf(target, before, isUnload);
}

/** Records behind this place of the log, sorted. */
export function saidOf(target: Target, from: number, isUnload = false): readonly string[] {
  return logRecords(target.log().slice(from))
    .map(({ level, text }) => `${level} ${hideVolatile(text, target).replace(/\n+At:[^]*$/, '')}`)
    .filter((line) => ABOUT_MODELS.test(line) && !OF_THE_MACHINE.test(line))
    .filter((line) => isUnload || !line.includes('successfully unloaded'))
    .sort();
}
