import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EnsembleGraph, EnsembleTensors, type EnsembleProgress } from './ensemble-graph.ts';
import { adaptBatchDim } from './ensemble-shapes.ts';

type Step = [inputs: string[], outputs: string[]];

function graphOf(steps: Step[]): EnsembleGraph {
  const ensembling = {
    maxInflightRequests: 0,
    step: steps.map(([inputs, outputs], index) => ({
      modelName: `m${index}`,
      modelVersion: -1,
      modelNamespace: '',
      inputMap: Object.fromEntries(inputs.map((tensor, at) => [`in${at}`, tensor])),
      outputMap: Object.fromEntries(outputs.map((tensor, at) => [`out${at}`, tensor])),
    })),
  };
  return new EnsembleGraph(
    ensembling,
    steps.flatMap(([, outputs]) => outputs),
  );
}

const ready = (progress: EnsembleProgress<string>): string[] =>
  progress.ready.map(({ step, iteration }) => `${step.modelName}@${iteration}`);

describe('planning', () => {
  const diamond = graphOf([
    [['a'], ['b', 'c']],
    [['b'], ['d']],
    [['c'], ['e']],
    [['d', 'e'], ['f']],
    [['c'], ['g']],
  ]);

  test.each([
    [['f'], [0, 1, 2, 3]],
    [['g'], [0, 4]],
    [['d'], [0, 1]],
    [
      ['f', 'g'],
      [0, 1, 2, 3, 4],
    ],
  ])('for %j needs the steps %j', (outputs, steps) => {
    expect(diamond.plan(outputs).steps.map(({ index }) => index)).toEqual(steps);
  });

  test('keeps a step that does not need the ensemble input others read', () => {
    const graph = graphOf([
      [['a'], ['x']],
      [['b'], ['y']],
    ]);
    expect(graph.plan(['y']).steps.map(({ index }) => index)).toEqual([1]);
  });
});

