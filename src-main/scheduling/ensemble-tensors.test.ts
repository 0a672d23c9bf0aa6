// The tensors of an ensemble: those that may be left out, and the batch dimension between ensemble and step.

import { describe, expect, test } from 'vitest';
import { EnsembleWorld, inputs, outputs, step } from '../testing/ensemble-world.ts';
import { inputConfig, int32Input, outputConfig } from '../testing/tensors.ts';
import { adds, ask, firstValue, int32Output } from '../testing/ensemble-sums.ts';

describe('optional tensors', () => {
  test('an output the composing model leaves out is left out of the response', async () => {
    const world = new EnsembleWorld();
    await world.model('a', {
      config: { output: outputs('OUT', 'EXTRA') },
      script: { compute: () => [int32Output('OUT', [1], [4])] },
    });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT', EXTRA: 'EXTRA' })], {
      output: outputs('OUT', 'EXTRA'),
    });
    const answer = ask(ensemble, 1);
    await world.clock.advance(1);
    expect(answer.responses[0]?.outputs.map(({ name }) => name)).toEqual(['OUT']);
    expect(answer.outcome).toBe('ok');
  });

  test('an omitted ensemble input is not given to its readers', async () => {
    const world = new EnsembleWorld();
    const optional = [inputConfig({ name: 'IN' }), inputConfig({ name: 'MORE', optional: true })];
    await world.model('a', { config: { input: optional }, script: adds(0) });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN', MORE: 'MORE' }, { OUT: 'OUT' })], {
      input: optional,
    });
    const without = ask(ensemble, 2, { inputs: [int32Input('IN', [1], [2])] });
    const withMore = ask(ensemble, 2);
    await world.clock.advance(1);
    expect([firstValue(without), firstValue(withMore)]).toEqual([2, 4]);
  });

  test('an input the step cannot do without gives its message', async () => {
    const world = new EnsembleWorld();
    await world.model('a', { config: { input: inputs('IN', 'MORE') }, script: adds(0) });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN', MORE: 'MORE' }, { OUT: 'OUT' })], {
      input: [inputConfig({ name: 'IN' }), inputConfig({ name: 'MORE', optional: true })],
    });
    const answer = ask(ensemble, 2, { inputs: [int32Input('IN', [1], [2])] });
    await world.clock.advance(1);
    expect(answer.error?.message).toMatch(
      /^in ensemble 'E', .*expected 2 inputs but got 1 inputs for model 'a'/,
    );
  });
});

describe('batch dimension', () => {
  test.each<[string, number, number, number[], number[]]>([
    ['batching ensemble over a step without', 4, 0, [1, 1], [1, 1]],
    ['ensemble without over a batching step', 0, 4, [1], [1]],
    ['both batching', 4, 4, [3, 1], [3, 1]],
  ])('%s', async (_name, ensembleBatch, stepBatch, shape, expected) => {
    const world = new EnsembleWorld();
    const dims = {
      input: [inputConfig({ name: 'IN', dims: [1] })],
      output: [outputConfig({ name: 'OUT', dims: [1] })],
    };
    await world.model('a', { config: { maxBatchSize: stepBatch, ...dims }, script: adds(1) });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT' })], {
      maxBatchSize: ensembleBatch,
      ...dims,
    });
    const count = shape.reduce((product, dim) => product * dim, 1);
    const answer = ensemble.submit({
      inputs: [int32Input('IN', shape, new Array<number>(count).fill(1))],
    });
    await world.clock.advance(1);
    expect(answer.error?.message).toBeUndefined();
    expect(answer.responses[0]?.outputs[0]?.shape).toEqual(expected);
  });
});
