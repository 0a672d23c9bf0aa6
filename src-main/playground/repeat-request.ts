// One request many times over one connection: how many went through, how long they took, what failed. The start of a
// load, not a measurement: perf runs use a process of their own.

import type { PlaygroundRequest, RepeatResult } from '../../src-shared/contract/inference-calls.ts';
import type { Clock } from '../base/clock.ts';
import type { ClientExchange } from '../client/infer-client.ts';
import type { PlaygroundSender, SendOptions } from './playground-sender.ts';

interface RepeatOptions extends SendOptions {
  readonly clock: Clock;
  readonly count: number;
  readonly concurrency: number;
}

/** Rejects with the signal's reason when aborted, and when the transport breaks. */
export async function repeatRequest(
  sender: PlaygroundSender,
  request: PlaygroundRequest,
  options: RepeatOptions,
): Promise<RepeatResult> {
  const { clock, count, concurrency } = options;
  const built = await sender.build(request);
  const connection = sender.connect(request.protocol);
  const latenciesMs: number[] = [];
  const errors = new Map<string, number>();
  let left = count;
  let last: ClientExchange | undefined;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      options.signal.throwIfAborted();
      left -= 1;
      const exchange = await connection.exchange(built, options);
      last = exchange;
      if (exchange.ok) latenciesMs.push(exchange.timing.totalMs);
      else {
        const message = exchange.error ?? '';
        errors.set(message, (errors.get(message) ?? 0) + 1);
      }
    }
  };
  const startNs = clock.nowNs();
  try {
    await Promise.all(Array.from({ length: Math.min(count, concurrency) }, worker));
  } finally {
    await connection.close();
  }
  if (last === undefined) throw new RangeError('a request is sent at least once');
  const totalMs = (clock.nowNs() - startNs) / 1e6;
  return {
    last: await sender.resultOf(last, request),
    okCount: latenciesMs.length,
    failCount: count - latenciesMs.length,
    errors: [...errors]
      .map(([message, times]) => ({ message, count: times }))
      .sort((a, b) => b.count - a.count),
    totalMs,
    perSecond: (count * 1000) / totalMs,
    latencyMs: percentiles(latenciesMs),
  };
}

function percentiles(values: number[]): RepeatResult['latencyMs'] {
  if (values.length === 0) return undefined;
  values.sort((a, b) => a - b);
  const at = (share: number): number =>
    values[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)] ?? 0;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}
