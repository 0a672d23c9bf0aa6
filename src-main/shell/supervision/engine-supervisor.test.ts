// Supervision with a scripted engine process and a clock moved by hand.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { FakeClock } from '../../testing/fake-clock.ts';
import { isNativeFault } from './crash-blame.ts';
import { CrashRecord } from './crash-record.ts';
import type { CrashView, FromEngine, ToEngine } from './engine-messages.ts';
import type { EngineProcess, SupervisorOptions } from './engine-supervisor.ts';
import { EngineSupervisor } from './engine-supervisor.ts';
import { crashesInARow, judgeExit } from './restart-policy.ts';

class FakeEngine implements EngineProcess {
  readonly sent: ToEngine[] = [];
  say: (message: FromEngine) => void = () => undefined;
  exit: (code: number | undefined, signal: string | undefined) => void = () => undefined;

  send(message: ToEngine): void {
    this.sent.push(message);
  }

  onMessage(listener: (message: FromEngine) => void): void {
    this.say = listener;
  }

  onExit(listener: (code: number | undefined, signal: string | undefined) => void): void {
    this.exit = listener;
  }

  kill(): void {
    this.exit(undefined, 'SIGKILL');
  }
}

let folder: string;
let clock: FakeClock;
let engines: FakeEngine[];
let crashes: CrashView[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-supervisor-'));
  clock = new FakeClock();
  engines = [];
  crashes = [];
});

afterEach(() => rm(folder, { recursive: true }));

async function supervise(extra: Partial<SupervisorOptions> = {}): Promise<EngineSupervisor> {
  const supervisor = new EngineSupervisor({
    clock,
    record: await CrashRecord.open(folder),
    args: ['--ui'],
    userDataPath: folder,
    token: 'secret',
    fork: () => {
      const engine = new FakeEngine();
      engines.push(engine);
      return engine;
    },
    spawnChild: () => {
      throw new Error('no child expected');
    },
    onCrash: (crash) => crashes.push(crash),
    ...extra,
  });
  supervisor.start();
  return supervisor;
}

/** Ends the running engine by a signal or with an exit code, and lets the restart pause pass. */
async function crash(end: string | number = 'SIGSEGV'): Promise<void> {
  const seen = crashes.length;
  if (typeof end === 'number') engines.at(-1)?.exit(end, undefined);
  else engines.at(-1)?.exit(undefined, end);
  await vi.waitFor(() => expect(crashes).toHaveLength(seen + 1));
  const started = engines.length;
  await clock.advance(30_000);
  expect(engines).toHaveLength(started + 1);
}

