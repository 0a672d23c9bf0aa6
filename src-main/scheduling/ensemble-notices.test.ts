import { afterEach, expect, test } from 'vitest';

import { addLogSink, setLogSwitches } from '../base/log.ts';
import { EnsembleWorld, inputs, outputs, step } from '../testing/ensemble-world.ts';
import { inputConfig, int32Input } from '../testing/tensors.ts';

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

test('states and responses of steps are told at verbose level 1, and an output that no step takes', async () => {
  const said: string[] = [];
  const removeSink = addLogSink(({ message }) => said.push(message));
  setLogSwitches({ verboseLevel: 1 });
  const world = new EnsembleWorld();
  const output = (name: string) => ({
    name,
    datatype: 'INT32' as const,
    shape: [1],
    bytes: new Uint8Array(4),
  });
  await world.model('a', {
    config: { output: outputs('OUT', 'MORE') },
    script: { compute: () => [output('OUT'), output('MORE')] },
  });
  const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT' })], {
    output: outputs('OUT'),
  });
  ensemble.submit({ inputs: [int32Input('IN', [1], [1])] });
  await world.clock.advance(1);
  removeSink();
  expect(said.filter((line) => /Setting state|nternal response/.test(line))).toEqual([
    '[request id: <id_unknown>] Setting state from INITIALIZED to INITIALIZED',
    '[request id: <id_unknown>] Setting state from INITIALIZED to PENDING',
    '[request id: <id_unknown>] Setting state from PENDING to EXECUTING',
    '[request id: <id_unknown>] Setting state from INITIALIZED to INITIALIZED',
    '[request id: <id_unknown>] Setting state from INITIALIZED to PENDING',
    '[request id: <id_unknown>] Setting state from PENDING to EXECUTING',
    'Internal response allocation: OUT, size 4, memory type 0, type id 0',
    'Internal response allocation: MORE, size 4, memory type 0, type id 0',
    "in ensemble, an internal response header specified output 'MORE' that does not map to any ensemble tensors",
    'Internal response release: size 4',
    'Internal response release: size 4',
    '[request id: <id_unknown>] Setting state from EXECUTING to RELEASED',
    '[request id: <id_unknown>] Setting state from EXECUTING to RELEASED',
  ]);
});

test('a required input that is missing behind an optional one is a deadlock', async () => {
  const world = new EnsembleWorld();
  await world.model('a');
  const input = [...inputs('IN'), { ...inputConfig({ name: 'MORE' }), optional: true }];
  const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT' })], { input });
  const answer = ensemble.submit({ inputs: [int32Input('MORE', [1], [1])] });
  await world.clock.advance(1);
  expect(answer.error?.message).toMatch(
    /^in ensemble 'E', .*unexpected deadlock, at least one output is not set/,
  );
});
