// How often the system ended a process for want of memory: tells a kill by the system from one by a person.

import { readFileSync } from 'node:fs';

/** Processes ended since the system started; undefined where it does not count them (anything but Linux). */
export function countMemoryKills(): number | undefined {
  let text: string;
  try {
    text = readFileSync('/proc/vmstat', 'utf8');
  } catch {
    return undefined;
  }
  const count = /^oom_kill (\d+)$/m.exec(text)?.[1];
  return count === undefined ? undefined : Number(count);
}
