// What the test of an execution provider answers from its process.

/** An execution provider that the library was built with. */
export interface FoundProvider {
  readonly name: string;
  /** Its libraries are here. */
  readonly isUsable: boolean;
}

/** Whether a provider ran a small model; `message` says why not. */
export interface ProviderVerdict {
  readonly isOk: boolean;
  readonly message: string;
  /** Whether it ran on a device; undefined where the system does not tell, or nothing ran. */
  readonly usesHardware?: boolean;
}

/** What the process that tries providers tells. */
export type ProviderAnswer = ProviderVerdict | { readonly providers: readonly FoundProvider[] };
