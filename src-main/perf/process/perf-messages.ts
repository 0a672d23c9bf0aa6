// What the engine and the load-generator process say to each other. Plain data only.

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfLevel, PerfProgress } from '../../../src-shared/contract/perf-views.ts';
import type { WireError } from '../../../src-shared/errors.ts';

/** First argument of the process; not a command for people. */
export const PERF_PROCESS_COMMAND = 'perf-process';

/** Messages from the engine to the load generator. */
export type ToGenerator =
  /** `requestsFile`: where every request is written to as a profile export; undefined = nowhere. */
  | {
      readonly type: 'start';
      readonly plan: PerfPlan;
      readonly requestsFile: string | undefined;
      readonly version: string;
    }
  | { readonly type: 'pause'; readonly isPaused: boolean }
  | { readonly type: 'skip' }
  | { readonly type: 'stop' }
  /** Its result has come; messages of a process that ends at once may be lost. */
  | { readonly type: 'end' };

/** Messages from the load generator to the engine. */
export type FromGenerator =
  /** Ready for `start`. */
  | { readonly type: 'ready' }
  | { readonly type: 'prepared'; readonly serverName: string }
  | { readonly type: 'progress'; readonly progress: Omit<PerfProgress, 'runId'> }
  | { readonly type: 'level'; readonly level: PerfLevel }
  | { readonly type: 'done'; readonly warnings: readonly string[] }
  | { readonly type: 'failed'; readonly error: WireError };
