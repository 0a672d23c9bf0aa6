// Sequence flags and ids on their way through an ensemble and back with its responses.

import { describe, expect, test } from 'vitest';
import { sequenceBackend } from '../backends/sequence/accumulator-backends.ts';
import { EnsembleWorld, inputs, outputs, step } from '../testing/ensemble-world.ts';
import type { FakeScript } from '../testing/fake-backend.ts';
import { sequenceBatching } from '../testing/sequence-world.ts';
import { int32Input, type Answer } from '../testing/tensors.ts';
import { adds, ask, firstValue, int32Output } from '../testing/ensemble-sums.ts';

describe('sequences', () => {
  test('flags and ids reach the steps and come back with the responses', async () => {
    const world = new EnsembleWorld();
    await world.model('seq', {
      config: {
        maxBatchSize: 4,
        input: inputs('INPUT'),
        output: outputs('OUTPUT'),
        sequenceBatching: sequenceBatching(),
      },
      backend: sequenceBackend,
    });
    const ensemble = await world.ensemble('E', [step('seq', { INPUT: 'IN' }, { OUTPUT: 'OUT' })], {
      maxBatchSize: 4,
    });
    const send = (flags: number): Answer =>
      ensemble.submit({ correlationId: 9n, flags, inputs: [int32Input('IN', [1, 1], [2])] });
    const answers = [1, 0, 2].map(send);
    await world.clock.advance(1);
    expect(answers.map((answer) => firstValue(answer))).toEqual([2, 4, 6]);
    expect(answers.map(({ responses }) => Object.fromEntries(responses[0]?.parameters ?? []))).toEqual([
      { sequence_id: 9n, sequence_start: true, sequence_end: false },
      { sequence_id: 9n, sequence_start: false, sequence_end: false },
      { sequence_id: 9n, sequence_start: false, sequence_end: true },
    ]);
    expect(ensemble.batchStats).toEqual({ 1: 3 });
    const lost = send(0);
    await world.clock.advance(1);
    expect(lost.error?.message).toMatch(
      /^in ensemble 'E', inference request for sequence 9 to model 'seq' must/,
    );
  });

  test('outside of a sequence the responses carry the id 0', async () => {
    const world = new EnsembleWorld();
    await world.model('a', { config: { input: inputs('IN'), output: outputs('OUT') }, script: adds(1) });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT' })]);
    const answer = ask(ensemble, 1);
    await world.clock.advance(1);
    expect(Object.fromEntries(answer.responses[0]?.parameters ?? [])).toEqual({
      sequence_id: 0n,
      sequence_start: false,
      sequence_end: false,
    });
  });

  const tagging = (parameters: [string, string | bigint | boolean | number][]): FakeScript => ({
    execute: ({ requests }) => {
      for (const request of requests) {
        void request.respondOutputs([int32Output('OUT', [1], [1])], true, new Map(parameters));
        request.release();
      }
      return Promise.resolve();
    },
  });

  test('a step may override them for those behind it', async () => {
    const world = new EnsembleWorld();
    await world.model('a', {
      script: tagging([
        ['sequence_id', 'other'],
        ['sequence_end', true],
      ]),
    });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT' })]);
    const answer = ask(ensemble, 1, { correlationId: 4n, flags: 1 });
    await world.clock.advance(1);
    expect(Object.fromEntries(answer.responses[0]?.parameters ?? [])).toEqual({
      sequence_id: 'other',
      sequence_start: false,
      sequence_end: true,
    });
  });

  test.each<[[string, string | number], string]>([
    [
      ['sequence_id', 1.5],
      `expected parameter 'sequence_id' to be TRITONSERVER_PARAMETER_INT or TRITONSERVER_PARAMETER_STRING`,
    ],
    [['sequence_start', 'yes'], `expect parameter 'sequence_start' to be TRITONSERVER_PARAMETER_BOOL`],
  ])('refuses %j', async (parameter, message) => {
    const world = new EnsembleWorld();
    await world.model('a', { script: tagging([parameter]) });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT' })]);
    const answer = ask(ensemble, 1);
    await world.clock.advance(1);
    expect(answer.error?.message).toBe(`in ensemble 'E', ${message}`);
  });
});
