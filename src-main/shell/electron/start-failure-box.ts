// Why the app cannot go on, said in a window: a desktop user has no terminal to look into.

import type { BrowserWindow } from 'electron';
import { shell } from 'electron';
import { existsSync } from 'node:fs';
import path from 'node:path';

import type { Environment } from '../../options/serve-draft.ts';
import { UsageError } from '../../options/usage-error.ts';
import { parseServeOptions } from '../../cli/serve-options.ts';
import { choose } from './dialogs.ts';
import { exitCodeText } from '../../base/exit-text.ts';

const SHOW_LOG = 'Show log file';

/** What is wrong with the command line, in one or two sentences; undefined when it can be used. */
export function startFaultOf(options: readonly string[], environment: Environment): string | undefined {
  try {
    const parsed = parseServeOptions(options, environment);
    return parsed === 'help' ? 'The options are listed by: conch serve --help' : undefined;
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    const { lineBefore = '', option, message } = thrown;
    const bad = option === undefined ? '' : `The option '${option}' cannot be used.`;
    // The reference's lines begin with its own name.
    const line = lineBefore.replace(/^tritonserver: /, '');
    return [line, bad, message].filter((part) => part !== '').join(' ');
  }
}

/** Why the app could not start. */
export interface StartFailure {
  readonly exitCode: number;
  /** The reason, or the last lines of the process that ended; undefined = it said nothing. */
  readonly output: string | undefined;
  readonly userDataPath: string;
}

/** Resolves when the user has read it. */
export async function showStartFailure(
  window: BrowserWindow | undefined,
  { exitCode, output, userDataPath }: StartFailure,
): Promise<void> {
  const reason = output ?? `The server process ended with ${exitCodeText(exitCode)}.`;
  const logFile = path.join(userDataPath, 'logs', 'conch.log');
  const hasLog = userDataPath !== '' && existsSync(logFile);
  const chosen = await choose(window, {
    type: 'error',
    message: 'Conch could not start.',
    detail: hasLog ? `${reason}\n\nMore is in ${logFile}` : reason,
    buttons: hasLog ? ['Quit', SHOW_LOG] : ['Quit'],
  });
  if (chosen === SHOW_LOG) shell.showItemInFolder(logFile);
}
