// The same request many times: counts, order of faults, percentiles, and how it is stopped.

import { describe, expect, test } from 'vitest';

import type { PlaygroundRequest } from '../../src-shared/contract/inference-calls.ts';
import type { ClientExchange } from '../client/infer-client.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import type { PlaygroundSender } from './playground-sender.ts';
import { repeatRequest } from './repeat-request.ts';

interface World {
  readonly sender: PlaygroundSender;
  readonly seen: { sent: number; atOnce: number; mostAtOnce: number; closed: number };
}

/** Answers after one turn; `answer` gives time or fault of the nth exchange. */
function world(answer: (index: number) => number | string): World {
  const seen = { sent: 0, atOnce: 0, mostAtOnce: 0, closed: 0 };
  const exchange = async (): Promise<ClientExchange> => {
    const index = seen.sent++;
    seen.atOnce += 1;
    seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.atOnce);
    await Promise.resolve();
    seen.atOnce -= 1;
    const given = answer(index);
    return (typeof given === 'string'
      ? { ok: false, error: given }
      : { ok: true, timing: { totalMs: given } }) as unknown as ClientExchange;
  };
  const sender = {
    build: () => Promise.resolve({}),
    connect: () => ({
      exchange,
      close: () => {
        seen.closed += 1;
        return Promise.resolve();
      },
    }),
    resultOf: (last: ClientExchange) => Promise.resolve({ last }),
  } as unknown as PlaygroundSender;
  return { sender, seen };
}

const request = { protocol: 'http-json' } as unknown as PlaygroundRequest;

function options(count: number, concurrency: number, signal = new AbortController().signal) {
  return { clock: new FakeClock(), count, concurrency, signal, isDecoupled: false };
}

describe('a request that is repeated', () => {
  test('is sent as often as asked, with as many at once as asked', async () => {
    const { sender, seen } = world((index) => index + 1);
    const result = await repeatRequest(sender, request, options(100, 4));
    expect(seen).toEqual({ sent: 100, atOnce: 0, mostAtOnce: 4, closed: 1 });
    expect(result).toMatchObject({ okCount: 100, failCount: 0, errors: [] });
    expect(result.latencyMs).toEqual({ p50: 50, p90: 90, p99: 99, max: 100 });
  });

  test('never has more at once than there are', async () => {
    const { sender, seen } = world(() => 1);
    await repeatRequest(sender, request, options(2, 50));
    expect(seen.mostAtOnce).toBe(2);
  });

  test('counts faults by their words, the most frequent first', async () => {
    const { sender } = world((index) => (index === 0 ? 'rare' : index < 4 ? 'often' : 7));
    const result = await repeatRequest(sender, request, options(5, 1));
    expect(result.errors).toEqual([
      { message: 'often', count: 3 },
      { message: 'rare', count: 1 },
    ]);
    expect(result).toMatchObject({ okCount: 1, failCount: 4, latencyMs: { p50: 7, p90: 7, p99: 7, max: 7 } });
  });

  test('has no latencies when nothing went through', async () => {
    const { sender } = world(() => 'no');
    expect((await repeatRequest(sender, request, options(3, 1))).latencyMs).toBeUndefined();
  });

  test('stops where it is, with the reason, and closes its connection', async () => {
    const controller = new AbortController();
    const { sender, seen } = world((index) => {
      if (index === 2) controller.abort(new Error('enough'));
      return 1;
    });
    await expect(repeatRequest(sender, request, options(1000, 1, controller.signal))).rejects.toThrow(
      'enough',
    );
    expect(seen).toMatchObject({ sent: 3, closed: 1 });
  });

  test('is sent at least once', async () => {
    await expect(repeatRequest(world(() => 1).sender, request, options(0, 1))).rejects.toThrow(RangeError);
  });
});
