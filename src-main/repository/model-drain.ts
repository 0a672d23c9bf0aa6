// The end of serving: schedulers refuse new work, what was accepted is awaited, then models are unloaded, all within
// one deadline. Log lines are those that operators know from the reference.

import type { Clock } from '../base/clock.ts';
import { getLogger } from '../base/log.ts';
import type { ModelRepository } from './model-repository.ts';

const log = getLogger('server');

/** How often counts are looked at; lines are written once a second. */
const CHECK_MS = 20;

/** Both steps of the end share one deadline. */
export interface DrainOptions {
  readonly clock: Clock;
  /** Monotonic ns; what is unfinished then is given up. */
  readonly deadlineNs: number;
}

/** True when everything accepted was answered in time. */
export async function drainModels(repository: ModelRepository, options: DrainOptions): Promise<boolean> {
  for (const { runtime } of repository.ready()) runtime.stop();
  log.info('Waiting for in-flight requests to complete.');
  return await untilNone(options, () => {
    const busy = [...repository.ready()].filter(({ runtime }) => runtime.inflightCount > 0);
    return {
      count: busy.length,
      describe: (secondsLeft) => [
        `Timeout ${secondsLeft}: Found ${busy.length} model versions that have in-flight inferences`,
        ...busy.map(
          ({ id, version, runtime }) =>
            `Model '${id.name}' (version ${version}) has ${runtime.inflightCount} in-flight inferences`,
        ),
      ],
    };
  });
}

/** True when everything was unloaded in time. */
export async function unloadAll(repository: ModelRepository, options: DrainOptions): Promise<boolean> {
  log.info('All models are stopped, unloading models');
  let isClosed = false;
  const closing = repository.close().then(() => {
    isClosed = true;
  });
  const isClean = await untilNone(options, () => {
    const { live } = repository;
    return {
      count: isClosed ? 0 : Math.max(1, live.length),
      describe: (secondsLeft) => [
        `Timeout ${secondsLeft}: Found ${live.length} live models and 0 in-flight non-inference requests`,
      ],
      details: () => live,
    };
  });
  if (isClean) await closing;
  return isClean;
}

interface Remainder {
  readonly count: number;
  readonly describe: (secondsLeft: number) => readonly string[];
  /** For the verbose log. */
  readonly details?: () => readonly string[];
}

async function untilNone({ clock, deadlineNs }: DrainOptions, remainder: () => Remainder): Promise<boolean> {
  let lastSeconds: number | undefined;
  let lastShown = '';
  for (;;) {
    const { count, describe, details } = remainder();
    const leftNs = deadlineNs - clock.nowNs();
    const secondsLeft = Math.max(0, Math.ceil(leftNs / 1e9));
    const lines = describe(secondsLeft);
    const [shown = ''] = lines;
    if (secondsLeft !== lastSeconds || (count === 0 && shown !== lastShown)) {
      for (const line of lines) log.info(line);
      for (const line of details?.() ?? []) log.verbose(1, line);
      lastShown = shown;
    }
    if (count === 0) return true;
    lastSeconds = secondsLeft;
    if (leftNs <= 0) return false;
    await clock.wait(CHECK_MS);
  }
}
