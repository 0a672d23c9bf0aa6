// Folders and arguments of the desktop app. Pure where it can be: Electron's facts are handed in.

import path from 'node:path';

/** Switches that belong to Electron, Chromium or Node, not to us. */
const FOREIGN =
  /^--(no-sandbox|inspect|remote-debugging|user-data-dir|enable-|disable-|ozone|in-process-gpu|lang=|force-|allow-file-access)/;

export interface ProcessFacts {
  readonly argv: readonly string[];
  readonly isPackaged: boolean;
  /** Folder of the app, as `electron <folder>` names it. */
  readonly appPath: string;
}

/** The user's own arguments: what follows the app on the command line, without the platform's switches. */
export function ownArguments(facts: ProcessFacts): readonly string[] {
  const rest = facts.argv.slice(1);
  const at = rest.findIndex(
    (arg) => !arg.startsWith('-') && path.resolve(arg) === path.resolve(facts.appPath),
  );
  const own = facts.isPackaged || at < 0 ? rest : rest.slice(at + 1);
  return own.filter((arg) => !FOREIGN.test(arg));
}

/** Arguments of the engine: the app's mode, and a packaged app without a repository starts on its first page. */
export function engineArguments(own: readonly string[], isPackaged: boolean): readonly string[] {
  const names = own.map((arg) => arg.replace(/=.*$/s, ''));
  const hasRepository = names.some((name) => /^--(model-(repository|store)|no-repository)$/.test(name));
  return ['--ui', ...(isPackaged && !hasRepository ? ['--no-repository'] : []), ...own];
}

/** Value of `--name=value` or `--name value`, the last one wins. */
export function argumentValue(args: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  args.forEach((arg, at) => {
    if (arg === `--${name}`) value = args[at + 1];
    else if (arg.startsWith(`--${name}=`)) value = arg.slice(name.length + 3);
  });
  return value;
}
