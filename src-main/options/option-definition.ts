// How one option of the server is declared: its name and help, how its text becomes what the engine is told, how that is
// written back as text, and the setting of the window that stands for it. The scanner, `--help`, the Settings screen,
// imported and exported command lines and docs/options.md are all made of these declarations.

import type { SettingDefinition, SettingValue } from '../../src-shared/contract/setting-definition.ts';
import type { EngineOptions } from './engine-options.ts';
import type { ServeDraft } from './serve-draft.ts';

/** Groups in the order of the usage text. */
export const OPTION_GROUPS = [
  '',
  'Server',
  'Logging',
  'Model Repository',
  'HTTP',
  'GRPC',
  'Sagemaker',
  'Vertex',
  'OpenAI',
  'Metrics',
  'Tracing',
  'Backend',
  'Repository Agent',
  'Response Cache',
  'Rate Limiter',
  'Memory/Device Management',
  'Shared Memory',
  'Conch',
  'DEPRECATED',
] as const;

/** A heading of the usage text and of docs/options.md. */
export type OptionGroup = (typeof OPTION_GROUPS)[number];

/** A setting of the window that stands for an option, or for one key of an option that takes many. */
export interface OptionSetting {
  readonly definition: SettingDefinition;
  /**
   * For a key of an option that takes many: whether the command line, which gave `engine`, names that key. Without it
   * the setting is outranked as soon as the option is given.
   */
  readonly isGiven?: (engine: EngineOptions) => boolean;
  /** The engine's options with the setting's value in them. `given` = names of the options on the command line. */
  readonly apply: (engine: EngineOptions, value: SettingValue, given: ReadonlySet<string>) => EngineOptions;
  /**
   * Value of the setting that says the same as the option with this text; undefined = none does. `before` = what an
   * earlier option of the same command line gave.
   */
  readonly read: (text: string, before: SettingValue | undefined) => SettingValue | undefined;
}

/**
 * One option of `conch serve`, for the scanner, the usage text, the settings, the printed command and the page of
 * options.
 */
export interface OptionDefinition {
  /** Without the dashes. */
  readonly name: string;
  readonly group: OptionGroup;
  /** Description of the argument in the usage text; undefined = the option takes none. */
  readonly argument: string | undefined;
  /** What it does, in sentences; what holds without it is `standard`. */
  readonly help: string;
  /** What holds when the option is not given, as it would be typed; undefined = nothing, or the help says it. */
  readonly standard?: string;
  /** Takes the text in; throws UsageError with the reason when it is refused. */
  readonly apply: (draft: ServeDraft, text: string) => void;
  /** Texts to give to the option so that a server is told what `engine` was told; [] = what holds without it. */
  readonly print?: (engine: EngineOptions) => readonly string[];
  readonly settings?: readonly OptionSetting[];
  /** Why the option changes nothing here; printed once when it is given with a value that would. */
  readonly noEffect?: string;
  /** Values that need no warning because they describe what happens anyway. */
  readonly harmless?: (text: string) => boolean;
  /** The line printed each time a deprecated option is given. */
  readonly deprecation?: (text: string) => string;
}

/** Help as people read it: what the option does, what holds without it, and whether it does anything here. */
export function wholeHelp({ help, standard, noEffect }: OptionDefinition): string {
  return [
    help,
    standard === undefined ? '' : `Default is ${standard}.`,
    noEffect === undefined ? '' : `Accepted, without effect: ${noEffect}`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
