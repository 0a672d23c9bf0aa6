// What the latencies of warm-up runs say in one sentence, and how many runs the configuration should ask for. Pure.

/** An iteration within this factor of the settled latency counts as settled. */
const SETTLED = 1.25;
/** And so does one that has lost all but this share of what the first run took more. */
const LEFT = 0.05;
/** Runs further apart than this have no typical latency, unless all of them are short. */
const UNSTEADY = 3;
const NOTICEABLE_MS = 0.5;

/**
 * What the latencies of one instance say, in milliseconds and in their order. "Settled" needs the second half to lie
 * close together; the first run is called slow only when it is. A peak that the chart shows, of the `others` too, is in
 * the sentence.
 */
export function warmupSummary(
  curve: readonly number[],
  others: readonly (readonly number[])[] = [],
): {
  readonly sentence: string;
  readonly suggestedCount: number;
} {
  const first = curve[0] ?? 0;
  const tail = [...curve.slice(Math.floor(curve.length / 2))].sort((a, b) => a - b);
  const typical = tail[Math.floor(tail.length / 2)] ?? first;
  const fastest = tail[Math.floor(tail.length * 0.1)] ?? typical;
  const slowest = tail[Math.ceil(tail.length * 0.9) - 1] ?? typical;
  const enough = Math.max(typical * SETTLED, typical + (first - typical) * LEFT);
  const settledAt = curve.findIndex((ms) => ms <= enough);
  const suggestedCount = Math.max(1, settledAt);
  const beside = others.flatMap((other) => other.slice(1));
  if (slowest > fastest * UNSTEADY && slowest - fastest > NOTICEABLE_MS) {
    const later = [...curve.slice(1), ...beside];
    const [least, most] = [Math.min(...later), Math.max(...later)];
    return {
      sentence: `First ${shown(first)}; later runs went from ${shown(least)} to ${shown(most)} and did not settle. Run it again when the machine is quiet.`,
      suggestedCount: 1,
    };
  }
  const peak = Math.max(0, ...curve.slice(Math.max(settledAt, 1)), ...beside);
  const isPeak = peak > typical * UNSTEADY && peak - typical > NOTICEABLE_MS;
  const atMost = isPeak ? `, one of ${shown(peak)}` : '';
  if (settledAt <= 0) {
    return {
      sentence: `First ${shown(first)}, later ${shown(typical)}${atMost}: this instance is warm already. Reload the model to see its first run cold.`,
      suggestedCount,
    };
  }
  const after = `${settledAt} ${settledAt === 1 ? 'run' : 'runs'}`;
  return {
    sentence: `First ${shown(first)}, steady ${shown(typical)} after ${after}${atMost}: set count: ${suggestedCount}.`,
    suggestedCount,
  };
}

function shown(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1000)} µs`;
  return `${ms >= 100 ? Math.round(ms) : ms.toFixed(1)} ms`;
}
