// The steps of an ensemble: which run, when, and with what; how they are counted and cached, and how they end.

import { describe, expect, test } from 'vitest';
import type { InferenceRequest } from '../inference/inference-request.ts';
import { EnsembleWorld, inputs, outputs, step } from '../testing/ensemble-world.ts';
import type { FakeScript } from '../testing/fake-backend.ts';
import { LocalResponseCache } from './response-cache.ts';
import { adds, ask, executions, firstValue, int32Output } from '../testing/ensemble-sums.ts';

describe('steps', () => {
  test('run in a chain, whatever their order in the configuration', async () => {
    const world = new EnsembleWorld();
    await world.model('a', { script: adds(1) });
    await world.model('b', { script: adds(10) });
    const ensemble = await world.ensemble('E', [
      step('b', { IN: 'x' }, { OUT: 'OUT' }),
      step('a', { IN: 'IN' }, { OUT: 'x' }),
    ]);
    const answer = ask(ensemble, 5);
    await world.clock.advance(1);
    expect(firstValue(answer)).toBe(16);
    expect([answer.finalCount, answer.releaseCount, world.useCount]).toEqual([1, 1, 0]);
  });

  test('start as soon as their own inputs are there, in parallel', async () => {
    const world = new EnsembleWorld();
    await world.model('slow', { script: adds(0, 100) });
    await world.model('quick', { script: adds(0, 10) });
    await world.model('late', { script: adds(0, 50) });
    await world.model('sum', { config: { input: inputs('A', 'B') }, script: adds(0) });
    const ensemble = await world.ensemble('E', [
      step('slow', { IN: 'IN' }, { OUT: 'x' }),
      step('quick', { IN: 'IN' }, { OUT: 'y' }),
      step('late', { IN: 'y' }, { OUT: 'z' }),
      step('sum', { A: 'x', B: 'z' }, { OUT: 'OUT' }),
    ]);
    const answer = ask(ensemble, 3);
    await world.clock.advance(99);
    expect(answer.isDone).toBe(false);
    await world.clock.advance(1);
    expect(firstValue(answer)).toBe(6);
    const [run] = ensemble.scheduler.recentRuns?.() ?? [];
    const times = run?.steps.map(({ modelName, startNs, durationNs }) => [
      modelName,
      startNs / 1e6,
      durationNs / 1e6,
    ]);
    expect(times).toEqual([
      ['quick', 0, 10],
      ['late', 10, 50],
      ['slow', 0, 100],
      ['sum', 100, 0],
    ]);
  });

  test('that feed only outputs nobody asked for do not run', async () => {
    const world = new EnsembleWorld();
    await world.model('a', { script: adds(1) });
    await world.model('b', { script: adds(2) });
    const ensemble = await world.ensemble(
      'E',
      [step('a', { IN: 'IN' }, { OUT: 'OUT_A' }), step('b', { IN: 'IN' }, { OUT: 'OUT_B' })],
      { output: outputs('OUT_A', 'OUT_B') },
    );
    const answer = ask(ensemble, 1, { requestedOutputs: ['OUT_B'] });
    await world.clock.advance(1);
    expect(answer.responses[0]?.outputs.map(({ name }) => name)).toEqual(['OUT_B']);
    expect(executions(world)).toEqual({ a: 0, b: 1, E: 1 });
  });

  test('take the version they name, or the newest', async () => {
    const world = new EnsembleWorld();
    await world.model('a', { version: '3', script: adds(0) });
    const seen: string[] = [];
    const script: FakeScript = {
      compute: (request) => {
        seen.push(`${request.requestedVersion} ${request.actualVersion}`);
        return [int32Output('OUT', [1], [0])];
      },
    };
    await world.model('b', { version: '7', script });
    const ensemble = await world.ensemble('E', [
      step('a', { IN: 'IN' }, { OUT: 'x' }, -1),
      step('b', { IN: 'x' }, { OUT: 'OUT' }, 7),
    ]);
    const answer = ask(ensemble, 1);
    await world.clock.advance(1);
    expect(answer.outcome).toBe('ok');
    expect(seen).toEqual(['7 7']);
    const steps = ensemble.scheduler.recentRuns?.()[0]?.steps ?? [];
    expect(steps.map(({ modelName, modelVersion }) => `${modelName} ${modelVersion}`)).toEqual([
      'a 3',
      'b 7',
    ]);
  });

  test('inherit id, priority, timeout and parameters, and pass tensors on uncopied', async () => {
    const world = new EnsembleWorld();
    const seen: InferenceRequest[] = [];
    const script: FakeScript = {
      compute: (request) => {
        seen.push(request);
        return [int32Output('OUT', [1], [1])];
      },
    };
    await world.model('a', { script });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT' })]);
    const answer = ask(ensemble, 1, {
      id: 'mine',
      priority: 5n,
      timeoutUs: 77,
      parameters: new Map([['key', 'text']]),
    });
    await world.clock.advance(1);
    const [request] = seen;
    expect(request).toMatchObject({ id: 'mine', timeoutUs: 77, requestedOutputs: ['OUT'] });
    expect(request?.parameters.get('key')).toBe('text');
    expect(request?.inputs[0]?.bytes).toBe(answer.request.inputs[0]?.bytes);
  });

  test('may be ensembles, whose errors nest their prefixes', async () => {
    const world = new EnsembleWorld();
    await world.model('a', { script: adds(1) });
    await world.ensemble('inner', [step('a', { IN: 'IN' }, { OUT: 'OUT' })]);
    const outer = await world.ensemble('outer', [step('inner', { IN: 'IN' }, { OUT: 'OUT' })]);
    const good = ask(outer, 1);
    await world.clock.advance(1);
    expect(firstValue(good)).toBe(2);
    world.models.delete('a');
    const bad = ask(outer, 1);
    await world.clock.advance(1);
    expect(bad.error).toMatchObject({
      code: 'NOT_FOUND',
      message: `in ensemble 'outer', in ensemble 'inner', Request for unknown model: 'a' is not found`,
    });
    expect(world.useCount).toBe(0);
  });
});

