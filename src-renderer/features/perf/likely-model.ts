// Which model somebody most likely wants to measure who opens the Perf lab without having named one. Pure.

/** What is known of the models that might be meant. */
export interface ModelHints {
  /** Names of models that are ready; the choice is one of them. */
  readonly ready: readonly string[];
  /** Of the newest run; undefined = there is none. */
  readonly measured: string | undefined;
  /** Models with a tab, the one opened last at the end. */
  readonly opened: readonly string[];
  /** As it is now; 0 = nobody asks the model. */
  readonly inferPerSecond: (model: string) => number;
}

/** The one measured last, else the one opened last, else the one with the most requests, else the first. */
export function likelyModel({ ready, measured, opened, inferPerSecond }: ModelHints): string | undefined {
  const known = [...opened, measured].findLast((name) => name !== undefined && ready.includes(name));
  if (known !== undefined) return known;
  const [busiest] = ready.toSorted((a, b) => inferPerSecond(b) - inferPerSecond(a));
  return busiest;
}
