// The phases of a finished load as people read them: "instance 1 of 2" and "instance 2 of 2" are one phase, and what is
// not worth a line is left out. A warm-up is always told, because somebody asked for it. Pure.

/** `text` is the engine’s name of the phase. */
export interface LoadPhase {
  readonly text: string;
  readonly ms: number;
}

/** Shares of the whole load below this are not worth a line. */
const WORTH_TELLING = 0.1;

/** Longest first. */
export function toldPhases(phases: readonly LoadPhase[], totalMs: number): readonly LoadPhase[] {
  const sums = new Map<string, number>();
  for (const { text, ms } of phases) {
    const name = text.replace(/ \d+ of \d+(?=$|:)/, '');
    sums.set(name, (sums.get(name) ?? 0) + ms);
  }
  return [...sums]
    .map(([text, ms]) => ({ text, ms }))
    .filter(({ text, ms }) => ms >= totalMs * WORTH_TELLING || text.startsWith('warmup'))
    .toSorted((a, b) => b.ms - a.ms);
}
