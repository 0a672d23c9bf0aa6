// Supervision with a scripted engine process and a clock moved by hand: starting, stopping and starting again.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { FakeEngine, SupervisionWorld } from '../../testing/supervision-world.ts';

let world: SupervisionWorld;

beforeEach(async () => {
  world = await SupervisionWorld.create();
});
afterEach(() => world.close());

describe('restarting', () => {
  test('a crashed engine comes back on its ports with the same token', async () => {
    await world.supervise();
    world.engines[0]?.say({ type: 'listening', ports: { http: 18000, ui: 18003 } });
    await world.crash();
    expect(world.engines[1]?.sent[0]).toMatchObject({
      type: 'start',
      args: ['--ui'],
      token: 'secret',
      ports: { http: 18000, ui: 18003 },
      crashes: [{ detail: 'signal SIGSEGV after 0 s', model: undefined }],
    });
  });

  test('what was open comes back, as the engine last told it', async () => {
    await world.supervise();
    expect(world.engines[0]?.sent[0]).toMatchObject({ work: undefined });
    const work = { repositories: ['/models'], loaded: ['a'], unloaded: ['b'] };
    world.engines[0]?.say({ type: 'listening', ports: {} });
    world.engines[0]?.say({ type: 'work', work });
    await world.crash();
    await world.crash();
    expect(world.engines[2]?.sent[0]).toMatchObject({ work });
  });

  test('the end of a start is told once for each engine', async () => {
    const told: (readonly string[])[] = [];
    await world.supervise({ onStartSetTried: ({ loaded }) => told.push(loaded) });
    const work = { repositories: ['/models'], loaded: ['a'], unloaded: [] };
    world.engines[0]?.say({ type: 'listening', ports: {} });
    expect(told).toEqual([]);
    world.engines[0]?.say({ type: 'work', work });
    world.engines[0]?.say({ type: 'work', work: { ...work, loaded: ['a', 'b'] } });
    expect(told).toEqual([['a']]);
    await world.crash();
    world.engines[1]?.say({ type: 'work', work: { ...work, loaded: ['a', 'b'] } });
    expect(told).toEqual([['a'], ['a', 'b']]);
  });

  test('an engine that asks for a restart is stopped and started at once, and that is no crash', async () => {
    await world.supervise();
    world.engines[0]?.say({ type: 'listening', ports: { http: 8000, ui: 8003 } });
    world.engines[0]?.say({ type: 'restart', ports: { ui: 8003 } });
    expect(world.engines[0]?.sent.at(-1)).toEqual({ type: 'stop' });
    world.engines[0]?.exit(0, undefined);
    await vi.waitFor(() => expect(world.engines).toHaveLength(2));
    expect(world.engines[1]?.sent[0]).toMatchObject({ ports: { ui: 8003 }, crashes: [] });
    expect(world.crashes).toEqual([]);
  });

  test('a start that never worked ends the program with its code', async () => {
    const supervisor = await world.supervise();
    world.engines[0]?.exit(1, undefined);
    expect(await supervisor.ended).toBe(1);
    expect(world.engines).toHaveLength(1);
  });

  test('a stop that was asked for ends the program', async () => {
    const supervisor = await world.supervise();
    world.engines[0]?.say({ type: 'listening', ports: {} });
    supervisor.stop();
    expect(world.engines[0]?.sent.at(-1)).toEqual({ type: 'stop' });
    world.engines[0]?.exit(0, undefined);
    expect(await supervisor.ended).toBe(0);
  });

  test('stopping during a restart pause ends at once', async () => {
    const supervisor = await world.supervise();
    world.engines[0]?.say({ type: 'listening', ports: {} });
    world.engines[0]?.exit(undefined, 'SIGSEGV');
    await vi.waitFor(() => expect(world.clock.timerCount).toBe(1));
    supervisor.stop();
    expect(await supervisor.ended).toBe(0);
    expect(world.clock.timerCount).toBe(0);
  });

  /** An engine that takes no message; `dies` = a kill ends it. */
  function deaf(dies: boolean): FakeEngine {
    const engine = new FakeEngine();
    if (!dies) engine.kill = () => undefined;
    world.engines.push(engine);
    return engine;
  }

  test('an engine that does not end is killed a grace after its exit timeout', async () => {
    const overdue: number[] = [];
    const onOverdue = (afterSec: number) => void overdue.push(afterSec);
    const supervisor = await world.supervise({ exitTimeoutSec: 60, onOverdue });
    world.engines[0]?.say({ type: 'exit-timeout', seconds: 10 });
    world.engines[0]?.say({ type: 'listening', ports: {} });
    supervisor.stop();
    await world.clock.advance(14_900);
    expect(overdue).toEqual([]);
    await world.clock.advance(100);
    expect(overdue).toEqual([15]);
    expect(await supervisor.ended).toBe(1);
    expect(world.clock.timerCount).toBe(0);
  });

  test('also when it was to be started again: then the next one is', async () => {
    await world.supervise({ exitTimeoutSec: 10 });
    world.engines[0]?.say({ type: 'listening', ports: {} });
    world.engines[0]?.say({ type: 'restart', ports: { ui: 8003 } });
    await world.clock.advance(15_000);
    expect(world.engines).toHaveLength(2);
    expect(world.engines[1]?.sent[0]).toMatchObject({ ports: { ui: 8003 }, crashes: [] });
  });

  test('and before it told its exit timeout, or when it asked to be started again before', async () => {
    const supervisor = await world.supervise({ exitTimeoutSec: 10 });
    world.engines[0]?.say({ type: 'restart', ports: {} });
    await world.clock.advance(10_000);
    supervisor.stop();
    await world.clock.advance(5000);
    expect(await supervisor.ended).toBe(1);
    expect(world.engines).toHaveLength(1);
  });

  test('a killed process that the system cannot end does not hold the program', async () => {
    const supervisor = await world.supervise({ exitTimeoutSec: 10, fork: () => deaf(false) });
    supervisor.stop();
    await world.clock.advance(17_000);
    expect(await supervisor.ended).toBe(1);
  });

  test('an engine that ends in time is not killed', async () => {
    const supervisor = await world.supervise({ exitTimeoutSec: 10, fork: () => deaf(true) });
    supervisor.stop();
    await world.clock.advance(9000);
    world.engines[0]?.exit(0, undefined);
    expect(await supervisor.ended).toBe(0);
    expect(world.clock.timerCount).toBe(0);
  });
});

test('children of the engine are relayed, and end with it', async () => {
  const killed: string[] = [];
  let toEngine: (message: unknown) => void = () => undefined;
  await world.supervise({
    spawnChild: (args) => ({
      pid: 1,
      send: (message) => killed.push(`got ${String(message)}`),
      onMessage: (listener) => {
        toEngine = listener;
      },
      onExit: () => undefined,
      kill: () => void killed.push(`killed ${args.join(' ')}`),
    }),
  });
  world.engines[0]?.say({ type: 'spawn', childId: 7, args: ['perf'] });
  world.engines[0]?.say({ type: 'spawn-message', childId: 7, message: 'hello' });
  toEngine('answer');
  expect(world.engines[0]?.sent.at(-1)).toEqual({ type: 'child-message', childId: 7, message: 'answer' });
  world.engines[0]?.exit(0, undefined);
  // The second time is by force.
  expect(killed).toEqual(['got hello', 'killed perf', 'killed perf']);
});
