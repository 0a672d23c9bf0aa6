// Numbers in the sentences of the batch doctor.

/** Whole from 100 on, one decimal below. */
export function shortNumber(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Math.round(value * 10) / 10);
}

/** A share between 0 and 1 in whole percent. */
export function percentText(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Longest queue delay that is worth suggesting. */
const MAX_DELAY_US = 20_000;

/** Rounds up to one significant digit, at least 100 us; undefined when that is more latency than a batch is worth. */
export function niceDelayUs(us: number): number | undefined {
  if (us > MAX_DELAY_US) return undefined;
  const bounded = Math.max(us, 100);
  const magnitude = 10 ** Math.floor(Math.log10(bounded));
  return Math.ceil(bounded / magnitude) * magnitude;
}

/** A delay given in microseconds, in milliseconds from one on. */
export function delayText(us: number): string {
  return us >= 1000 ? `${shortNumber(us / 1000)} ms` : `${Math.round(us)} µs`;
}
