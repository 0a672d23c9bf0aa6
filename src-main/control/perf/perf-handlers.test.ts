// The Perf lab through the contract: sweeps of load, history, comparison, overrides that leave files alone, applying.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfProgress, PerfRun } from '../../../src-shared/contract/perf-views.ts';
import type { ControlWorld } from '../../testing/control-world.ts';
import { startControlWorld } from '../../testing/control-world.ts';

let world: ControlWorld;
const MODEL = 'batch_mlp';

beforeAll(async () => {
  world = await startControlWorld([MODEL]);
}, 60_000);
afterAll(async () => {
  await world[Symbol.asyncDispose]();
}, 30_000);

/** A few requests at each concurrency. */
async function shortPlan(values: number[]): Promise<PerfPlan> {
  const { plan } = await world.client.call('perf/plan', { model: MODEL });
  return {
    ...plan,
    load: { kind: 'concurrency', levels: { kind: 'list', values } },
    measurement: { ...plan.measurement, fixedRequestCount: 40 },
  };
}

/** Windows instead, of a time or of so many requests; whether they agree does not matter here. */
function inWindows(
  plan: PerfPlan,
  length: { readonly intervalMs: number } | { readonly requestCount: number },
): PerfPlan {
  const measurement = { ...plan.measurement, fixedRequestCount: 0, maxWindows: 3, stabilityPercent: 10_000 };
  const mode = 'requestCount' in length ? 'count' : 'time';
  return { ...plan, measurement: { ...measurement, ...length, mode } };
}

/** Resolves when the run has ended; it may have ended already. */
function ended(id: string): Promise<Pick<PerfRun, 'id' | 'state' | 'error'>> {
  return new Promise((resolve, reject) => {
    const look = (run: Pick<PerfRun, 'id' | 'state' | 'error'>): void => {
      if (run.id !== id || run.state === 'queued' || run.state === 'running') return;
      unsubscribe();
      resolve(run);
    };
    const unsubscribe = world.client.subscribe('perf/finished', ({ run }) => look(run));
    world.client.call('perf/run', { run: id }).then(look, reject);
  });
}

async function measured(values: number[], configText?: string, name = ''): Promise<PerfRun> {
  return ran(await shortPlan(values), configText, name);
}

async function ran(plan: PerfPlan, configText?: string, name = ''): Promise<PerfRun> {
  const { runs } = await world.client.call('perf/start', { plan, name, configText });
  const [id = ''] = runs;
  await ended(id);
  return world.client.call('perf/run', { run: id });
}

const configFile = (): string => path.join(world.repositoryPath, MODEL, 'config.pbtxt');

