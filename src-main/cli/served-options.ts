// The options of a server on a command line, as a hand-over needs them: what the server would be told, and the texts of
// those that mean something to the reference alone.

import { scanArgv } from '../base/argv-scanner.ts';
import type { ServedOptions } from '../handover/exported-arguments.ts';
import { SERVER_OPTIONS } from '../options/option-table.ts';
import type { Environment } from '../options/serve-draft.ts';
import { UsageError } from '../options/usage-error.ts';
import { cliErrors } from './cli-errors.ts';
import type { ServeOptions } from './serve-options.ts';
import { parseServeOptions } from './serve-options.ts';

/** `folders` go before the repositories that `args` name. Throws INVALID_ARG in the words of `conch serve`. */
export function servedOptions(
  folders: readonly string[],
  args: readonly string[],
  environment: Environment,
): ServedOptions {
  const words = [...folders.map((folder) => `--model-repository=${folder}`), ...args];
  const serve = parsed(words, environment);
  return {
    engine: serve.engine,
    given: serve.given,
    untouched: untouchedTexts(args),
    variables: new Set(Object.keys(environment).filter((name) => environment[name] !== '')),
  };
}

function parsed(words: readonly string[], environment: Environment): ServeOptions {
  try {
    const serve = parseServeOptions(words, environment);
    if (serve === 'help') throw new UsageError('--help is no option of a server to hand over');
    return serve;
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    const { option, lineBefore, message } = thrown;
    const reason = [lineBefore, option, message]
      .filter((part) => part !== undefined && part !== '')
      .join(': ');
    throw cliErrors.serverOptions({ reason }, { cause: thrown });
  }
}

/** Of options that change nothing here: nothing prints them again, so they are taken as they were given. */
function untouchedTexts(args: readonly string[]): readonly string[] {
  const { options } = scanArgv(args, SERVER_OPTIONS, () => undefined);
  return options
    .filter(({ option }) => option.print === undefined && option.noEffect !== undefined)
    .map(({ option, value }) =>
      option.argument === undefined ? `--${option.name}` : `--${option.name}=${value}`,
    );
}
