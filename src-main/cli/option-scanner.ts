// Cuts a command line into options with the rules of GNU getopt_long: long options only, `--name value` and
// `--name=value`, unambiguous prefixes, everything after `--` is positional. Knows nothing of what options mean.

import { nearestName } from '../../src-shared/config/nearest-name.ts';
import { UsageError } from '../options/option-definition.ts';

export interface ScannedName {
  readonly name: string;
  /** undefined = the option takes no value. */
  readonly argument: string | undefined;
}

export interface ScannedOption<F extends ScannedName> {
  readonly flag: F;
  readonly value: string;
}

function scannerError(line: string, hint: string | undefined): UsageError {
  return new UsageError(hint ?? '', { lineBefore: line });
}

function findFlag<F extends ScannedName>(program: string, typed: string, flags: readonly F[]): F {
  const exact = flags.find((flag) => flag.name === typed);
  if (exact !== undefined) return exact;
  const matches = flags.filter((flag) => flag.name.startsWith(typed));
  const [only] = matches;
  if (matches.length === 1 && only !== undefined) return only;
  if (matches.length > 1) {
    const names = matches.map((flag) => `'--${flag.name}'`).join(' ');
    throw scannerError(`${program}: option '--${typed}' is ambiguous; possibilities: ${names}`, undefined);
  }
  const near = nearestName(
    typed,
    flags.map((flag) => flag.name),
  );
  const hint = near === undefined ? undefined : `Did you mean '--${near}'?`;
  throw scannerError(`${program}: unrecognized option '--${typed}'`, hint);
}

/** Options in the order given, then the positional arguments. Throws UsageError at the first fault. */
export function scanOptions<F extends ScannedName>(
  program: string,
  args: readonly string[],
  flags: readonly F[],
): { readonly options: readonly ScannedOption<F>[]; readonly positional: readonly string[] } {
  const options: ScannedOption<F>[] = [];
  const positional: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      positional.push(...args.slice(at + 1));
      break;
    }
    if (!arg.startsWith('-') || arg === '-') {
      positional.push(arg);
      continue;
    }
    if (!arg.startsWith('--'))
      throw scannerError(`${program}: invalid option -- '${arg.charAt(1)}'`, undefined);
    const equals = arg.indexOf('=');
    const typed = arg.slice(2, equals < 0 ? undefined : equals);
    const flag = findFlag(program, typed, flags);
    const inline = equals < 0 ? undefined : arg.slice(equals + 1);
    if (flag.argument === undefined) {
      if (inline !== undefined) {
        throw scannerError(`${program}: option '--${flag.name}' doesn't allow an argument`, undefined);
      }
      options.push({ flag, value: '' });
      continue;
    }
    const value = inline ?? args[++at];
    if (value === undefined) {
      throw scannerError(`${program}: option '--${flag.name}' requires an argument`, undefined);
    }
    options.push({ flag, value });
  }
  return { options, positional };
}
