// Stored runs: one JSON file each in the user-data folder, by repository, never in the repository. The newest state of
// a run is in memory and on disk; a run that was going on when the program ended is found as interrupted.

import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';

import type { PerfRun, PerfRunSummary } from '../../../src-shared/contract/perf-views.ts';
import { writeFileAtomic } from '../../base/atomic-file.ts';
import { isStorePath } from '../../object-stores/store-path.ts';
import { getLogger } from '../../base/log.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { perfRunErrors } from './run-errors.ts';

const log = getLogger('perf');

/** A configuration that was replaced, for undoing it. */
export interface AppliedConfig {
  readonly id: string;
  readonly model: string;
  readonly previousText: string;
  readonly text: string;
  readonly appliedAtMs: number;
}

interface Stored {
  run: PerfRun;
  readonly file: string;
}

/**
 * Keeps the runs of all repositories in memory and on disk; a file that cannot be read is skipped and
 * logged.
 */
export class RunStore {
  readonly #folder: string;
  readonly #runs = new Map<string, Stored>();
  readonly #applied = new Map<string, { readonly entry: AppliedConfig; readonly file: string }>();
  readonly #writes = new SerialQueue();
  readonly #keptRuns: () => number;
  #loading: Promise<void> | undefined;

  /** `keptRuns`: runs without a star beyond so many are removed, oldest first. */
  constructor(userDataPath: string, keptRuns: () => number = () => Infinity) {
    this.#folder = path.join(userDataPath, 'repositories');
    this.#keptRuns = keptRuns;
  }

  /** Drops what is in memory, after the files went elsewhere. */
  forget(): void {
    this.#runs.clear();
    this.#applied.clear();
  }

