// The load generator's process: takes one plan, measures, reports, ends.

import { writeFile } from 'node:fs/promises';

import { errorToWire } from '../../../src-shared/errors.ts';
import { systemClock } from '../../base/clock.ts';
import type { ParentChannel } from '../../base/parent-channel.ts';
import { parentChannel } from '../../base/parent-channel.ts';
import { RunControl } from '../measure/run-control.ts';
import { runSession } from '../perf-session.ts';
import { profileExport } from '../report/profile-export.ts';
import type { FromGenerator, ToGenerator } from './perf-messages.ts';
import { ProgressReporter } from './progress-reporter.ts';

/** Whoever started this process says that it has the result; without that it ends by itself. */
const DISMISSED_WITHIN_MS = 10_000;

/** As text a few times that; larger files would be more than a page can take. */
const EXPORT_LIMITS = { requestCount: 100_000, responseBytes: 64 * 1024 * 1024 };

/** Resolves with the exit code once the plan is done or the process above is gone. */
export async function runPerfProcess(channel: ParentChannel | undefined = parentChannel()): Promise<number> {
  if (channel === undefined) return 1;
  const send = (message: FromGenerator): void => channel.send(message);
  const control = new RunControl();
  const { promise: begun, resolve: begin } = Promise.withResolvers<ToGenerator | undefined>();
  const { promise: dismissed, resolve: dismiss } = Promise.withResolvers<void>();
  channel.onClose(() => {
    control.stop();
    begin(undefined);
    dismiss();
  });
  channel.onMessage((message) => {
    const received = message as ToGenerator;
    if (received.type === 'start') begin(received);
    else if (received.type === 'pause') control.pause(received.isPaused);
    else if (received.type === 'skip') control.skip();
    else if (received.type === 'end') dismiss();
    else control.stop();
  });
  send({ type: 'ready' });
  const first = await begun;
  if (first?.type !== 'start') return 0;
  const reporter = new ProgressReporter({
    plan: first.plan,
    clock: systemClock,
    send: (progress) => send({ type: 'progress', progress }),
    onPrepared: (serverName) => send({ type: 'prepared', serverName }),
    onLevel: (level) => send({ type: 'level', level }),
  });
  try {
    const { plan, requestsFile, version } = first;
    const session = await runSession({
      plan,
      clock: systemClock,
      control,
      events: reporter,
      isExporting: requestsFile !== undefined,
      exportLimits: EXPORT_LIMITS,
      stopsWhenBad: false,
    });
    if (requestsFile !== undefined) await writeFile(requestsFile, profileExport(plan, session, version).text);
    send({ type: 'done', warnings: session.warnings });
    return 0;
  } catch (thrown) {
    send({ type: 'failed', error: errorToWire(thrown) });
    return 1;
  } finally {
    reporter.close();
    const limit = systemClock.after(DISMISSED_WITHIN_MS, dismiss);
    await dismissed;
    limit.cancel();
  }
}
