import { describe, expect, test } from 'vitest';
import { HistogramReader, histogramCount, histogramPercentiles } from '../metrics/latency-histogram.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { AnswerBook } from '../testing/tensors.ts';
import type { ComputeTimes } from './execution.ts';
import type { InferenceRequest } from './inference-request.ts';
import { StatisticsCollector } from './statistics-collector.ts';

function collector() {
  const clock = new FakeClock();
  const statistics = new StatisticsCollector({ name: 'M', version: '1', clock });
  const book = new AnswerBook();
  const accepted = (batchSize = 1): InferenceRequest => {
    const request = book.request();
    request.batchSize = batchSize;
    request.times.requestStartNs = clock.nowNs();
    request.times.queueStartNs = clock.nowNs() + 10;
    return request;
  };
  const times = (): ComputeTimes => {
    const startNs = clock.nowNs();
    return {
      computeStartNs: startNs + 100,
      computeInputEndNs: startNs + 103,
      computeOutputStartNs: startNs + 108,
      computeEndNs: startNs + 115,
    };
  };
  return { clock, statistics, accepted, times };
}

const duration = (count: number, ns: number) => ({ count, ns });

describe('StatisticsCollector', () => {
  test('success: durations between the stamps, inference count by rows, execution once', () => {
    const { clock, statistics, accepted, times } = collector();
    const first = accepted(3);
    const second = accepted(0);
    const stamps = times();
    clock.skip(200);
    statistics.request(first, true, stamps);
    statistics.request(second, true, stamps);
    statistics.execution(4, stamps);
    const seen = statistics.snapshot();
    expect(seen.inferenceCount).toBe(4);
    expect(seen.executionCount).toBe(1);
    expect(seen.inference).toEqual({
      success: duration(2, 400),
      fail: duration(0, 0),
      queue: duration(2, 180),
      computeInput: duration(2, 6),
      computeInfer: duration(2, 10),
      computeOutput: duration(2, 14),
      cacheHit: duration(0, 0),
      cacheMiss: duration(0, 0),
    });
    expect(seen.batches).toEqual([
      {
        batchSize: 4,
        computeInput: duration(1, 3),
        computeInfer: duration(1, 5),
        computeOutput: duration(1, 7),
      },
    ]);
    expect(seen.lastInferenceMs).toBe(clock.wallMs());
  });

  test('failures are counted by reason and never as inferences', () => {
    const { clock, statistics, accepted, times } = collector();
    const requests = [accepted(), accepted(), accepted(), accepted()];
    clock.skip(50);
    statistics.request(requests[0] as InferenceRequest, false, times());
    statistics.failed(requests[1] as InferenceRequest, 'REJECTED');
    statistics.failed(requests[2] as InferenceRequest, 'CANCELED');
    statistics.failed(requests[3] as InferenceRequest, 'OTHER');
    expect(statistics.failures).toEqual({ REJECTED: 1, CANCELED: 1, BACKEND: 1, OTHER: 1 });
    expect(statistics.snapshot()).toMatchObject({ inferenceCount: 0, executionCount: 0, lastInferenceMs: 0 });
    expect(statistics.snapshot().inference.fail).toEqual(duration(4, 200));
  });

  test('null requests leave no trace', () => {
    const { statistics, accepted, times } = collector();
    const filler = accepted();
    filler.isNull = true;
    statistics.enterPending(filler);
    expect(statistics.pendingCount).toBe(0);
    statistics.leavePending(filler);
    statistics.request(filler, true, times());
    statistics.failed(filler, 'OTHER');
    statistics.response(filler, { index: 0, kind: 'success', inferNs: 1, outputNs: 1 });
    expect(statistics.pendingCount).toBe(0);
    const { inferenceCount, responses } = statistics.snapshot();
    expect({ inferenceCount, responses }).toEqual({ inferenceCount: 0, responses: {} });
    expect(statistics.snapshot().inference.fail.count).toBe(0);
  });

  test('the pending gauge counts each request once', () => {
    const { statistics, accepted } = collector();
    const request = accepted();
    statistics.enterPending(request);
    statistics.enterPending(request);
    expect(statistics.pendingCount).toBe(1);
    statistics.leavePending(request);
    request.state = 'EXECUTING';
    statistics.leavePending(request);
    expect(statistics.pendingCount).toBe(0);
  });

  test('batch sizes come in ascending order', () => {
    const { statistics, times } = collector();
    for (const size of [8, 2, 10, 2]) statistics.execution(size, times());
    expect(statistics.snapshot().batches.map((batch) => [batch.batchSize, batch.computeInfer.count])).toEqual(
      [
        [2, 2],
        [8, 1],
        [10, 1],
      ],
    );
  });

  test('an ensemble request counts one execution with the sums of its steps', () => {
    const { clock, statistics, accepted } = collector();
    const request = accepted(4);
    clock.skip(1000);
    const sums = { queueNs: 1, computeInputNs: 20, computeInferNs: 3000, computeOutputNs: 40 };
    statistics.ensembleSucceeded(request, sums);
    const seen = statistics.snapshot();
    expect([seen.inferenceCount, seen.executionCount]).toEqual([4, 1]);
    expect(seen.inference.success).toEqual(duration(1, 1000));
    expect(seen.inference.computeInfer).toEqual(duration(1, 3000));
    expect(seen.batches[0]).toMatchObject({ batchSize: 4, computeInfer: duration(1, 3000) });
  });
});

