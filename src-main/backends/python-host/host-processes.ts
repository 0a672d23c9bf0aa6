// The processes of a model version whose instances run in one process together, to share what they can there: the
// program, the framework, weights. When that process ends, all of its instances have ended; the first one that starts
// again starts the next process, and the others join it.

import type { HostLane, LaneListener } from './host-lane.ts';
import { HostProcess } from './host-process.ts';
import type { HostProcessOptions } from './host-process.ts';

/**
 * Starts nothing before the first `open`, and one process at a time however many ask. `started`: one that has places
 * already.
 */
export class HostProcesses {
  readonly #options: HostProcessOptions;
  #newest: Promise<HostProcess> | undefined;

  constructor(options: HostProcessOptions, started?: HostProcess) {
    this.#options = options;
    this.#newest = started && Promise.resolve(started);
  }

  /** A place for an instance. Rejects when the system cannot start the program. */
  async open(listener: LaneListener): Promise<HostLane> {
    for (;;) {
      const starting = (this.#newest ??= HostProcess.start(this.#options));
      try {
        const lane = (await starting).openLane(listener);
        if (lane !== undefined) return lane;
      } catch (thrown) {
        if (this.#newest === starting) this.#newest = undefined;
        throw thrown;
      }
      // Full, or gone: whoever saw it first starts the next one.
      if (this.#newest === starting) this.#newest = undefined;
    }
  }
}