describe('a run', () => {
  it('measures each level, keeps it and exports the reference header', async () => {
    const progress: PerfProgress[] = [];
    const unsubscribe = world.client.subscribe('perf/progress', (part) => progress.push(part));
    const run = await ran(inWindows(await shortPlan([1, 2, 4]), { requestCount: 100 }));
    unsubscribe();
    expect(run).toMatchObject({ state: 'done', error: '', model: MODEL });
    expect(run.levels.map(({ value }) => value)).toEqual([1, 2, 4]);
    for (const { result } of run.levels) {
      expect(result.inferPerSecond).toBeGreaterThan(0);
      expect(result.errorCount).toBe(0);
      expect(result.server?.successCount).toBeGreaterThan(0);
    }
    expect(progress.some(({ points }) => points.length > 0)).toBe(true);
    expect(progress.flatMap(({ finishedLevels }) => finishedLevels)).toHaveLength(3);

    const csv = await world.client.call('perf/export', { run: run.id, format: 'csv' });
    const lines = csv.text.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^Concurrency,Inferences\/Second,Client Send,Network\+Server Send\/Recv,/);
    expect(lines).toHaveLength(4);
    const json = await world.client.call('perf/export', { run: run.id, format: 'json' });
    expect((JSON.parse(json.text) as PerfRun).id).toBe(run.id);
    const markdown = await world.client.call('perf/export', { run: run.id, format: 'markdown' });
    expect(markdown.text).toContain('| Concurrency | inf/s |');
    const issue = await world.client.call('perf/export', { run: run.id, format: 'issue' });
    expect(issue.text).toContain('| Concurrency | inf/s |');
    expect(issue.text).toContain('conch perf -m batch_mlp --concurrency-range 1,2,4');
    expect(issue.text).toContain('max_batch_size: 8');
  }, 60_000);

  it('can be stopped, keeps what it has, and lets the next one start', async () => {
    const plan = await shortPlan([1]);
    const long = inWindows(plan, { intervalMs: 60_000 });
    const first = await world.client.call('perf/start', { plan: long, name: '', configText: undefined });
    const second = await world.client.call('perf/start', { plan, name: '', configText: undefined });
    const [id = ''] = first.runs;
    const [next = ''] = second.runs;
    const live = new Promise<void>((resolve) => {
      const unsubscribe = world.client.subscribe('perf/progress', (part) => {
        // What is seen while it warms up is not kept.
        if (part.runId !== id || part.state !== 'measuring') return;
        if (part.live === undefined || part.live.inferPerSecond === 0) return;
        unsubscribe();
        resolve();
      });
    });
    const firstEnd = ended(id);
    const secondEnd = ended(next);
    await live;
    await world.client.call('perf/stop', { run: id });
    expect(await firstEnd).toMatchObject({ state: 'stopped' });
    expect((await world.client.call('perf/run', { run: id })).levels[0]?.result.requestCount).toBeGreaterThan(
      0,
    );
    expect(await secondEnd).toMatchObject({ state: 'done' });
  }, 60_000);

  it('of a model that is not there fails with the server message', async () => {
    const plan = { ...(await shortPlan([1])), version: '99' };
    const { runs } = await world.client.call('perf/start', { plan, name: '', configText: undefined });
    const run = await ended(runs[0] ?? '');
    expect(run.state).toBe('failed');
    expect(run.error).toContain('99');
  }, 60_000);
});

