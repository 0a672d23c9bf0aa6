// Compares each model with the CPU when it is first placed on a GPU: in the background, one at a time, once per file and
// provider as long as the server runs.

import { stat } from 'node:fs/promises';

import type { GpuTrial, TrialVerdict } from '../../../../src-shared/contract/gpu-trial.ts';
import { systemClock } from '../../../base/clock.ts';
import { getLogger } from '../../../base/log.ts';
import { SerialQueue } from '../../../base/serial-queue.ts';
import { workerEntryUrl } from '../../../base/worker-entry.ts';
import { askProcess } from '../one-answer-process.ts';
import type { TrialAnswer, TrialFindings, TrialJob } from './trial-messages.ts';

/** Making the shaders of a large network takes its time. */
const LIMIT_MS = 180_000;
/** The loads of a start come first. */
const WAIT_MS = 2000;
/** A GPU that needs this share more than the CPU is not worth it. */
const SLOWER = 1.1;

/** A change of the batch size that costs no more than this is never dear. */
const DEAR_SWITCH_MS = 5;

const log = getLogger('onnxruntime');

/** A model that got a place on a GPU, with what has to be compared. */
export interface PlacedModel {
  readonly modelName: string;
  readonly job: TrialJob;
  /** What the provider reads from the environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether batches of the model are filled up where a change of their size is dear. */
  readonly fillsUpBatches: boolean;
}

/** Compares a model with the CPU in a process of its own. Never rejects for what the model does. */
export type AskTrial = (placed: PlacedModel, signal: AbortSignal) => Promise<TrialAnswer>;
/** Told of each change of a trial, its end included. */
export type TrialListener = (modelName: string, trial: GpuTrial) => void;

/** All comparisons of this server, by model file and GPU; `close` gives up those that still wait. */
export class GpuTrials {
  readonly #trials = new Map<string, GpuTrial>();
  readonly #queue = new SerialQueue();
  readonly #stop = new AbortController();
  readonly #ask: AskTrial;
  readonly #waitMs: number;
  readonly #clock = systemClock;
  #listener: TrialListener | undefined;
  #begin: () => Promise<() => void> = () => Promise.resolve(() => undefined);

  constructor({
    ask = askInProcess,
    waitMs = WAIT_MS,
  }: { readonly ask?: AskTrial; readonly waitMs?: number } = {}) {
    this.#ask = ask;
    this.#waitMs = waitMs;
  }

  /** Told whenever a trial begins or ends. */
  watch(listener: TrialListener): void {
    this.#listener = listener;
  }

  /** Waited for before the process of a comparison starts; what it resolves with is called at its end. */
  around(begin: () => Promise<() => void>): void {
    this.#begin = begin;
  }

  /** A session of a model uses a GPU now. The same file on the same provider is tried once. */
  placed(model: PlacedModel): void {
    const key = keyOf(model.job);
    if (this.#trials.has(key)) return;
    this.#forgetOlder(model.job);
    this.#tell(key, model, { ...NOTHING, provider: providerOf(model.job) });
    const begun = this.#queue.run('', () => this.#try(key, model));
    begun.catch(() => undefined);
  }

  /** What is known of a file on its provider; undefined when it was not placed there. */
  of(job: TrialJob): GpuTrial | undefined {
    return this.#trials.get(keyOf(job));
  }

  /** Ends the one that runs. */
  close(): void {
    this.#stop.abort();
  }

  /** What an earlier file in the same place showed: nobody asks for it once the new one serves. */
  #forgetOlder({ path, stamp }: TrialJob): void {
    for (const key of this.#trials.keys()) {
      const known = JSON.parse(key) as TrialJob;
      if (known.path === path && known.stamp !== stamp) this.#trials.delete(key);
    }
  }

