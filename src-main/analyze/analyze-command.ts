// `conch analyze` without a process around it: options in, lines and files out, exit code back.

import { toServerError } from '../../src-shared/errors.ts';
import { PerfUsageError } from '../perf/options/perf-arguments.ts';
import type { AnalyzeOutput, Loudness } from './analyze-log.ts';
import { AnalyzeLog } from './analyze-log.ts';
import type { Given } from './options/given-values.ts';
import { AnalyzeUsageError, choiceIn, flagIn, scanGiven } from './options/given-values.ts';
import { GLOBAL_OPTIONS, PROFILE_OPTIONS, REPORT_OPTIONS, usage } from './options/option-table.ts';
import { profileSettings } from './options/profile-settings.ts';
import { runProfile } from './profile-command.ts';
import type { SpawnConch } from './run/analyzer-server.ts';
import { runReport } from './report-command.ts';

const EXIT = { success: 0, failure: 1, usage: 2 } as const;

/** What the command may do with the process it runs in. */
export interface AnalyzeContext extends AnalyzeOutput {
  readonly version: string;
  readonly spawn: SpawnConch;
  /** True from the first interrupt on: what is being measured is finished, nothing more is begun. */
  isStopping(): boolean;
  /** What is to be closed when the user does not want to wait for that; the last call counts. */
  onAbort(abort: () => Promise<void>): void;
}

/** Never throws. Resolves with the exit code. */
export async function runAnalyzeCommand(args: readonly string[], context: AnalyzeContext): Promise<number> {
  const at = args.findIndex((word) => ['profile', 'report', 'analyze'].includes(word));
  const command = at < 0 ? undefined : args[at];
  try {
    const global = scanGiven(at < 0 ? args : args.slice(0, at), GLOBAL_OPTIONS);
    if (flagIn(global, 'version')) {
      context.print(`${context.version}\n`);
      return EXIT.success;
    }
    if (command === undefined) {
      context.print(usage(undefined));
      return flagIn(global, 'help') ? EXIT.success : EXIT.usage;
    }
    if (command === 'analyze')
      throw new AnalyzeUsageError('the command analyze is deprecated: profile writes the summary reports');
    return await runCommand(
      command === 'profile' ? 'profile' : 'report',
      args.slice(at + 1),
      global,
      context,
    );
  } catch (thrown) {
    if (thrown instanceof AnalyzeUsageError || thrown instanceof PerfUsageError) {
      context.printError(`conch analyze: ${thrown.message}\n`);
      return EXIT.usage;
    }
    new AnalyzeLog(context, 'normal').error(toServerError(thrown).message);
    return EXIT.failure;
  }
}

async function runCommand(
  command: 'profile' | 'report',
  args: readonly string[],
  global: Given,
  context: AnalyzeContext,
): Promise<number> {
  const given = scanGiven(args, command === 'profile' ? PROFILE_OPTIONS : REPORT_OPTIONS);
  if (flagIn(given, 'help')) {
    context.print(usage(command));
    return EXIT.success;
  }
  const mode = choiceIn(global, 'mode', ['online', 'offline'], 'online');
  const log = new AnalyzeLog(context, loudnessOf(global));
  if (command === 'report') await runReport(given, { log, mode });
  else await runProfile(profileSettings(given), { ...contextParts(context), log, mode });
  return EXIT.success;
}

function contextParts({
  spawn,
  isStopping,
  onAbort,
}: AnalyzeContext): Pick<AnalyzeContext, 'spawn' | 'isStopping' | 'onAbort'> {
  return { spawn, isStopping, onAbort };
}

function loudnessOf(global: Given): Loudness {
  if (flagIn(global, 'quiet') && flagIn(global, 'verbose'))
    throw new AnalyzeUsageError('--quiet and --verbose contradict each other');
  if (flagIn(global, 'quiet')) return 'quiet';
  return flagIn(global, 'verbose') ? 'verbose' : 'normal';
}
