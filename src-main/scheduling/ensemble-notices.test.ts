import { afterEach, expect, test } from 'vitest';

import { addLogSink, setLogSwitches } from '../base/log.ts';
import { EnsembleWorld, outputs, step } from '../testing/ensemble-world.ts';
import { int32Input } from '../testing/tensors.ts';

afterEach(() => setLogSwitches({ verboseLevel: 0 }));

test('an output that no composing model gave is told at verbose level 1', async () => {
  const said: string[] = [];
  const removeSink = addLogSink(({ message }) => said.push(message));
  setLogSwitches({ verboseLevel: 1 });
  const world = new EnsembleWorld();
  const bytes = new Uint8Array(4);
  await world.model('a', {
    config: { output: outputs('OUT', 'EXTRA') },
    script: { compute: () => [{ name: 'OUT', datatype: 'INT32', shape: [1], bytes }] },
  });
  const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT', EXTRA: 'EXTRA' })], {
    output: outputs('OUT', 'EXTRA'),
  });
  const answer = ensemble.submit({ inputs: [int32Input('IN', [1], [1])] });
  await world.clock.advance(1);
  removeSink();
  expect(answer.outcome).toBe('ok');
  expect(said).toContain('Composing models did not output tensor EXTRA');
});
