// What a shell is answered without a window: which options there are, and which version this is.

import { usageText } from '../../cli/usage.ts';
import { SERVER_OPTIONS } from '../../options/option-table.ts';
import { HIDDEN_SWITCH } from './own-arguments.ts';

const HEAD = `Usage: conch [options] [folders and .onnx files to open]
  ${HIDDEN_SWITCH}
\tStart without a window, as at log-in.

Options of the server:`;

/**
 * The answer to `--help` or `--version`; undefined when neither is asked for. `options` as typed or as read. A program of
 * Windows has no terminal to answer in.
 */
export function terminalAnswer(
  options: readonly string[],
  version: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform === 'win32') return undefined;
  if (options.includes('--help') || options.includes('-h')) return usageText(SERVER_OPTIONS, HEAD);
  return options.includes('--version') || options.includes('-V') ? `Conch ${version}\n` : undefined;
}
