// `conch analyze`: finds the configuration of a model that is fastest, with model-analyzer's commands and options.

import { forkProgram } from '../../base/fork-program.ts';
import { runAnalyzeCommand } from '../../analyze/analyze-command.ts';
import type { CommandContext } from '../command-context.ts';

/** So many interrupts end everything at once; fewer finish what is measured, and report. */
const AT_ONCE = 3;
/** An interrupt at the terminal may come twice: from there, and passed on by the launcher of this program. */
const SAME_INTERRUPT_MS = 100;

/** Parses its own options: their rules are the reference's, not those of the other commands. */
export async function runAnalyze(args: readonly string[], context: CommandContext): Promise<void> {
  let interrupts = 0;
  let lastMs = -Infinity;
  let abort: () => Promise<void> = () => Promise.resolve();
  const onInterrupt = (): void => {
    const nowMs = performance.now();
    if (nowMs - lastMs < SAME_INTERRUPT_MS) return;
    lastMs = nowMs;
    interrupts += 1;
    if (interrupts < AT_ONCE) {
      const rest = AT_ONCE - interrupts;
      context.print(
        `[Model Analyzer] Interrupted: finishing the measurement that goes on. ${rest} more to end at once.\n`,
      );
      return;
    }
    context.print('[Model Analyzer] Interrupted three times: saving and ending.\n');
    void abort().finally(() => process.exit(1));
  };
  process.on('SIGINT', onInterrupt);
  const exitCode = await runAnalyzeCommand(args, {
    print: (text) => context.print(text),
    printError: (text) => context.printError(text),
    version: context.version,
    // Groups of their own: an interrupt at the terminal is for this process alone.
    spawn: (given, environment) =>
      forkProgram({ path: process.argv[1] ?? '', environment }, given, {
        keepsErrors: true,
        isDetached: true,
      }),
    isStopping: () => interrupts > 0,
    onAbort: (given) => {
      abort = given;
    },
  });
  process.off('SIGINT', onInterrupt);
  context.setExitCode(exitCode);
}
