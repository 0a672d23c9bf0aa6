// Runs auto_complete_config of a model: in a process of its own that ends with it, or in one that its instances then
// live in.

import type { Clock } from '../../base/clock.ts';
import { getLogger } from '../../base/log.ts';
import { FROM_HOST, jsonFrame, payloadJson, TO_HOST } from './frames.ts';
import { pythonHostErrors } from './host-errors.ts';
import type { HostLane } from './host-lane.ts';
import type { HostSetup, WireLogLine } from './host-messages.ts';
import { failureOf } from './host-messages.ts';
import { HostProcess } from './host-process.ts';
import { logPrinted, writeLogLine } from './model-log.ts';
import type { PythonChoice } from './python-choice.ts';
import { StoppedWatch } from './stopped-watch.ts';

const log = getLogger('python');

/** What the model prints last is read meanwhile. */
const LEAVE_GRACE_MS = 1000;

/** How `auto_complete_config` of a model is run. */
export interface CompletionOptions {
  readonly python: PythonChoice;
  readonly setup: HostSetup;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How many instances shall have a place in the process; 0 = it ends with the completion. */
  readonly instanceCount: number;
}

/** A process with places for instances, which lives until it is closed and the last instance has left it. */
export interface KeptProcess {
  readonly process: HostProcess;
  /** Ends the hold of whoever completed; instances that live in the process keep it. */
  close(): Promise<void>;
}

/** What `auto_complete_config` gave, and the process that may run the instances. */
export interface PythonCompletion {
  /** The completed configuration as JSON; undefined when the model completes nothing. */
  readonly text: string | undefined;
  readonly kept: KeptProcess | undefined;
}

/** Rejects with INTERNAL: the Python error, or that the process ended. Nothing is left then. */
export async function completeInPython(options: CompletionOptions): Promise<PythonCompletion> {
  const { python, setup, clock, signal, instanceCount } = options;
  signal.throwIfAborted();
  const model = setup.args['model_name'] ?? '';
  const process = await HostProcess.start({
    python,
    label: model,
    clock,
    // The completion has a place beside the instances: it holds the process until they are there.
    laneCount: 1 + instanceCount,
    onLine: (stream, line) => logPrinted(stream, line, { model }),
  });
  let kept: KeptProcess | undefined;
  try {
    const { text, lane } = await complete(process, options);
    if (instanceCount > 0) kept = { process, close: () => lane.kill() };
    return { text, kept };
  } finally {
    if (instanceCount === 0) await process.leave(LEAVE_GRACE_MS);
    else if (kept === undefined) await process.kill();
  }
}

async function complete(
  process: HostProcess,
  { setup, clock, signal }: CompletionOptions,
): Promise<{ readonly text: string | undefined; readonly lane: HostLane }> {
  const model = setup.args['model_name'] ?? '';
  const completed = Promise.withResolvers<string | undefined>();
  let isAwaited = true;
  const lane = process.openLane({
    onFrame: ({ kind, payload }) => {
      if (kind === FROM_HOST.completed) {
        completed.resolve((payloadJson(payload) as { readonly config: string | null }).config ?? undefined);
      } else if (kind === FROM_HOST.failed) {
        const error = failureOf(payloadJson(payload));
        log.info(`Failed to initialize Python stub for auto-complete: ${error.message}`, { model });
        completed.reject(error);
      } else if (kind === FROM_HOST.log) {
        writeLogLine(payloadJson(payload) as WireLogLine, { model });
      }
    },
    onExit: (how) => {
      if (isAwaited) {
        log.error(`the Python process that completes the configuration of model '${model}' ended (${how})`, {
          model,
        });
      }
      completed.reject(pythonHostErrors.completeEnded({ details: { how } }));
    },
  });
  // Its end may come when nobody waits for the completion any more.
  completed.promise.catch(() => undefined);
  if (lane === undefined) throw pythonHostErrors.completeEnded();
  const onAbort = (): void => completed.reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  const watch = new StoppedWatch(
    clock,
    () => process.pid,
    () => process.fail('was stopped by a signal, and nothing let it go on'),
  );
  watch.begin();
  try {
    lane.channel.send(jsonFrame(TO_HOST.setup, setup));
    return { text: await completed.promise, lane };
  } finally {
    isAwaited = false;
    watch.close();
    signal.removeEventListener('abort', onAbort);
  }
}
