// `conch perf`: measures a model of a server, with perf_analyzer's options, report and exit codes.

import { runPerfCommand } from '../../perf/perf-command.ts';
import { runPerfProcess } from '../../perf/process/perf-process.ts';
import type { CommandContext } from '../command-context.ts';

/** Parses its own options: their rules are the reference's, not those of the other commands. */
export async function runPerf(args: readonly string[], context: CommandContext): Promise<void> {
  const isTerminal = process.stderr.isTTY;
  // The first interrupt ends the measurement, the second the process.
  context.signal.addEventListener('abort', () => process.once('SIGINT', () => process.exit(0)), {
    once: true,
  });
  const exitCode = await runPerfCommand(args, {
    print: (text) => context.print(text),
    printError: (text) => context.printError(text),
    status: (text) => {
      if (isTerminal) process.stderr.write(`\r\u001b[K${text}`);
    },
    version: context.version,
    signal: context.signal,
  });
  context.setExitCode(exitCode);
}

/** The load generator of an engine, which talks to it over the message channel. */
export async function runPerfGenerator(context: CommandContext): Promise<void> {
  context.setExitCode(await runPerfProcess());
}