describe('statistics and cache', () => {
  test('compute times are the sum over the steps', async () => {
    const world = new EnsembleWorld();
    await world.model('a', { script: adds(0, 100) });
    await world.model('b', { script: adds(0, 100) });
    await world.ensemble('inner', [step('b', { IN: 'IN' }, { OUT: 'OUT' })]);
    const ensemble = await world.ensemble(
      'E',
      [step('a', { IN: 'IN' }, { OUT: 'x' }), step('inner', { IN: 'IN' }, { OUT: 'y' })],
      { output: outputs('x', 'y') },
    );
    ask(ensemble, 1);
    await world.clock.advance(100);
    const { inference, inferenceCount, executionCount } = ensemble.statistics.snapshot();
    expect(inference.computeInfer).toEqual({ count: 1, ns: 200e6 });
    expect(inference.success).toEqual({ count: 1, ns: 100e6 });
    expect([inferenceCount, executionCount, ensemble.statistics.pendingCount]).toEqual([1, 1, 0]);
  });

  test('a hit answers without running steps', async () => {
    const world = new EnsembleWorld();
    await world.model('a', { script: adds(1) });
    const cache = new LocalResponseCache({ byteSize: 1e6, clock: world.clock });
    const ensemble = await world.ensemble(
      'E',
      [step('a', { IN: 'IN' }, { OUT: 'OUT' })],
      { responseCache: { enable: true } },
      { cache },
    );
    const answers = [ask(ensemble, 1)];
    await world.clock.advance(1);
    answers.push(ask(ensemble, 1));
    await world.clock.advance(1);
    expect(answers.map((answer) => firstValue(answer))).toEqual([2, 2]);
    expect(executions(world)).toEqual({ a: 1, E: 1 });
    const { inference } = ensemble.statistics.snapshot();
    expect([inference.cacheHit.count, inference.cacheMiss.count, inference.success.count]).toEqual([1, 1, 2]);
  });
});

test('closing cancels what runs and waits for it', async () => {
  const world = new EnsembleWorld();
  await world.model('a', { script: adds(0, 100) });
  await world.model('b', { script: adds(0) });
  const ensemble = await world.ensemble('E', [
    step('a', { IN: 'IN' }, { OUT: 'x' }),
    step('b', { IN: 'x' }, { OUT: 'OUT' }),
  ]);
  const answer = ask(ensemble, 1);
  const closing = ensemble.scheduler.close();
  await world.clock.advance(100);
  await closing;
  expect(answer.outcome).toBe('CANCELLED');
  expect([ensemble.scheduler.inflightCount, world.useCount]).toEqual([0, 0]);
});
