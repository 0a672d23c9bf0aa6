import { expect, test } from 'vitest';

import type { ModelUse } from '../inference/model-invoker.ts';
import { EnsembleHistory, StepNotes } from './ensemble-history.ts';

const use = (name: string, version: string) => ({ name, version }) as ModelUse;

test('keeps the latest requests, each with its own steps, however many came before', () => {
  const history = new EnsembleHistory();
  for (let number = 0; number < 300; number += 1) {
    const notes = new StepNotes();
    for (let step = 0; step <= number % 3; step += 1) notes.add(step, number, 10 * step, 5, step < 2);
    history.record({
      startedWallMs: number,
      durationNs: 2 * number,
      responseCount: 1,
      error: number % 3 === 2 ? 'failed' : undefined,
      notes,
      uses: [use('a', '1'), use('b', String(number)), use('c', '3')],
    });
    expect(history.toArray()).toHaveLength(Math.min(number + 1, 128));
  }
  const runs = history.toArray();
  expect(runs.map(({ atWallMs }) => atWallMs)).toEqual(Array.from({ length: 128 }, (_, at) => 172 + at));
  expect(runs.at(-1)).toEqual({
    atWallMs: 299,
    durationNs: 598,
    responseCount: 1,
    error: 'failed',
    steps: [
      {
        stepIndex: 0,
        modelName: 'a',
        modelVersion: '1',
        iteration: 299,
        startNs: 0,
        durationNs: 5,
        isSuccess: true,
      },
      {
        stepIndex: 1,
        modelName: 'b',
        modelVersion: '299',
        iteration: 299,
        startNs: 10,
        durationNs: 5,
        isSuccess: true,
      },
      {
        stepIndex: 2,
        modelName: 'c',
        modelVersion: '3',
        iteration: 299,
        startNs: 20,
        durationNs: 5,
        isSuccess: false,
      },
    ],
  });
  expect(runs.at(-3)?.steps).toHaveLength(1);
});
