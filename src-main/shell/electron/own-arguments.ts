// What the user gave the app on its command line: options of the server, files and folders to open, and what is the
// shell's own. Pure: Electron's facts are handed in.

import path from 'node:path';

import { scanArgv } from '../../base/argv-scanner.ts';
import { SERVER_OPTIONS } from '../../options/option-table.ts';
import { isForeignSwitch } from './foreign-switches.ts';

/** Starts without a window, as at log-in. */
export const HIDDEN_SWITCH = '--hidden';

/** How this process was started. */
export interface ProcessFacts {
  readonly argv: readonly string[];
  readonly isPackaged: boolean;
  /** Folder of the app, as `electron <folder>` names it. */
  readonly appPath: string;
  /** Folder that relative paths are meant from. */
  readonly workingFolder: string;
}

/** What a command line of the app says. */
export interface OwnArguments {
  /** Options of `serve`, as `--name=value` once they could be read. */
  readonly options: readonly string[];
  /** Absolute. */
  readonly paths: readonly string[];
  readonly isHidden: boolean;
}

const ownNames = SERVER_OPTIONS.map(({ name }) => name);

/** Options that cannot be read stay as they are: whoever parses them says what is wrong. */
export function ownArguments(facts: ProcessFacts): OwnArguments {
  const all = withoutApp(facts).filter((arg) => !isForeignSwitch(arg, ownNames));
  const isHidden = all.includes(HIDDEN_SWITCH);
  const own = all.filter((arg) => arg !== HIDDEN_SWITCH);
  let isReadable = true;
  const { options, positional } = scanArgv(own, SERVER_OPTIONS, () => (isReadable = false));
  if (!isReadable) return { options: own, paths: [], isHidden };
  return {
    options: options.map(({ option: { name, argument }, value }) =>
      argument === undefined ? `--${name}` : `--${name}=${value}`,
    ),
    paths: positional.map((each) => path.resolve(facts.workingFolder, each)),
    isHidden,
  };
}

/** What follows the app's folder; a packaged app has none on its command line. */
function withoutApp({ argv, isPackaged, appPath, workingFolder }: ProcessFacts): readonly string[] {
  const rest = argv.slice(1);
  if (isPackaged) return rest;
  const at = rest.findIndex(
    (arg) => !arg.startsWith('-') && path.resolve(workingFolder, arg) === path.resolve(appPath),
  );
  return at < 0 ? rest : rest.slice(at + 1);
}

/** Options of the engine: the app's mode, and a packaged app without a repository starts on its first page. */
export function engineOptions(own: readonly string[], isPackaged: boolean): readonly string[] {
  const hasRepository = own.some((arg) => /^--(model-(repository|store)|no-repository)(=|$)/.test(arg));
  return ['--ui', ...(isPackaged && !hasRepository ? ['--no-repository'] : []), ...own];
}

/** Value of `--name=value` or `--name value`, the last one wins. */
export function optionValue(args: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  args.forEach((arg, at) => {
    if (arg === `--${name}`) value = args[at + 1];
    else if (arg.startsWith(`--${name}=`)) value = arg.slice(name.length + 3);
  });
  return value;
}
