// Says in the log what a model that was loaded does not do as configured: warnings about its configuration, and where its
// instances run when that is not where they were asked to.

import { getLogger } from '../base/log.ts';

const log = getLogger('repository');

/** Each text once for each subject, as long as the subject object lives: a model that is loaded again says it again. */
export class LoadWarnings {
  /** What was said about a polled model or a loaded one: versions and updates do not repeat it. */
  readonly #said = new WeakMap<object, Set<string>>();

  /** Writes those that the subject has not had yet. */
  say(subject: object, modelName: string, texts: readonly string[]): void {
    const said = this.#said.get(subject) ?? new Set<string>();
    this.#said.set(subject, said);
    for (const text of texts) {
      if (said.has(text)) continue;
      said.add(text);
      log.warn(text, { model: modelName });
    }
  }
}
