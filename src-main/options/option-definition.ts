// How one command-line option is described. The scanner, the usage text and the checks all read the same table.

import type { ServeDraft } from './serve-draft.ts';

/** Groups in the order of the usage text. */
export const FLAG_GROUPS = [
  '',
  'Server',
  'Logging',
  'Model Repository',
  'HTTP',
  'GRPC',
  'Sagemaker',
  'Vertex',
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

export type FlagGroup = (typeof FLAG_GROUPS)[number];

export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  readonly group: FlagGroup;
  /** Description of the argument in the usage text; undefined = the option takes none. */
  readonly argument: string | undefined;
  readonly help: string;
  /** Stores a value; throws UsageError with the reason when it is refused. */
  readonly apply: (draft: ServeDraft, value: string) => void;
  /** Why the option changes nothing here; printed once when it is given with a value that would. */
  readonly noEffect?: string;
  /** Values that need no warning because they describe what happens anyway. */
  readonly harmless?: (value: string) => boolean;
  readonly isDeprecated?: boolean;
}

/** A command line that cannot be used. `shown` false = the scanner's own line was printed before the usage text. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The option as typed in the message, undefined when no single option is at fault. */
  readonly option: string | undefined;
  /** A line that goes before the usage text. */
  readonly lineBefore: string | undefined;

  constructor(
    message: string,
    options: { readonly option?: string | undefined; readonly lineBefore?: string | undefined } = {},
  ) {
    super(message);
    this.option = options.option;
    this.lineBefore = options.lineBefore;
  }
}
