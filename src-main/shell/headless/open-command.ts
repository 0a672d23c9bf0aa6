// `conch open`: prints the address of the window that runs for this user, token included, and opens it in the browser.

import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

import { userDataFolder } from '../hosting/user-data.ts';
import { readWindowAddress } from './window-files.ts';

const ANSWER_TIMEOUT_MS = 3000;

const USAGE = `Usage: conch open [options]

Prints the address of the window of the running server and opens it in the browser.

Options:
  --print             only print the address
  --user-data=FOLDER  the folder that the server was started with, if it was given one
  -h, --help          show this text
`;

const NOT_RUNNING =
  'conch: no server with a window is running for this user; start one with: conch serve --ui --model-repository=FOLDER\n';

interface OpenOutput {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  readonly openBrowser: (address: string) => void;
}

/** Opens the system's browser; that there is none is no failure. */
export function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const child = spawn(command ?? '', args, { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}

/** Whether a server of ours answers at `address` and takes its token. */
async function isServed(address: string): Promise<boolean> {
  try {
    const url = new URL(address);
    const headers = { authorization: `Bearer ${url.searchParams.get('token') ?? ''}` };
    const answer = await fetch(new URL('/session', url), {
      headers,
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    return answer.status === 204;
  } catch {
    return false;
  }
}

function readArguments(args: readonly string[]): {
  readonly print?: boolean;
  readonly 'user-data'?: string;
  readonly help?: boolean;
} {
  return parseArgs({
    args: [...args],
    options: {
      print: { type: 'boolean' },
      'user-data': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values;
}

/** Returns the exit code: 0 when a window is there, 1 when there is none or the arguments are wrong. */
export async function runOpen(args: readonly string[], output: OpenOutput): Promise<number> {
  let values: ReturnType<typeof readArguments>;
  try {
    values = readArguments(args);
  } catch (thrown) {
    output.printError(`conch: ${thrown instanceof Error ? thrown.message : String(thrown)}\n\n${USAGE}`);
    return 1;
  }
  if (values.help === true) {
    output.print(USAGE);
    return 0;
  }
  const address = await readWindowAddress(userDataFolder(values['user-data'], process.env));
  if (address === undefined || !(await isServed(address))) {
    output.printError(NOT_RUNNING);
    return 1;
  }
  output.print(`${address}\n`);
  if (values.print !== true) output.openBrowser(address);
  return 0;
}