describe('configurations', () => {
  it('of an override run are compared, applied and taken back; the file is left alone until then', async () => {
    const original = await readFile(configFile(), 'utf8');
    const before = await measured([1]);
    const override = original.replace(/count: 1\b/, 'count: 2');
    expect(override).not.toBe(original);
    const after = await measured([1], override, 'two instances');
    expect(after).toMatchObject({ state: 'done', isOverride: true, configText: override });
    expect(await readFile(configFile(), 'utf8')).toBe(original);

    const comparison = await world.client.call('perf/compare', { runs: [before.id, after.id] });
    expect(comparison.configChanges.map((change) => change.path)).toContain('instance_group[0].count');
    expect(comparison.differences[0]?.levels).toHaveLength(1);

    const { hash: expectedHash } = await world.client.call('config/read', { model: MODEL });
    const applied = await world.client.call('perf/apply', { run: after.id, expectedHash, verifyMs: 1500 });
    expect(await readFile(configFile(), 'utf8')).toContain('count: 2');
    expect(applied.verification?.after.inferPerSecond).toBeGreaterThan(0);
    expect(applied.sentence).toMatch(
      /^Applied: .*inf\/s, p99 .* ms \((a clear difference|within noise)\)\.$/,
    );

    await world.client.call('perf/undoApply', { applyId: applied.applyId });
    expect(await readFile(configFile(), 'utf8')).toBe(original);
    const again = world.client.call('perf/undoApply', { applyId: applied.applyId });
    await expect(again).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }, 90_000);

  it('that cannot be loaded fail the run with the rule they break', async () => {
    const text = await readFile(configFile(), 'utf8');
    const refused = text.replace('dynamic_batching {', 'dynamic_batching {\n  preferred_batch_size: [ 16 ]');
    expect(refused).not.toBe(text);
    const run = await measured([1], refused);
    expect(run.state).toBe('failed');
    expect(run.error).toContain('preferred size must be <= max batch size');
  }, 60_000);

  it('that were tried without saving are what is measured as served, and come back after an override', async () => {
    const { configText } = await world.client.call('perf/plan', { model: MODEL });
    expect(configText).toBe(await readFile(configFile(), 'utf8'));
    const tried = configText.replace(/max_queue_delay_microseconds: \d+/, 'max_queue_delay_microseconds: 77');
    expect(tried).not.toBe(configText);
    await world.client.call('repository/load', { model: MODEL, configText: tried });
    expect((await measured([1])).configText).toContain('max_queue_delay_microseconds: 77');
    await measured([1], configText.replace(/count: 1\b/, 'count: 2'));
    const after = await world.client.call('perf/plan', { model: MODEL });
    expect(after.configText).toContain('max_queue_delay_microseconds: 77');
    await world.client.call('repository/reload', { model: MODEL, force: true });
  }, 90_000);

  it('are not overwritten when the file changed meanwhile', async () => {
    const run = await measured([1]);
    const text = await readFile(configFile(), 'utf8');
    await writeFile(configFile(), `${text}# edited\n`);
    const apply = world.client.call('perf/apply', { run: run.id, expectedHash: 'other', verifyMs: 0 });
    await expect(apply).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await writeFile(configFile(), text);
  }, 60_000);

  it('of a sweep are each measured and the best one is named', async () => {
    const plan = await shortPlan([2]);
    const { runs, sweep } = await world.client.call('perf/start', {
      plan,
      name: 'sweep',
      configText: undefined,
      sweep: { instanceCounts: [1, 2], maxBatchSizes: [], queueDelaysUs: [], intraOpThreads: [1] },
    });
    // The sample has one instance, but says nothing of threads: no combination is what serves.
    expect(runs).toHaveLength(3);
    await ended(runs.at(-1) ?? '');
    const result = await world.client.call('perf/sweep', { sweep });
    expect(result.rows.map(({ title, state }) => [title, state])).toEqual([
      ['', 'done'],
      ['instances 1, threads 1', 'done'],
      ['instances 2, threads 1', 'done'],
    ]);
    expect(result.rows.some(({ isPareto }) => isPareto)).toBe(true);
    expect(result.rows.map(({ isServed }) => isServed)).toEqual([true, false, false]);
    expect(result.rows[0]?.gain).toBeUndefined();
    expect(result.rows[1]?.gain?.percent).toBeTypeOf('number');
    // On a busy machine the answer may be that there is no clear winner.
    if (result.bestRunId !== '') expect(runs.slice(1)).toContain(result.bestRunId);
  }, 90_000);
});

it('keeps notes and stars, and forgets deleted runs', async () => {
  const run = await measured([1]);
  const noted = await world.client.call('perf/note', { run: run.id, note: 'quiet machine', isStarred: true });
  expect(noted).toMatchObject({ note: 'quiet machine', isStarred: true });
  await world.client.call('perf/delete', { run: run.id });
  const left = await world.client.call('perf/runs', { model: MODEL });
  expect(left.map(({ id }) => id)).not.toContain(run.id);
}, 60_000);

it('reads a pasted command line and says what it does not know', async () => {
  const parsed = await world.client.call('perf/parseCommand', {
    command: 'perf_analyzer -m batch_mlp --concurrency-range 1:8:2 --nonsense 3 -b 2',
  });
  expect(parsed).toMatchObject({
    unknown: ['--nonsense=3'],
    problems: [],
    plan: { model: 'batch_mlp', batchSize: 2, load: { levels: { start: 1, end: 8, step: 2 } } },
  });
  expect(parsed.plan.url).toBe('');
  const { command } = await world.client.call('perf/toCommand', { plan: parsed.plan });
  expect(command).toMatch(/^perf_analyzer -m batch_mlp -u \S+:\d+ --concurrency-range 1:8:2 -b 2$/);
  const again = await world.client.call('perf/parseCommand', { command });
  expect(again.plan).toEqual(parsed.plan);
});

