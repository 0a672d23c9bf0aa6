// Where the models of all repositories lie, without waiting for one that does not answer: what the others hold comes at
// once, and a late answer is told and kept until it is asked for.

import type { Clock } from '../../base/clock.ts';
import { settledBefore } from '../../base/deadline.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
import type { FolderLocation } from '../../repository/repository-scanner.ts';

type Located = Awaited<ReturnType<ModelRepository['folders']['locate']>>;

/** Repositories that answered, and those that have not. */
export interface Listed extends Located {
  /** When each of those was asked, ms since the epoch. */
  readonly waiting: ReadonlyMap<string, number>;
}

interface Question {
  readonly sinceMs: number;
  readonly answer: Promise<Located>;
  isLate: boolean;
}

interface PatientListingsOptions {
  readonly clock: Clock;
  /** Does not reject. */
  readonly ask: (root: string) => Promise<Located>;
  /** A repository answered after it was waited for in vain; the next `locate` has its answer. */
  readonly onLate: () => void;
}

/** How long the list of the others waits for one repository. */
const PATIENCE_NS = 1e9;

/** One for each catalog. A repository has one open question at most. */
export class PatientListings {
  readonly #options: PatientListingsOptions;
  readonly #questions = new Map<string, Question>();

  constructor(options: PatientListingsOptions) {
    this.#options = options;
  }

  /** Folders in the order of `roots`. */
  async locate(roots: readonly string[]): Promise<Listed> {
    const locations: FolderLocation[] = [];
    const unreadable = new Map<string, string>();
    const waiting = new Map<string, number>();
    const answers = await Promise.all(roots.map((root) => this.#answer(root)));
    for (const [at, root] of roots.entries()) {
      const answer = answers[at];
      const question = this.#questions.get(root);
      if (answer === undefined && question !== undefined) waiting.set(root, question.sinceMs);
      locations.push(...(answer?.locations ?? []));
      for (const [path, reason] of answer?.unreadable ?? []) unreadable.set(path, reason);
    }
    return { locations, unreadable, waiting };
  }

  /** undefined when there is none in time. */
  async #answer(root: string): Promise<Located | undefined> {
    const { clock, ask, onLate } = this.#options;
    let question = this.#questions.get(root);
    if (question === undefined) {
      question = { sinceMs: clock.wallMs(), answer: ask(root), isLate: false };
      this.#questions.set(root, question);
    }
    const answer = await settledBefore(clock, clock.nowNs() + PATIENCE_NS, question.answer);
    if (answer !== undefined) this.#questions.delete(root);
    else if (!question.isLate) {
      question.isLate = true;
      void question.answer.then(onLate);
    }
    return answer;
  }
}

/** Folders below `roots`: as listed, and as they were known of a repository that is waited for. */
export function locationsOf(
  { locations, waiting }: Listed,
  roots: readonly string[],
  known: Iterable<{ readonly location: FolderLocation }>,
): readonly FolderLocation[] {
  const kept = [...known].flatMap(({ location }) => (waiting.has(location.repository) ? [location] : []));
  return [...locations, ...kept].filter(({ repository }) => roots.includes(repository));
}