describe('restarting', () => {
  test('a crashed engine comes back on its ports with the same token', async () => {
    await supervise();
    engines[0]?.say({ type: 'listening', ports: { http: 18000, ui: 18003 } });
    await crash();
    expect(engines[1]?.sent[0]).toMatchObject({
      type: 'start',
      args: ['--ui'],
      token: 'secret',
      ports: { http: 18000, ui: 18003 },
      crashes: [{ detail: 'signal SIGSEGV after 0 s', model: '' }],
    });
  });

  test('what was open comes back, as the engine last told it', async () => {
    await supervise();
    expect(engines[0]?.sent[0]).toMatchObject({ work: undefined });
    const work = { repositories: ['/models'], loaded: ['a'], unloaded: ['b'] };
    engines[0]?.say({ type: 'listening', ports: {} });
    engines[0]?.say({ type: 'work', work });
    await crash();
    await crash();
    expect(engines[2]?.sent[0]).toMatchObject({ work });
  });

  test('an engine that asks for a restart is stopped and started at once, and that is no crash', async () => {
    await supervise();
    engines[0]?.say({ type: 'listening', ports: { http: 8000, ui: 8003 } });
    engines[0]?.say({ type: 'restart', ports: { ui: 8003 } });
    expect(engines[0]?.sent.at(-1)).toEqual({ type: 'stop' });
    engines[0]?.exit(0, undefined);
    await vi.waitFor(() => expect(engines).toHaveLength(2));
    expect(engines[1]?.sent[0]).toMatchObject({ ports: { ui: 8003 }, crashes: [] });
    expect(crashes).toEqual([]);
  });

  test('a start that never worked ends the program with its code', async () => {
    const supervisor = await supervise();
    engines[0]?.exit(1, undefined);
    expect(await supervisor.ended).toBe(1);
    expect(engines).toHaveLength(1);
  });

  test('a stop that was asked for ends the program', async () => {
    const supervisor = await supervise();
    engines[0]?.say({ type: 'listening', ports: {} });
    supervisor.stop();
    expect(engines[0]?.sent.at(-1)).toEqual({ type: 'stop' });
    engines[0]?.exit(0, undefined);
    expect(await supervisor.ended).toBe(0);
  });

  test('stopping during a restart pause ends at once', async () => {
    const supervisor = await supervise();
    engines[0]?.say({ type: 'listening', ports: {} });
    engines[0]?.exit(undefined, 'SIGSEGV');
    await vi.waitFor(() => expect(clock.timerCount).toBe(1));
    supervisor.stop();
    expect(await supervisor.ended).toBe(0);
    expect(clock.timerCount).toBe(0);
  });

  /** An engine that takes no message; `dies` = a kill ends it. */
  function deaf(dies: boolean): FakeEngine {
    const engine = new FakeEngine();
    if (!dies) engine.kill = () => undefined;
    engines.push(engine);
    return engine;
  }

  test('an engine that does not end is killed a grace after its exit timeout', async () => {
    const overdue: number[] = [];
    const onOverdue = (afterSec: number) => void overdue.push(afterSec);
    const supervisor = await supervise({ exitTimeoutSec: 60, onOverdue });
    engines[0]?.say({ type: 'exit-timeout', seconds: 10 });
    engines[0]?.say({ type: 'listening', ports: {} });
    supervisor.stop();
    await clock.advance(14_900);
    expect(overdue).toEqual([]);
    await clock.advance(100);
    expect(overdue).toEqual([15]);
    expect(await supervisor.ended).toBe(1);
    expect(clock.timerCount).toBe(0);
  });

  test('also when it was to be started again: then the next one is', async () => {
    await supervise({ exitTimeoutSec: 10 });
    engines[0]?.say({ type: 'listening', ports: {} });
    engines[0]?.say({ type: 'restart', ports: { ui: 8003 } });
    await clock.advance(15_000);
    expect(engines).toHaveLength(2);
    expect(engines[1]?.sent[0]).toMatchObject({ ports: { ui: 8003 }, crashes: [] });
  });

  test('and before it told its exit timeout, or when it asked to be started again before', async () => {
    const supervisor = await supervise({ exitTimeoutSec: 10 });
    engines[0]?.say({ type: 'restart', ports: {} });
    await clock.advance(10_000);
    supervisor.stop();
    await clock.advance(5000);
    expect(await supervisor.ended).toBe(1);
    expect(engines).toHaveLength(1);
  });

  test('a killed process that the system cannot end does not hold the program', async () => {
    const supervisor = await supervise({ exitTimeoutSec: 10, fork: () => deaf(false) });
    supervisor.stop();
    await clock.advance(17_000);
    expect(await supervisor.ended).toBe(1);
  });

  test('an engine that ends in time is not killed', async () => {
    const supervisor = await supervise({ exitTimeoutSec: 10, fork: () => deaf(true) });
    supervisor.stop();
    await clock.advance(9000);
    engines[0]?.exit(0, undefined);
    expect(await supervisor.ended).toBe(0);
    expect(clock.timerCount).toBe(0);
  });

  test.each([
    [{ code: 0, wasListening: true }, 0, { action: 'end', exitCode: 0 }],
    [{ code: 1, wasListening: false }, 0, { action: 'end', exitCode: 1 }],
    [{ code: 1, wasListening: false }, 1, { action: 'restart', delayMs: 500 }],
    [{ signal: 'SIGSEGV', wasListening: false }, 0, { action: 'restart', delayMs: 250 }],
    [{ signal: 'SIGKILL', wasListening: true }, 3, { action: 'restart', delayMs: 2000 }],
    [{ signal: 'SIGSEGV', wasListening: true }, 20, { action: 'restart', delayMs: 30_000 }],
    [{ code: 1, wasStopping: true }, 0, { action: 'end', exitCode: 1 }],
    [{ signal: 'SIGSEGV', wasStopping: true }, 0, { action: 'end', exitCode: 1 }],
  ])('exit %j after %i crashes', (exit, earlier, verdict) => {
    const whole = {
      code: undefined,
      signal: undefined,
      uptimeMs: 0,
      wasListening: false,
      wasStopping: false,
    };
    expect(judgeExit({ ...whole, ...exit }, earlier)).toEqual(verdict);
  });

  test('a minute without a crash forgets the earlier ones', () => {
    expect([crashesInARow(4, 59_999), crashesInARow(4, 60_000)]).toEqual([5, 1]);
  });
});