  async #try(key: string, model: PlacedModel): Promise<void> {
    const { signal } = this.#stop;
    await new Promise((resolve) => {
      this.#clock.after(this.#waitMs, () => resolve(undefined));
      signal.addEventListener('abort', resolve, { once: true });
    });
    signal.throwIfAborted();
    const provider = providerOf(model.job);
    const end = await this.#begin();
    const answer = await this.#ask(model, signal).finally(end);
    const isGone = await stat(model.job.path).then(
      () => false,
      () => true,
    );
    // Unloaded and removed meanwhile: nobody asks any more.
    if (isGone) this.#trials.delete(key);
    else if ('problem' in answer) this.#tell(key, model, { ...NOTHING, provider, problem: answer.problem });
    else
      this.#tell(key, model, {
        ...answer.findings,
        provider,
        problem: undefined,
        verdict: verdictOf(answer.findings),
      });
  }

  #tell(key: string, { modelName, fillsUpBatches }: PlacedModel, trial: GpuTrial): void {
    this.#trials.set(key, trial);
    const text = trialText(trial, fillsUpBatches);
    if (text !== undefined) log[trial.verdict === 'faster' ? 'info' : 'warn'](text, { model: modelName });
    this.#listener?.(modelName, trial);
  }
}

const NOTHING: Omit<GpuTrial, 'provider'> = {
  verdict: undefined,
  problem: undefined,
  timings: [],
  switchMs: undefined,
  outputs: [],
  operators: [],
};

/** Wrong answers weigh more than speed; slower means slower with every number of rows that was tried. */
export function verdictOf({ outputs, timings }: TrialFindings): TrialVerdict {
  if (outputs.some(({ difference, allowed }) => !(difference <= allowed))) return 'wrong';
  return timings.every(({ cpuMs, gpuMs }) => gpuMs > cpuMs * SLOWER) ? 'slower' : 'faster';
}

/** What came of it, for the log; undefined while it runs. */
export function trialText(
  { provider, verdict, problem, outputs, timings, switchMs = 0 }: GpuTrial,
  fillsUpBatches = false,
): string | undefined {
  if (problem !== undefined) return `'${provider}' could not be compared with the CPU: ${problem}`;
  if (verdict === undefined) return undefined;
  if (verdict === 'wrong') {
    const worst = outputs.filter(({ difference, allowed }) => !(difference <= allowed)).map(outputText);
    return `'${provider}' answers wrongly: ${worst.join(', ')}`;
  }
  const numbers = timings.map(
    ({ batchSize, cpuMs, gpuMs }) =>
      `${gpuMs.toPrecision(3)} ms against ${cpuMs.toPrecision(3)} ms on the CPU with ${batchSize === 1 ? 'one row' : `${batchSize} rows`}`,
  );
  const aside = isSwitchDear({ timings, switchMs }) ? `; ${switchText(switchMs, fillsUpBatches)}` : '';
  return `'${provider}' is ${verdict === 'slower' ? 'slower than the CPU' : 'worth it'}: ${numbers.join(', ')}${aside}`;
}

/** Whether a change of the number of rows takes longer than the longest run that was tried. */
export function isSwitchDear({ timings, switchMs = 0 }: Pick<GpuTrial, 'timings' | 'switchMs'>): boolean {
  return switchMs > Math.max(DEAR_SWITCH_MS, ...timings.map(({ gpuMs }) => gpuMs));
}

function switchText(switchMs: number, fillsUpBatches: boolean): string {
  const advice = fillsUpBatches
    ? 'batches that the server makes are filled up to one size'
    : 'batches of this model are not filled up to one size, so clients should send batches of one size';
  return (
    `a run with another number of rows than the one before takes ${switchMs.toPrecision(3)} ms longer, since the provider ` +
    `plans anew: ${advice}`
  );
}

function outputText({ name, difference, allowed }: TrialFindings['outputs'][number]): string {
  if (difference === Infinity) return `output '${name}' has another shape or values that are no numbers`;
  return `output '${name}' differs from the CPU's by ${percent(difference)} of its largest value (allowed ${percent(allowed)})`;
}

const percent = (share: number): string => `${(share * 100).toPrecision(2)} %`;

function providerOf({ providers }: TrialJob): string {
  return providers[0]?.name ?? '';
}

function keyOf(job: TrialJob): string {
  return JSON.stringify(job);
}

async function askInProcess({ job, environment }: PlacedModel, signal: AbortSignal): Promise<TrialAnswer> {
  const question = {
    entry: workerEntryUrl('gpu-trial'),
    argument: JSON.stringify(job),
    limitMs: LIMIT_MS,
    environment,
  };
  const { answer, failure } = await askProcess<TrialAnswer>(question, signal);
  return answer ?? { problem: failure };
}
