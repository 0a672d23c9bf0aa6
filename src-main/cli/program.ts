// The command line besides `serve`: one file per command in `commands/`, registered here. Commands print through the
// context, so that tests need no process. `serve` and `perf` are cut up by base/argv-scanner.ts, since they follow
// getopt_long to its error texts, which no library does; the other commands are ours alone, and Commander's.

import { Command, CommanderError } from 'commander';

import { toServerError } from '../../src-shared/errors.ts';
import type { CommandContext } from './command-context.ts';
import { runAnalyze } from './commands/analyze-command.ts';
import { registerCheck } from './commands/check-command.ts';
import { registerHandover } from './commands/handover-command.ts';
import { registerGpu } from './commands/gpu-command.ts';
import { registerInfer } from './commands/infer-command.ts';
import { registerInit } from './commands/init-command.ts';
import { registerInspect } from './commands/inspect-command.ts';
import { runPerf, runPerfGenerator } from './commands/perf-command.ts';
import { PERF_PROCESS_COMMAND } from '../perf/process/perf-messages.ts';

function createProgram(context: CommandContext): Command {
  const program = new Command('conch')
    .description('Serves models as Triton Inference Server does, with a window.')
    .version(context.version, '-V, --version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.print(text),
      writeErr: (text) => context.printError(text),
    });
  // Never parsed here: three have the reference's own rules, one belongs to the shell. They stand here for the list of commands.
  program
    .command('serve')
    .description("the server, with tritonserver's options; `conch serve --help` lists them")
    .helpOption(false);
  program
    .command('perf')
    .description("measures a model, with perf_analyzer's options; `conch perf --help` lists them")
    .helpOption(false);
  program
    .command('analyze')
    .description(
      "finds the fastest configuration, with model-analyzer's options; `conch analyze --help` lists them",
    )
    .helpOption(false);
  program
    .command('open')
    .description('prints the address of the running window and opens it in the browser')
    .helpOption(false);
  registerCheck(program, context);
  registerInspect(program, context);
  registerInit(program, context);
  registerInfer(program, context);
  registerGpu(program, context);
  registerHandover(program, context);
  return program;
}

/** Runs one command to its end. Never throws: failures become a line and exit code 1. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<void> {
  if (args[0] === 'perf') {
    await runPerf(args.slice(1), context);
    return;
  }
  if (args[0] === 'analyze') {
    await runAnalyze(args.slice(1), context);
    return;
  }
  if (args[0] === PERF_PROCESS_COMMAND) {
    await runPerfGenerator(context);
    return;
  }
  const program = createProgram(context);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      context.setExitCode(thrown.exitCode);
      return;
    }
    context.printError(`conch: ${toServerError(thrown).message}\n`);
    context.setExitCode(1);
  }
}
