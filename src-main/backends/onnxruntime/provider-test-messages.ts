// What the test of an execution provider answers from its worker thread.

export interface FoundProvider {
  readonly name: string;
  /** Its libraries are here. */
  readonly isUsable: boolean;
}

export interface ProviderVerdict {
  readonly isOk: boolean;
  readonly message: string;
}

export type ProviderAnswer = ProviderVerdict | { readonly providers: readonly FoundProvider[] };
