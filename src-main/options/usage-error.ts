// A command line that cannot be used, with what the reference prints around the reason.

/** What a usage error says besides its reason. */
export interface UsageErrorParts {
  /** The option at fault as the message names it; undefined when no single option is. */
  readonly option?: string | undefined;
  /** A line that goes before the usage text. */
  readonly lineBefore?: string | undefined;
  /** What stands before the reason in place of the usage text: the fault was found after all options were read. */
  readonly lead?: string | undefined;
  /** A line of ours behind the reference's message. */
  readonly hint?: string | undefined;
  /** Lines of options that were read before the one at fault. */
  readonly warnings?: readonly string[] | undefined;
}

/** `message` is the reason in the words of the reference; nothing was started when it is thrown. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly option: string | undefined;
  readonly lineBefore: string | undefined;
  readonly lead: string | undefined;
  readonly hint: string | undefined;
  readonly warnings: readonly string[];

  constructor(message: string, parts: UsageErrorParts = {}) {
    super(message);
    this.option = parts.option;
    this.lineBefore = parts.lineBefore;
    this.lead = parts.lead;
    this.hint = parts.hint;
    this.warnings = parts.warnings ?? [];
  }
}
