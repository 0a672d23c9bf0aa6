// Entry of a short-lived process that runs one model on the CPU and with a GPU provider, and tells what is different. A
// process of its own, because a provider may end its process, because WebGPU must not run in two threads of one, and
// because the memory of three sessions is given back with it.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { TrialOutput } from '../../../../src-shared/contract/gpu-trial.ts';
import { toServerError } from '../../../../src-shared/errors.ts';
import { parentChannel } from '../../../base/parent-channel.ts';
import { madeUpFeeds } from '../made-up-feeds.ts';
import { loadNativeOrt } from '../native-ort.ts';
import type { NativeSession, NativeTensor } from '../native-ort.ts';
import { prepareProviders } from '../ort-library.ts';
import { tensorInfo } from '../session-info.ts';
import type { ProviderChoice } from '../session-messages.ts';
import { compareOutputs, worstOf } from './compare-outputs.ts';
import { operatorsOf } from './node-profile.ts';
import type { TrialAnswer, TrialFindings, TrialJob } from './trial-messages.ts';

/** The first runs make shaders, plans and arenas. */
const WARM_UPS = 3;
const RUNS = 15;
/** A slow model is not run as often. */
const MAX_RUNS_MS = 3000;
/** Of another number of rows than the run before. */
const SWITCHES = 10;
/** The last one is told of. */
const PROFILED_RUNS = 2;

type Tensors = Readonly<Record<string, NativeTensor>>;

interface Level {
  readonly ms: number;
  readonly outputs: Tensors;
  /** Outputs that the same inputs gave with other values: a model with random numbers in it cannot be compared. */
  readonly unsteady: ReadonlySet<string>;
}

interface Measured {
  readonly levels: readonly Level[];
  readonly switchMs: number | undefined;
}

function openSession(
  job: TrialJob,
  providers: readonly ProviderChoice[],
  more: Readonly<Record<string, unknown>> = {},
): NativeSession {
  prepareProviders(providers.map(({ name }) => name));
  const session = new (loadNativeOrt().InferenceSession)();
  session.loadModel(job.path, { ...job.settings, executionProviders: [...providers], ...more });
  return session;
}

/** Throws when nothing can be made up to run the model with. */
function feedsOf(session: NativeSession, batchSize: number): Record<string, NativeTensor> {
  const feeds = madeUpFeeds(session.inputMetadata.map(tensorInfo), batchSize);
  if (feeds === undefined) throw new Error('no inputs can be made up for this model');
  return feeds;
}

function runOnce(session: NativeSession, feeds: Tensors): Tensors {
  return session.run(feeds, Object.fromEntries(session.outputMetadata.map(({ name }) => [name, null])));
}

/** Median time and last outputs of a number of runs. */
function measure(session: NativeSession, batchSize: number): Level {
  const feeds = feedsOf(session, batchSize);
  const first = runOnce(session, feeds);
  let outputs = first;
  const startMs = performance.now();
  for (let run = 0; run < WARM_UPS && performance.now() - startMs < MAX_RUNS_MS; run += 1) {
    outputs = runOnce(session, feeds);
  }
  const times: number[] = [];
  while (times.length < RUNS && (times.length === 0 || performance.now() - startMs < MAX_RUNS_MS)) {
    const beforeMs = performance.now();
    outputs = runOnce(session, feeds);
    times.push(performance.now() - beforeMs);
  }
  const changed = compareOutputs(first, outputs).filter(
    ({ difference, allowed }) => !(difference <= allowed),
  );
  return {
    ms: times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0,
    outputs,
    unsteady: new Set(changed.map(({ name }) => name)),
  };
}

/**
 * Median of what a run takes longer because the one before had another number of rows: CUDA plans its convolutions anew
 * then. Undefined where there is one number only.
 */
function measureSwitch(
  session: NativeSession,
  levels: readonly (Level & { batchSize: number })[],
): number | undefined {
  if (levels.length < 2) return undefined;
  const feeds = levels.map(({ batchSize }) => feedsOf(session, batchSize));
  const extra: number[] = [];
  const startMs = performance.now();
  // The first round meets the sizes for the first time in this order.
  for (let run = 0; run < SWITCHES && performance.now() - startMs < MAX_RUNS_MS; run += 1) {
    const at = run % levels.length;
    const beforeMs = performance.now();
    runOnce(session, feeds[at] ?? {});
    if (run >= levels.length) extra.push(performance.now() - beforeMs - (levels[at]?.ms ?? 0));
  }
  return extra.toSorted((a, b) => a - b)[extra.length >> 1];
}

function measureAll(job: TrialJob, providers: readonly ProviderChoice[]): Measured {
  const session = openSession(job, providers);
  try {
    const levels = job.batchSizes.map((batchSize) => ({ batchSize, ...measure(session, batchSize) }));
    return { levels, switchMs: measureSwitch(session, levels) };
  } finally {
    session.dispose();
  }
}

/** In a session of its own: recording costs time. */
function profile(job: TrialJob): TrialFindings['operators'] {
  const folder = mkdtempSync(path.join(tmpdir(), 'conch-profile-'));
  try {
    const session = openSession(job, job.providers, {
      enableProfiling: true,
      profileFilePrefix: path.join(folder, 'run'),
    });
    const feeds = feedsOf(session, job.batchSizes[0] ?? 1);
    for (let run = 0; run < PROFILED_RUNS; run += 1) runOnce(session, feeds);
    session.endProfiling();
    session.dispose();
    const [file] = readdirSync(folder);
    return file === undefined ? [] : operatorsOf(readFileSync(path.join(folder, file), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function findingsOf(job: TrialJob): TrialFindings {
  const { levels: cpu } = measureAll(job, [{ name: 'cpu' }]);
  const { levels: gpu, switchMs } = measureAll(job, job.providers);
  const outputs: TrialOutput[] = [];
  const timings = job.batchSizes.map((batchSize, at) => {
    const [right, seen] = [cpu[at], gpu[at]];
    const compared = compareOutputs(right?.outputs ?? {}, seen?.outputs ?? {});
    outputs.push(...compared.filter(({ name }) => right?.unsteady.has(name) !== true));
    return { batchSize, cpuMs: right?.ms ?? 0, gpuMs: seen?.ms ?? 0 };
  });
  return { timings, switchMs, outputs: worstOf(outputs), operators: profile(job) };
}

function answer(): TrialAnswer {
  try {
    return { findings: findingsOf(JSON.parse(process.argv[2] ?? '') as TrialJob) };
  } catch (thrown) {
    return { problem: toServerError(thrown).message.trim() };
  }
}

parentChannel()?.answer(answer());
