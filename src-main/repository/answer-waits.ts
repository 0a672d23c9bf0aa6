// Repositories that were asked for what they hold and have not answered, and the way to stop waiting for one. A store or a mounted folder may keep a question for minutes, and the listing of models behind it.

import { repositoryErrors } from './repository-errors.ts';

/** Questions to repositories, by their paths. One that was given up is not asked until `askAgain`. */
export class AnswerWaits {
  readonly #waits = new Map<string, Set<(reason: unknown) => void>>();
  readonly #givenUp = new Set<string>();

  /** What `work` resolves with. Rejects with UNAVAILABLE when the repository is given up, now or before. */
  async of<T>(repository: string, work: () => Promise<T>): Promise<T> {
    const reason = repositoryErrors.givenUp({ path: repository });
    if (this.#givenUp.has(repository)) throw reason;
    const { promise: givenUp, reject } = Promise.withResolvers<never>();
    const waits = this.#waits.get(repository) ?? new Set();
    this.#waits.set(repository, waits.add(reject));
    const answer = work();
    answer.catch(() => undefined);
    try {
      return await Promise.race([answer, givenUp]);
    } finally {
      waits.delete(reject);
      if (waits.size === 0) this.#waits.delete(repository);
    }
  }

  /** Whoever waits for the repository goes on without it. */
  giveUp(repository: string): void {
    this.#givenUp.add(repository);
    for (const giveUp of this.#waits.get(repository) ?? [])
      giveUp(repositoryErrors.givenUp({ path: repository }));
  }

  /** Whether the repository was given up, and not asked again since. */
  isGivenUp(repository: string): boolean {
    return this.#givenUp.has(repository);
  }

  /** The next question is asked: to all repositories unless one is named. */
  askAgain(repository?: string): void {
    if (repository === undefined) this.#givenUp.clear();
    else this.#givenUp.delete(repository);
  }
}

/** Those of this process. */
export const answerWaits: AnswerWaits = new AnswerWaits();