describe('the crash record', () => {
  test('the only model that was loading is quarantined, now and after a restart of the app', async () => {
    await supervise();
    engines[0]?.say({ type: 'listening', ports: {} });
    engines[0]?.say({ type: 'activity', loading: ['bad'], executing: ['good'] });
    await crash();
    expect(engines[1]?.sent[0]).toMatchObject({
      quarantined: [['bad', 'the server process ended while it ran (signal SIGSEGV after 0 s)']],
    });
    expect((await CrashRecord.open(folder)).quarantined).toHaveLength(1);
  });

  test('a GPU provider is left out for the model it crashed with; without it the model is quarantined', async () => {
    await supervise();
    engines[0]?.say({ type: 'listening', ports: {} });
    engines[0]?.say({ type: 'gpu-session', model: 'bad', provider: 'webgpu' });
    engines[0]?.say({ type: 'activity', loading: [], executing: ['bad'] });
    await crash();
    const leftOut = [
      {
        model: 'bad',
        provider: 'webgpu',
        reason: 'the server process ended while it ran this model (signal SIGSEGV after 0 s)',
      },
    ];
    expect(engines[1]?.sent[0]).toMatchObject({ leftOut, quarantined: [], crashes: [{ model: 'bad' }] });
    expect((await CrashRecord.open(folder)).leftOut).toEqual(leftOut);
    engines[1]?.say({ type: 'listening', ports: {} });
    engines[1]?.say({ type: 'activity', loading: [], executing: ['bad'] });
    await crash();
    expect(engines[2]?.sent[0]).toMatchObject({ leftOut, quarantined: [['bad', expect.any(String)]] });
  });

  test('of several suspects none is blamed until one is a suspect again', async () => {
    await supervise();
    engines[0]?.say({ type: 'listening', ports: {} });
    engines[0]?.say({ type: 'activity', loading: [], executing: ['a', 'b'] });
    await crash();
    expect(crashes[0]?.model).toBe('');
    engines[1]?.say({ type: 'activity', loading: [], executing: ['b', 'c'] });
    await crash();
    expect(crashes[1]?.model).toBe('b');
  });

  test('after two crashes in a row models are loaded one at a time', async () => {
    await supervise();
    await crash();
    await crash();
    const careful = engines.map(({ sent }) => sent[0]?.type === 'start' && sent[0].isCareful);
    expect(careful).toEqual([false, false, true]);
  });

  test('activity of an earlier process is not held against the next one', async () => {
    await supervise();
    engines[0]?.say({ type: 'activity', loading: ['bad'], executing: [] });
    await crash();
    await crash();
    expect(crashes.map(({ model }) => model)).toEqual(['bad', '']);
  });

  test('a model that the user loads again is released', async () => {
    await supervise();
    engines[0]?.say({ type: 'activity', loading: ['bad'], executing: [] });
    await crash();
    engines[1]?.say({ type: 'unquarantine', model: 'bad' });
    await vi.waitFor(async () => {
      expect(JSON.parse(await readFile(path.join(folder, 'crashes.json'), 'utf8'))).toMatchObject({
        quarantined: {},
      });
    });
  });

  test('a damaged file counts as empty', async () => {
    await writeFile(path.join(folder, 'crashes.json'), '{"crashes":');
    expect((await CrashRecord.open(folder)).crashes).toEqual([]);
  });

  test('an end from outside is not held against a model that answers requests', async () => {
    await supervise();
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL']) {
      engines.at(-1)?.say({ type: 'listening', ports: {} });
      engines.at(-1)?.say({ type: 'activity', loading: [], executing: ['good'] });
      await crash(signal);
    }
    expect(crashes.map(({ model }) => model)).toEqual(['', '', '']);
    expect(engines[3]?.sent[0]).toMatchObject({ quarantined: [] });
  });

  test.each([
    ['the system, for want of memory', () => engines.length, ['', 'big']],
    ['somebody', () => 7, ['', '']],
    ['nobody knows whom', () => undefined, ['', 'big']],
  ])(
    'a model that is loading each time when the engine is killed by %s',
    async (_who, memoryKills, blamed) => {
      await supervise({ memoryKills });
      engines[0]?.say({ type: 'activity', loading: ['big', 'small'], executing: [] });
      await crash('SIGKILL');
      engines[1]?.say({ type: 'activity', loading: ['big'], executing: [] });
      await crash('SIGKILL');
      expect(crashes.map(({ model }) => model)).toEqual(blamed);
    },
  );

  test('errors of the engine itself are held against no model, however often they come', async () => {
    await supervise();
    for (const model of ['one', 'two', 'three', 'three']) {
      engines.at(-1)?.say({ type: 'listening', ports: {} });
      engines.at(-1)?.say({ type: 'activity', loading: [model], executing: ['good'] });
      await crash(1);
    }
    expect(crashes.map(({ model }) => model)).toEqual(['', '', '', '']);
    expect((await CrashRecord.open(folder)).quarantined).toEqual([]);
  });

  test('a model that was loading while another one ended the engine is cleared by the next end', async () => {
    await supervise();
    engines[0]?.say({ type: 'activity', loading: ['innocent'], executing: ['bad', 'good'] });
    await crash();
    expect(crashes[0]?.model).toBe('innocent');
    engines[1]?.say({ type: 'activity', loading: ['other'], executing: ['bad'] });
    await crash();
    expect(crashes[1]?.model).toBe('bad');
    expect((await CrashRecord.open(folder)).quarantined.map(([model]) => model)).toEqual(['bad']);
  });

  test.each([
    [{ signal: 'SIGSEGV' }, true],
    [{ signal: 'SIGABRT' }, true],
    [{ signal: 'SIGKILL' }, false],
    [{ signal: 'SIGTERM' }, false],
    [{ code: 1 }, false],
    [{ code: 134 }, true],
    [{ code: 0xc000_0005 }, true],
    [{ code: -1_073_741_819 }, true],
  ])('%j is a native fault: %j', (end, isFault) => {
    expect(isNativeFault({ code: undefined, signal: undefined, ...end })).toBe(isFault);
  });
});

test('children of the engine are relayed, and end with it', async () => {
  const killed: string[] = [];
  let toEngine: (message: unknown) => void = () => undefined;
  await supervise({
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
  engines[0]?.say({ type: 'spawn', childId: 7, args: ['perf'] });
  engines[0]?.say({ type: 'spawn-message', childId: 7, message: 'hello' });
  toEngine('answer');
  expect(engines[0]?.sent.at(-1)).toEqual({ type: 'child-message', childId: 7, message: 'answer' });
  engines[0]?.exit(0, undefined);
  // The second time is by force.
  expect(killed).toEqual(['got hello', 'killed perf', 'killed perf']);
});
