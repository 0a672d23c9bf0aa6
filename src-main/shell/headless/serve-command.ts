// `conch serve`: reads the command line, says what is wrong with it in the reference's form, and chooses between the
// plain server and the supervised one with a window.

import { SERVER_OPTIONS } from '../../options/option-table.ts';
import { UsageError } from '../../options/usage-error.ts';
import type { ServeOptions } from '../../cli/serve-options.ts';
import { parseServeOptions } from '../../cli/serve-options.ts';
import { usageText } from '../../cli/usage.ts';
import type { ServeEnd } from '../hosting/hosted-server.ts';

/** What goes to standard error for a command line that cannot be used. */
export function usageErrorText(error: UsageError): string {
  const warnings = error.warnings.map((line) => `${line}\n`).join('');
  if (error.lead !== undefined) return `${warnings}${error.lead}${error.message}\n`;
  const before = error.lineBefore === undefined ? '' : `${error.lineBefore}\n`;
  const option = error.option === undefined ? '' : `Bad option: "${error.option}".\n`;
  const message = error.message === '' ? '' : `${error.message}\n`;
  const hint = error.hint === undefined ? '' : `${error.hint}\n`;
  return `${warnings}${before}${usageText(SERVER_OPTIONS)}\n${option}${message}${hint}`;
}

const REFUSED: ServeEnd = { exitCode: 1, isStuck: false };

/** Resolves when the process is to end. */
export async function startServe(args: readonly string[]): Promise<ServeEnd> {
  let options: ServeOptions | 'help';
  try {
    options = parseServeOptions(args, process.env);
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    process.stderr.write(usageErrorText(thrown));
    return REFUSED;
  }
  if (options === 'help') {
    process.stderr.write(usageText(SERVER_OPTIONS));
    return REFUSED;
  }
  for (const warning of options.warnings) console.error(warning);
  if (options.shell.ui) {
    const { serveSupervised } = await import('./serve-supervised.ts');
    return serveSupervised(args, options);
  }
  const { serveForeground } = await import('./serve-foreground.ts');
  return serveForeground(options);
}
