import { expect, test, vi } from 'vitest';

import { fakeServer } from '../testing/fake-views.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import { EngineConnection } from './engine-connection.ts';
import { createEngineState, readSnapshots, subscribeState } from './engine-state.ts';

function connect(fake: FakeEngine): EngineConnection {
  const connection = new EngineConnection(() => Promise.resolve(fake.open()));
  connection.start();
  return connection;
}

test('calls made before the first channel wait for it', async () => {
  const fake = new FakeEngine();
  const opened = Promise.withResolvers<ReturnType<FakeEngine['open']>>();
  const connection = new EngineConnection(() => opened.promise);
  connection.start();
  const answer = connection.call('server/view', {});
  opened.resolve(fake.open());
  expect((await answer).state).toBe('serving');
  connection.close();
});

test('after a crash it reconnects, repeats subscriptions and counts a new generation', async () => {
  const fake = new FakeEngine();
  const connection = connect(fake);
  const states: string[] = [];
  connection.subscribe('server/changed', ({ state }) => states.push(state));
  await connection.call('server/view', {});
  fake.isDown = true;
  fake.disconnect();
  await vi.waitFor(() => expect(connection.state.getState().status).toBe('lost'));
  await expect(connection.call('server/view', {})).rejects.toThrow(
    'connection to the server process was lost',
  );
  fake.isDown = false;
  await vi.waitFor(() =>
    expect(connection.state.getState()).toMatchObject({ status: 'open', generation: 2, attempt: 0 }),
  );
  await connection.call('server/view', {});
  fake.changeServer({ state: 'stopped' });
  await vi.waitFor(() => expect(states).toEqual(['stopped']));
  connection.close();
});

test('a refused token is told, and another one connects at once', async () => {
  const fake = new FakeEngine();
  fake.refusesToken = true;
  const { connection, retry } = fake.engine();
  await vi.waitFor(() => expect(connection.getState()).toMatchObject({ status: 'refused', generation: 0 }));
  fake.refusesToken = false;
  retry();
  await vi.waitFor(() => expect(connection.getState().status).toBe('open'));
  expect(connection.getState().lostAtMs).toBeUndefined();
});

test('what is lost says since when, from the first failure on', async () => {
  const fake = new FakeEngine();
  const { connection } = fake.engine();
  await vi.waitFor(() => expect(connection.getState().status).toBe('open'));
  fake.refusesToken = true;
  const before = Date.now();
  fake.disconnect();
  await vi.waitFor(() => expect(connection.getState().status).toBe('refused'));
  const { lostAtMs = 0 } = connection.getState();
  expect(lostAtMs).toBeGreaterThanOrEqual(before);
  expect(connection.getState().generation).toBe(1);
});

test('an aborted call rejects with the reason of its signal', async () => {
  const fake = new FakeEngine();
  fake.overrides['repository/load'] = () => new Promise(() => undefined);
  const connection = connect(fake);
  const controller = new AbortController();
  const load = connection.call('repository/load', { model: 'simple' }, { signal: controller.signal });
  await connection.call('server/view', {});
  controller.abort(new DOMException('cancelled', 'AbortError'));
  await expect(load).rejects.toThrow('cancelled');
  connection.close();
});

test('the followed state starts with snapshots and then takes what changed', async () => {
  const fake = new FakeEngine();
  const connection = connect(fake);
  const state = createEngineState();
  subscribeState(connection, state);
  await readSnapshots(connection, state);
  const before = state.models.getState();
  expect(before.models.map(({ name }) => name)).toContain('simple');
  expect(state.server.getState().view).toEqual(fakeServer());
  fake.change('simple', { state: 'loading', phase: 'reading config' });
  await vi.waitFor(() => expect(state.models.getState().byName.get('simple')?.phase).toBe('reading config'));
  expect(state.models.getState().byName.get('batch_mlp')).toBe(before.byName.get('batch_mlp'));
  fake.publish('repository/models', { changed: [], removed: ['simple'] });
  await vi.waitFor(() => expect(state.models.getState().byName.has('simple')).toBe(false));
  connection.close();
});

test('an engine that says nothing is told with the time of its last word, until it speaks again', async () => {
  vi.useFakeTimers();
  try {
    const fake = new FakeEngine();
    const connection = new EngineConnection(() => Promise.resolve(fake.open()), { quietMs: 8000 });
    connection.subscribe('server/changed', () => undefined);
    connection.start();
    await connection.call('server/view', {});
    const lastWordMs = Date.now();
    await vi.advanceTimersByTimeAsync(7000);
    expect(connection.state.getState().status).toBe('open');
    await vi.advanceTimersByTimeAsync(2000);
    expect(connection.state.getState()).toMatchObject({
      status: 'silent',
      lostAtMs: lastWordMs,
      generation: 1,
    });
    fake.changeServer({ state: 'stopped' });
    await vi.advanceTimersByTimeAsync(0);
    const { status, lostAtMs, generation } = connection.state.getState();
    expect([status, lostAtMs, generation]).toEqual(['open', undefined, 1]);
    connection.close();
  } finally {
    vi.useRealTimers();
  }
});

test('a channel that stays silent is given up for another one, and its calls fail', async () => {
  vi.useFakeTimers();
  try {
    const fake = new FakeEngine();
    fake.overrides['repository/load'] = () => new Promise(() => undefined);
    const limits = { quietMs: 8000, giveUpMs: 20_000 };
    const connection = new EngineConnection(() => Promise.resolve(fake.open()), limits);
    connection.start();
    await connection.call('server/view', {});
    const load = connection.call('repository/load', { model: 'simple' });
    const failed = expect(load).rejects.toThrow('connection to the server process was lost');
    await vi.advanceTimersByTimeAsync(21_000);
    await failed;
    expect(connection.state.getState()).toMatchObject({ status: 'open', generation: 2 });
    connection.close();
  } finally {
    vi.useRealTimers();
  }
});

test('a page that stood still itself does not blame the engine', async () => {
  vi.useFakeTimers();
  try {
    const fake = new FakeEngine();
    const connection = new EngineConnection(() => Promise.resolve(fake.open()), { quietMs: 8000 });
    connection.start();
    await connection.call('server/view', {});
    vi.setSystemTime(Date.now() + 60_000);
    await vi.advanceTimersByTimeAsync(2000);
    expect(connection.state.getState().status).toBe('open');
    connection.close();
  } finally {
    vi.useRealTimers();
  }
});

test('a channel that does not open is tried again', async () => {
  vi.useFakeTimers();
  try {
    const fake = new FakeEngine();
    const hung = (signal: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    let attempts = 0;
    const open = (signal: AbortSignal) => (++attempts === 1 ? hung(signal) : Promise.resolve(fake.open()));
    const connection = new EngineConnection(open, { quietMs: 60_000, openMs: 15_000 });
    connection.start();
    await vi.advanceTimersByTimeAsync(16_000);
    expect(connection.state.getState()).toMatchObject({ status: 'open', generation: 1 });
    // Its time for opening is over, and does not count any more.
    await vi.advanceTimersByTimeAsync(20_000);
    expect([connection.state.getState().generation, attempts]).toEqual([1, 2]);
    connection.close();
  } finally {
    vi.useRealTimers();
  }
});
