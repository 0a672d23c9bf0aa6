// Command lines of `conch serve`: what an accepted one means, and how a refused one is refused.

import type { ServeOptions } from '../cli/serve-options.ts';
import { parseServeOptions } from '../cli/serve-options.ts';
import { UsageError } from '../options/usage-error.ts';

/** The options of a command line whose arguments are separated by blanks. Throws UsageError when it is refused. */
export function parse(args: string, environment: Record<string, string> = {}): ServeOptions {
  const options = parseServeOptions(args.split(' ').filter(Boolean), environment);
  if (options === 'help') throw new Error('unexpected help');
  return options;
}

/** The parts of the UsageError that refuses `args`; throws when they are accepted. */
export function refusal(args: readonly string[]): {
  line: string | undefined;
  option: string | undefined;
  message: string;
} {
  try {
    parseServeOptions(args);
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    return { line: thrown.lineBefore, option: thrown.option, message: thrown.message };
  }
  throw new Error(`accepted: ${args.join(' ')}`);
}
