// Runs auto_complete_config of a model in a process of its own, which ends with it.

import type { Clock } from '../../base/clock.ts';
import { getLogger } from '../../base/log.ts';
import { FROM_HOST, jsonFrame, payloadJson, TO_HOST } from './frames.ts';
import { pythonHostErrors } from './host-errors.ts';
import type { HostSetup, WireLogLine } from './host-messages.ts';
import { failureOf } from './host-messages.ts';
import { HostProcess } from './host-process.ts';
import { logPrinted, writeLogLine } from './model-log.ts';
import type { PythonChoice } from './python-choice.ts';

const log = getLogger('python');

/** What the model prints last is read meanwhile. */
const LEAVE_GRACE_MS = 1000;

/**
 * The completed configuration as JSON text; undefined when the model completes nothing. Rejects with INTERNAL: the
 * Python error, or that the process ended.
 */
export async function completeInPython(options: {
  readonly python: PythonChoice;
  readonly setup: HostSetup;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<string | undefined> {
  const { python, setup, clock, signal } = options;
  signal.throwIfAborted();
  const model = setup.args['model_name'] ?? '';
  const completed = Promise.withResolvers<string | undefined>();
  const host = await HostProcess.start({
    python,
    label: model,
    clock,
    laneCount: 1,
    onLine: (stream, line) => logPrinted(stream, line, { model }),
  });
  const lane = host.openLane({
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
    onExit: (how) => completed.reject(pythonHostErrors.completeEnded({ details: { how } })),
  });
  const onAbort = (): void => completed.reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (lane === undefined) throw pythonHostErrors.completeEnded();
    lane.channel.send(jsonFrame(TO_HOST.setup, setup));
    return await completed.promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await host.leave(LEAVE_GRACE_MS);
  }
}
