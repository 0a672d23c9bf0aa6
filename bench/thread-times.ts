// Processor time of the threads of this process. Linux.

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Since the thread began. `waitingNs`: ready to run, without a processor. */
export interface ThreadTime {
  readonly name: string;
  readonly busyNs: number;
  readonly waitingNs: number;
}

/** By the system's number of the thread. */
export function threadTimes(): Map<string, ThreadTime> {
  const folder = '/proc/self/task';
  return new Map(
    readdirSync(folder).map((id) => {
      const [busyNs = 0, waitingNs = 0] = readFileSync(path.join(folder, id, 'schedstat'), 'utf8')
        .split(' ')
        .map(Number);
      return [id, { name: readFileSync(path.join(folder, id, 'comm'), 'utf8').trim(), busyNs, waitingNs }];
    }),
  );
}