  /** Reads everything once; files that cannot be read are left where they are, with a warning. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Newest first; `model` "" = all. */
  async list(model: string): Promise<readonly PerfRunSummary[]> {
    await this.load();
    return [...this.#runs.values()]
      .map(({ run }) => run)
      .filter((run) => model === '' || run.model === model)
      .sort((a, b) => b.startedAtMs - a.startedAtMs || (a.id < b.id ? 1 : -1))
      .map(summaryOf);
  }

  /** NOT_FOUND when there is none. */
  async find(id: string): Promise<PerfRun> {
    await this.load();
    const stored = this.#runs.get(id);
    if (stored === undefined) throw perfRunErrors.unknown({ run: id });
    return stored.run;
  }

  /** Where the profile export of a run lies, once it has one. NOT_FOUND for an unknown run. */
  async requestsFile(id: string): Promise<string> {
    await this.find(id);
    return requestsFileOf(this.#runs.get(id)?.file ?? '');
  }

  /** In the order of the sweep; empty for one that is not known. */
  async bySweep(sweep: string): Promise<readonly PerfRun[]> {
    await this.load();
    return [...this.#runs.values()]
      .map(({ run }) => run)
      .filter((run) => run.sweep?.id === sweep)
      .sort((a, b) => (a.sweep?.index ?? 0) - (b.sweep?.index ?? 0));
  }

  /** Resolves when it is on disk; may push out the oldest run without a star. */
  async add(run: PerfRun, repository: string): Promise<void> {
    await this.load();
    const folder = await this.#repositoryFolder(repository);
    const stored = { run, file: path.join(folder, 'runs', `${run.id}.json`) };
    this.#runs.set(run.id, stored);
    await this.#write(run.id, stored.file, run);
    await this.#removeOld();
  }

  async #removeOld(): Promise<void> {
    const ended = [...this.#runs.values()]
      .map(({ run }) => run)
      .filter(({ isStarred, state }) => !isStarred && state !== 'running' && state !== 'queued')
      .sort((a, b) => b.startedAtMs - a.startedAtMs);
    for (const { id } of ended.slice(Math.max(0, this.#keptRuns()))) await this.delete(id);
  }

  /** `change` sees the newest state and is applied at once, so changes that cross do not get lost. */
  async change(id: string, change: (known: PerfRun) => Partial<PerfRun>): Promise<PerfRun> {
    await this.load();
    const stored = this.#runs.get(id);
    if (stored === undefined) throw perfRunErrors.unknown({ run: id });
    stored.run = { ...stored.run, ...change(stored.run) };
    await this.#write(id, stored.file, stored.run);
    return stored.run;
  }

  /** With its profile export. NOT_FOUND when there is none. */
  async delete(id: string): Promise<void> {
    await this.find(id);
    const stored = this.#runs.get(id);
    this.#runs.delete(id);
    if (stored === undefined) return;
    await this.#writes.run(id, () => rm(stored.file, { force: true }));
    await rm(requestsFileOf(stored.file), { force: true });
  }

  /** What a configuration replaced, so that it can be taken back. */
  async addApplied(entry: AppliedConfig, repository: string): Promise<void> {
    const folder = await this.#repositoryFolder(repository);
    const file = path.join(folder, 'applied', `${entry.id}.json`);
    this.#applied.set(entry.id, { entry, file });
    await this.#write(entry.id, file, entry);
  }

  /** NOT_FOUND once it was taken back. */
  async findApplied(id: string): Promise<AppliedConfig> {
    await this.load();
    const found = this.#applied.get(id);
    if (found === undefined) throw perfRunErrors.changeUndone();
    return found.entry;
  }

  /** It was taken back. Does nothing for one that is not there. */
  async deleteApplied(id: string): Promise<void> {
    const found = this.#applied.get(id);
    this.#applied.delete(id);
    if (found !== undefined) await this.#writes.run(id, () => rm(found.file, { force: true }));
  }

  async #load(): Promise<void> {
    for (const repository of await readdir(this.#folder).catch(() => [])) {
      const folder = path.join(this.#folder, repository);
      for (const file of await jsonFiles(path.join(folder, 'runs'))) {
        const run = await readJson<PerfRun>(file, isRun);
        if (run !== undefined) this.#runs.set(run.id, { run: ended(run), file });
      }
      for (const file of await jsonFiles(path.join(folder, 'applied'))) {
        const entry = await readJson<AppliedConfig>(file, () => true);
        if (entry !== undefined) this.#applied.set(entry.id, { entry, file });
      }
    }
  }

  async #repositoryFolder(repository: string): Promise<string> {
    const real = isStorePath(repository)
      ? repository
      : await realpath(repository).catch(() => path.resolve(repository));
    return path.join(this.#folder, createHash('sha256').update(real).digest('hex').slice(0, 16));
  }

  async #write(key: string, file: string, value: unknown): Promise<void> {
    await this.#writes.run(key, () => writeFileAtomic(file, `${JSON.stringify(value)}\n`));
  }
}

/** Not *.json: those are the runs. */
function requestsFileOf(runFile: string): string {
  return `${runFile.replace(/\.json$/, '')}.requests`;
}

async function jsonFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.json')).map((name) => path.join(folder, name));
}

/** What lists and charts cannot do without. */
function isRun({ levels, startedAtMs, plan }: Partial<PerfRun>): boolean {
  return Array.isArray(levels) && typeof startedAtMs === 'number' && typeof plan === 'object';
}

async function readJson<T extends { readonly id: string }>(
  file: string,
  isWhole: (value: T) => boolean,
): Promise<T | undefined> {
  try {
    const value = JSON.parse(await readFile(file, 'utf8')) as T;
    if (typeof value.id !== 'string') throw new Error('no id');
    if (isWhole(value)) return value;
    throw new Error('parts of it are missing');
  } catch (thrown) {
    log.warn(`${file} cannot be read and is left out: ${(thrown as Error).message}`);
    return undefined;
  }
}

function ended(run: PerfRun): PerfRun {
  if (run.state !== 'running' && run.state !== 'queued') return run;
  return { ...run, state: 'interrupted', error: 'The program ended during the run.' };
}

/** What a list shows of a run, without its plan and its windows. */
export function summaryOf(run: PerfRun): PerfRunSummary {
  const {
    plan: _plan,
    configText: _configText,
    warnings: _warnings,
    levels,
    kneeIndex: _kneeIndex,
    ...summary
  } = run;
  const unstableCount = levels.filter(({ state }) => state === 'unstable').length;
  return { ...summary, unstableCount };
}
