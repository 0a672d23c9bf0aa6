// Entry of the `conch` command. `serve` has the reference's own command line, `open` looks for its
// window; everything else is in cli/program.ts. Each command loads its own code: a server needs half of what there is, and
// the parent of one next to nothing.

import { endProcess } from '../hosting/end-process.ts';
import type { ServeEnd } from '../hosting/hosted-server.ts';
import { ENGINE_COMMAND } from './fork-processes.ts';
import packageJson from '../../../package.json' with { type: 'json' };

/** Ends as soon as output is written; whatever else is still open must not keep a finished command alive. */
function end(exitCode: number): void {
  process.exitCode = exitCode;
  process.stdout.write('', () => process.stderr.write('', () => process.exit()));
}

function endServing({ exitCode, isStuck }: ServeEnd): Promise<void> {
  return endProcess(exitCode, isStuck);
}

async function main(args: readonly string[]): Promise<void> {
  // A reader that went away (`conch inspect x | head`) is no reason for a stack trace.
  process.stdout.on('error', () => process.exit());
  if (args[0] === 'serve') {
    const { startServe } = await import('./serve-command.ts');
    await endServing(await startServe(args.slice(1)));
    return;
  }
  if (args[0] === ENGINE_COMMAND) {
    const { runEngineChild } = await import('./engine-child.ts');
    await endServing(await runEngineChild());
    return;
  }
  if (args[0] === 'open') {
    const { openBrowser, runOpen } = await import('./open-command.ts');
    end(
      await runOpen(args.slice(1), {
        print: (text) => process.stdout.write(text),
        printError: (text) => process.stderr.write(text),
        openBrowser,
      }),
    );
    return;
  }
  const { runCommand } = await import('../../cli/program.ts');
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  let exitCode = 0;
  await runCommand(args.length === 0 ? ['--help'] : args, {
    print: (text) => process.stdout.write(text),
    printError: (text) => process.stderr.write(text),
    setExitCode: (code) => {
      exitCode = code;
    },
    version: packageJson.version,
    signal: interrupted.signal,
  });
  end(exitCode);
}

await main(process.argv.slice(2));