describe('data flow', () => {
  test('starts a step as soon as its own inputs are there', () => {
    const graph = graphOf([
      [['a'], ['x']],
      [['b'], ['y']],
      [['x', 'y'], ['z']],
    ]);
    const tensors = new EnsembleTensors<string>(graph.plan(['z']));
    expect(
      ready(
        tensors.put(0, [
          ['a', 'A'],
          ['b', 'B'],
        ]),
      ),
    ).toEqual(['m0@0', 'm1@0']);
    expect(ready(tensors.put(0, [['x', 'X']]))).toEqual([]);
    const last = tensors.put(0, [['y', 'Y']]);
    expect(ready(last)).toEqual(['m2@0']);
    expect(last.ready[0]?.inputs).toEqual([
      { modelTensor: 'in0', value: 'X' },
      { modelTensor: 'in1', value: 'Y' },
    ]);
    expect(tensors.put(0, [['z', 'Z']]).outputs).toEqual([{ ensembleTensor: 'z', value: 'Z' }]);
  });

  test('joins branches of a decoupled step by iteration, whatever order they finish in', () => {
    const graph = graphOf([
      [['a'], ['x', 'y']],
      [['x'], ['p']],
      [['p', 'y'], ['z']],
    ]);
    const tensors = new EnsembleTensors<string>(graph.plan(['z']));
    tensors.put(0, [['a', 'A']]);
    expect(
      ready(
        tensors.put(0, [
          ['x', 'x0'],
          ['y', 'y0'],
        ]),
      ),
    ).toEqual(['m1@0']);
    expect(
      ready(
        tensors.put(1, [
          ['x', 'x1'],
          ['y', 'y1'],
        ]),
      ),
    ).toEqual(['m1@1']);
    const second = tensors.put(1, [['p', 'p1']]);
    expect(second.ready[0]?.inputs.map(({ value }) => value)).toEqual(['p1', 'y1']);
    const first = tensors.put(0, [['p', 'p0']]);
    expect(first.ready[0]?.inputs.map(({ value }) => value)).toEqual(['p0', 'y0']);
  });

  test('a left-out tensor makes its readers ready', () => {
    const graph = graphOf([[['a', 'b'], ['x']]]);
    const tensors = new EnsembleTensors<string>(graph.plan(['x']));
    const progress = tensors.put(0, [
      ['a', 'A'],
      ['b', undefined],
    ]);
    expect(progress.ready[0]?.inputs.map(({ value }) => value)).toEqual(['A', undefined]);
  });

  test('drops a value with its last reader and keeps one that is also an output', () => {
    const graph = graphOf([
      [['a'], ['x']],
      [['x'], ['y']],
    ]);
    const tensors = new EnsembleTensors<string>(graph.plan(['x', 'y']));
    tensors.put(0, [['a', 'A']]);
    expect(tensors.heldCount).toBe(0);
    tensors.put(0, [['x', 'X']]);
    expect(tensors.heldCount).toBe(1);
    const last = tensors.put(0, [['y', 'Y']]);
    expect(last.outputs?.map(({ value }) => value)).toEqual(['Y', 'X']);
    expect(tensors.heldCount).toBe(0);
  });

  test('reads an ensemble tensor given to two inputs of one step once', () => {
    const graph = graphOf([[['a', 'a'], ['x']]]);
    const tensors = new EnsembleTensors<string>(graph.plan(['x']));
    const progress = tensors.put(0, [['a', 'A']]);
    expect(progress.ready[0]?.inputs.map(({ value }) => value)).toEqual(['A', 'A']);
    expect(tensors.heldCount).toBe(0);
  });

  test('runs every needed step of a random graph once and completes the outputs', () => {
    const arbitrary = fc.array(fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(arbitrary, fc.infiniteStream(fc.nat(50)), (reads, order) => {
        // Step k reads among t0..tk and writes t(k+1): acyclic by construction.
        const steps = reads.map((inputs, k): Step => [
          [...new Set(inputs.map((n) => `t${n % (k + 1)}`))],
          [`t${k + 1}`],
        ]);
        const output = `t${steps.length}`;
        const plan = graphOf(steps).plan([output]);
        const tensors = new EnsembleTensors<string>(plan);
        const open = [...tensors.put(0, [['t0', 'v']]).ready];
        const ran: number[] = [];
        let responses = 0;
        while (open.length > 0) {
          const [next] = open.splice((order.next().value ?? 0) % open.length, 1);
          if (next === undefined) break;
          ran.push(next.step.index);
          const progress = tensors.put(
            0,
            next.step.outputs.map(({ ensembleTensor }) => [ensembleTensor, 'v'] as const),
          );
          open.push(...progress.ready);
          if (progress.outputs !== undefined) responses += 1;
        }
        expect(ran.sort((a, b) => a - b)).toEqual(plan.steps.map(({ index }) => index));
        expect(responses).toBe(1);
        expect(tensors.heldCount).toBe(0);
      }),
    );
  });
});

describe('batch dimension between steps', () => {
  const batching = (dims: number[]) => ({ batches: true, dims });
  const plain = (dims: number[]) => ({ batches: false, dims });
  test.each([
    ['adds 1 for a batching consumer', { shape: [16], batchSize: 0 }, batching([16]), [1, 16]],
    ['takes the first dim as batch', { shape: [4, 16], batchSize: 0 }, batching([16]), [4, 16]],
    ['keeps a full shape the consumer wants', { shape: [4, 16], batchSize: 4 }, plain([-1, 16]), [4, 16]],
    ['strips a batch of 1', { shape: [1, 16], batchSize: 1 }, plain([16]), [16]],
    ['leaves a larger batch to fail', { shape: [2, 16], batchSize: 2 }, plain([16]), [2, 16]],
    ['leaves both batching alone', { shape: [2, 16], batchSize: 2 }, batching([16]), [2, 16]],
    ['leaves neither batching alone', { shape: [16], batchSize: 0 }, plain([16]), [16]],
  ])('%s', (_name, tensor, consumer, expected) => {
    expect(adaptBatchDim(tensor, consumer)).toEqual(expected);
  });
});
