// Which models a name means: one, or with namespaces one in each repository that has it, those included that cannot be
// loaded. Holds nothing of its own.

import { modelErrors } from './model-errors.ts';
import type { ModelId, ModelKey } from './model-identity.ts';
import type { ModelLifecycle } from './model-lifecycle.ts';
import type { RepositoryTransactions } from './repository-transactions.ts';

/** Reads the graph and the lifecycle at each question. */
export class NamedModels {
  readonly #lifecycle: ModelLifecycle;
  readonly #transactions: RepositoryTransactions;
  readonly #hasNamespaces: boolean;

  constructor(lifecycle: ModelLifecycle, transactions: RepositoryTransactions, hasNamespaces: boolean) {
    this.#lifecycle = lifecycle;
    this.#transactions = transactions;
    this.#hasNamespaces = hasNamespaces;
  }

  /** Never empty: a name that nobody knows is that of a model without namespace. */
  ids(name: string): readonly ModelId[] {
    const { graph } = this.#transactions;
    const ids = graph.named(name).map((key) => graph.get(key)?.id ?? { namespace: '', name });
    return ids.length > 0 ? ids : [{ namespace: '', name }];
  }

  /** Those that a request may mean; throws NOT_FOUND for a name whose models were all taken away. */
  candidates(name: string): readonly ModelKey[] {
    if (!this.#hasNamespaces) return this.#lifecycle.isKnown(name) ? [name] : [];
    const current = this.#transactions.graph.named(name);
    if (current.length > 0) return current;
    for (const { id } of this.#lifecycle.models()) {
      if (id.name === name) throw modelErrors.unknownIdentifier({ name });
    }
    return [];
  }

  /** Whether several repositories have a model of this name, loaded or not. */
  isAmbiguous(name: string): boolean {
    return this.#hasNamespaces && this.#transactions.graph.named(name).length > 1;
  }
}
