// A Python module that is not there: what most likely mends it, and the command that does. Pure.

import path from 'node:path';

import { isKnownPackage } from './known-modules.ts';

/** What to do, the likeliest first: a package, or a file that was left behind. */
export function missingModule(module: string): string {
  const file = `${module.split('.')[0] ?? module}.py`;
  const which = 'the Server screen shows which one that is';
  return isKnownPackage(module)
    ? `Install the package into the Python that runs models; ${which}. A ${file} of your own would have to be beside the code.`
    : `Put ${file} beside it if it is code of your own; if it is a package, install it into the Python that runs models; ${which}.`;
}

/** The server names the command in its own message: only the Python of the model knows which program it is. */
const INSTALL = /run `([^`]+ -m pip install [^`]+)`/;
/** The environment that such a command makes stands beside the repository, wherever the terminal is. */
const BESIDE = /(?<= )\.venv(?=[ /])/g;

/** Of the reason; undefined when it names none. `folder` is the model's, undefined = not known. */
export function installCommand(reason: string, folder: string | undefined): string | undefined {
  const command = INSTALL.exec(reason)?.[1];
  if (folder === undefined) return command;
  const beside = path.join(path.dirname(path.dirname(folder)), '.venv');
  return command?.replace(BESIDE, () =>
    /^[\w./-]+$/.test(beside) ? beside : `'${beside.replaceAll("'", "'\\''")}'`,
  );
}