describe('response statistics', () => {
  const zero = duration(0, 0);

  test.each([
    { kind: 'success', outputNs: 2, expected: { computeInfer: 1, computeOutput: 1, success: 1 } },
    { kind: 'fail', outputNs: 2, expected: { computeInfer: 1, computeOutput: 1, fail: 1 } },
    { kind: 'fail', outputNs: 0, expected: { computeInfer: 1, fail: 1 } },
    { kind: 'empty', outputNs: 0, expected: { computeInfer: 1, emptyResponse: 1 } },
    { kind: 'cancel', outputNs: 0, expected: { cancel: 1 } },
  ] as const)('$kind with output time $outputNs', ({ kind, outputNs, expected }) => {
    const { statistics, accepted } = collector();
    statistics.response(accepted(), { index: 0, kind, inferNs: 5, outputNs });
    const counts = Object.entries(statistics.snapshot().responses['0'] ?? {}).filter(
      ([, at]) => at.count > 0,
    );
    expect(Object.fromEntries(counts.map(([name, at]) => [name, at.count]))).toEqual(expected);
  });

  test('4, 6 and 3 responses, of which the last is empty and the two before it fail', () => {
    const { statistics, accepted } = collector();
    for (const count of [4, 6, 3]) {
      const request = accepted();
      for (let index = 0; index < count; index += 1) {
        const kind = index === count - 1 ? 'empty' : index >= count - 3 ? 'fail' : 'success';
        statistics.response(request, { index, kind, inferNs: 10, outputNs: kind === 'success' ? 1 : 0 });
      }
    }
    const { responses } = statistics.snapshot();
    expect(Object.keys(responses)).toEqual(['0', '1', '2', '3', '4', '5']);
    const table = Object.values(responses).map((at) => [
      at.success.count,
      at.fail.count,
      at.emptyResponse.count,
    ]);
    expect(table).toEqual([
      [2, 1, 0],
      [1, 2, 0],
      [1, 1, 1],
      [0, 1, 1],
      [0, 1, 0],
      [0, 0, 1],
    ]);
    expect(responses['0']?.success).toEqual(duration(2, 22));
    expect(responses['5']?.success).toEqual(zero);
  });
});

describe('latency histograms', () => {
  test('successful requests are recorded by request, queue and compute time', () => {
    const { clock, statistics, accepted, times } = collector();
    const reader = new HistogramReader(statistics.requestLatency);
    for (let ms = 1; ms <= 100; ms += 1) {
      const request = accepted();
      clock.skip(ms * 1e6);
      statistics.request(request, true, times());
    }
    const interval = reader.next();
    expect(histogramCount(interval)).toBe(100);
    const [half, most, all] = histogramPercentiles(interval, [50, 99, 100]) ?? [];
    expect(half).toBeGreaterThanOrEqual(50_000);
    expect(half).toBeLessThan(50_500);
    expect(most).toBeGreaterThanOrEqual(99_000);
    expect(most).toBeLessThan(100_000);
    expect(all).toBeGreaterThanOrEqual(100_000);
    expect(all).toBeLessThan(101_000);
    expect(histogramPercentiles(reader.next(), [50])).toBeUndefined();
    expect(histogramCount(statistics.computeLatency.total())).toBe(100);
  });
});