describe('a saved request as input data', () => {
  const input = {
    name: 'FEATURES',
    datatype: 'FP32',
    shape: [2, 64],
    source: { kind: 'range', start: 0, step: 1 },
  } as const;

  it('is what the run sends, row by row, and is missed once it is deleted', async () => {
    const common = { model: MODEL, version: '', id: '', priority: 0, timeoutUs: 0, parameters: {} };
    const saved = await world.client.call('playground/save', {
      id: '',
      name: 'two rows',
      request: {
        ...common,
        protocol: 'http-json',
        inputs: [{ ...input, shape: [...input.shape] }],
        outputs: [],
      },
      withExpectation: false,
    });
    const plan = await shortPlan([1]);
    const start = async (): Promise<PerfRun> => {
      const { runs } = await world.client.call('perf/start', {
        plan: {
          ...plan,
          data: { ...plan.data, source: { kind: 'saved', request: saved.id, name: saved.name } },
        },
        name: '',
        configText: undefined,
      });
      await ended(runs[0] ?? '');
      return world.client.call('perf/run', { run: runs[0] ?? '' });
    };
    const run = await start();
    expect(run).toMatchObject({ state: 'done', error: '' });
    expect(run.levels[0]?.result.errorCount).toBe(0);
    expect(run.plan.data.source).toEqual({ kind: 'saved', request: saved.id, name: 'two rows' });
    await world.client.call('playground/deleteSaved', { model: MODEL, id: saved.id });
    expect(await start()).toMatchObject({
      state: 'failed',
      error: expect.stringContaining(saved.id) as string,
    });
  });
});

it('a run that keeps every request exports them as a profile, and they go with the run', async () => {
  const plan = { ...(await shortPlan([1, 2])), keepsRequests: true };
  const { runs } = await world.client.call('perf/start', { plan, name: '', configText: undefined });
  const [run = ''] = runs;
  await ended(run);
  const { fileName, blob, byteSize } = await world.client.call('perf/exportRequests', { run });
  expect(fileName).toMatch(/^batch_mlp-.*-requests\.json$/);
  const pieces: Buffer[] = [];
  for (let offset = 0; offset < byteSize; offset += 49_152) {
    const { base64 } = await world.client.call('blob/read', { blob, offset, byteSize: 49_152 });
    pieces.push(Buffer.from(base64, 'base64'));
  }
  const profile = JSON.parse(Buffer.concat(pieces).toString()) as {
    experiments: {
      experiment: object;
      requests: { response_timestamps: number[]; response_outputs: object[] }[];
    }[];
  };
  expect(profile.experiments.map(({ experiment }) => experiment)).toEqual([
    { mode: 'concurrency', value: 1 },
    { mode: 'concurrency', value: 2 },
  ]);
  const { levels } = await world.client.call('perf/run', { run });
  for (const [index, { requests }] of profile.experiments.entries()) {
    expect(requests.length).toBeGreaterThanOrEqual(levels[index]?.result.requestCount ?? Infinity);
    expect(requests[0]?.response_outputs).toHaveLength(1);
  }
  const plain = await measured([1]);
  await expect(world.client.call('perf/exportRequests', { run: plain.id })).rejects.toThrow(
    'kept no requests',
  );
  const kept = async (): Promise<string[]> => {
    const names = await readdir(path.join(path.dirname(world.repositoryPath), 'repositories'), {
      recursive: true,
    });
    return names.filter((name) => name.endsWith('.requests'));
  };
  expect(await kept()).toHaveLength(1);
  await world.client.call('perf/delete', { run });
  expect(await kept()).toEqual([]);
});
