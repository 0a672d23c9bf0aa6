// What the test of an execution provider answers from its process.

export interface FoundProvider {
  readonly name: string;
  /** Its libraries are here. */
  readonly isUsable: boolean;
}

export interface ProviderVerdict {
  readonly isOk: boolean;
  readonly message: string;
  /** Whether it ran on a device; undefined where the system does not tell, or nothing ran. */
  readonly usesHardware?: boolean;
}

export type ProviderAnswer = ProviderVerdict | { readonly providers: readonly FoundProvider[] };
