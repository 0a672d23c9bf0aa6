// The search for the fastest configuration in the window. It runs in processes of its own, beside the server that the
// window shows; what was measured lies in the user-data folder, so that a search outlives the engine.

import { readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type {
  analyzeCalls,
  AnalyzeRequest,
  AnalyzeView,
} from '../../../src-shared/contract/analyze-calls.ts';
import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import { analyzeErrors } from '../../analyze/analyze-errors.ts';
import { AnalyzeLog } from '../../analyze/analyze-log.ts';
import type { ProfileSettings } from '../../analyze/options/profile-settings.ts';
import { profileSettings } from '../../analyze/options/profile-settings.ts';
import { runProfile } from '../../analyze/profile-command.ts';
import { summaryReport } from '../../analyze/report/summary-report.ts';
import type { ProfiledModel } from '../../analyze/report/tables.ts';
import { csvText, inferenceTable } from '../../analyze/report/tables.ts';
import { Checkpoint } from '../../analyze/results/checkpoint.ts';
import { writeFileAtomic } from '../../base/atomic-file.ts';
import type { Clock } from '../../base/clock.ts';
import type { ProcessSpawner } from '../../base/process-spawner.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import type { ControlRoom, Publish } from '../pages/control-room.ts';
import type { FollowedTask, TaskRegistry } from '../tasks/task-registry.ts';
import { foundOf } from './analyze-view.ts';

/** What the room is made of. It closes none of it. */
export interface AnalyzeRoomOptions {
  readonly clock: Clock;
  readonly catalog: Pick<ModelCatalog, 'view'>;
  readonly spawner: ProcessSpawner;
  readonly tasks: Pick<TaskRegistry, 'follow'>;
  readonly userDataPath: string;
  readonly publish: Publish;
  /** A load test goes on. */
  readonly isMeasuring: () => boolean;
  /** What searches; tests put their own in its place. */
  readonly profile?: typeof runProfile;
}

/** Windows of a measurement; one that is not stable by then is kept and marked. */
const MOST_WINDOWS = 6;
/** Of a measurement whose windows were too short for an answer; each is a second longer. */
const MOST_REPETITIONS = 3;

/** What is kept beside the checkpoint. */
interface Kept {
  readonly request: AnalyzeRequest;
  readonly state: Exclude<AnalyzeView['state'], 'running'>;
  readonly error?: string | undefined;
  /** Root of the repository that the model is in. */
  readonly repository: string;
}

interface Search {
  readonly kept: Kept;
  readonly checkpoint: Checkpoint;
  said: string;
}

interface Running {
  isStopping: boolean;
  abort: () => Promise<void>;
  done: Promise<void>;
}

/** One search at a time. Closing it ends the search at once and keeps what was measured. */
export class AnalyzeRoom implements ControlRoom<HandlersFor<typeof analyzeCalls>> {
  readonly handlers: HandlersFor<typeof analyzeCalls>;
  readonly #options: AnalyzeRoomOptions;
  readonly #folder: string;
  #search: Search | undefined;
  #running: Running | undefined;

  constructor(options: AnalyzeRoomOptions) {
    this.#options = options;
    this.#folder = path.join(options.userDataPath, 'analyzer');
    this.handlers = {
      'analyze/view': async () => ({ view: this.#view(await this.#kept()) }),
      'analyze/start': async (request) => {
        this.#checkIdle();
        const { repository } = options.catalog.view(request.model);
        await rm(this.#folder, { recursive: true, force: true });
        await this.#begin({ request, repository, state: 'stopped', error: undefined });
      },
      'analyze/resume': async () => {
        this.#checkIdle();
        const kept = await this.#kept();
        if (kept === undefined) throw analyzeErrors.nothingKept();
        await this.#begin({ ...kept.kept, state: 'stopped', error: undefined });
      },
      'analyze/stop': () => {
        if (this.#running !== undefined) this.#running.isStopping = true;
      },
      'analyze/export': async ({ format }) => this.#export(await this.#kept(), format),
    };
  }

  async close(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    running.isStopping = true;
    await running.abort();
    await running.done;
  }

  #checkIdle(): void {
    if (this.#running !== undefined || this.#options.isMeasuring()) throw analyzeErrors.busy();
  }

  async #begin(kept: Kept): Promise<void> {
    const running: Running = { isStopping: false, abort: () => Promise.resolve(), done: Promise.resolve() };
    this.#running = running;
    try {
      const settings = settingsOf(kept, this.#folder);
      const checkpoint = await Checkpoint.open(settings.checkpointFolder);
      const search = { kept, checkpoint, said: '' };
      this.#search = search;
      await this.#save(kept);
      const task = this.#options.tasks.follow(
        'analyze',
        `Search for the fastest configuration of ${kept.request.model}`,
        () => {
          running.isStopping = true;
        },
      );
      running.done = this.#run(running, settings, search, task);
    } catch (thrown) {
      this.#running = undefined;
      throw thrown;
    }
  }

  /** Never rejects. */
  async #run(running: Running, settings: ProfileSettings, search: Search, task: FollowedTask): Promise<void> {
    const { clock, spawner, profile = runProfile } = this.#options;
    const { seconds } = search.kept.request;
    const until = seconds === 0 ? Infinity : clock.wallMs() + seconds * 1000;
    const say = (text: string): void => {
      search.said = text.replace('[Model Analyzer] ', '').trim();
      task.report(undefined, search.said);
      this.#tell(search);
    };
    const outcome = await profile(settings, {
      ...{ mode: 'online', checkpoint: search.checkpoint },
      log: new AnalyzeLog({ print: say, printError: say }, 'normal'),
      spawn: (args) => spawner.spawn(args),
      isStopping: () => running.isStopping || clock.wallMs() >= until,
      onAbort: (abort) => {
        running.abort = abort;
      },
    }).then(
      () => ({ state: running.isStopping ? 'stopped' : 'done', error: undefined }) as const,
      (thrown: unknown) =>
        running.isStopping
          ? ({ state: 'stopped', error: undefined } as const)
          : ({ state: 'failed', error: toServerError(thrown).message } as const),
    );
    const kept = { ...search.kept, ...outcome };
    this.#search = { ...search, kept };
    // A folder that cannot be written any more: the results are in memory, and the next start says what is wrong.
    await this.#save(kept).catch(() => undefined);
    this.#running = undefined;
    const ends = { done: 'done', stopped: 'cancelled', failed: 'failed' } as const;
    task.end(ends[outcome.state], outcome.error ?? '');
    this.#tell(this.#search);
  }

  #tell(search: Search): void {
    const view = this.#view(search);
    if (view !== undefined) this.#options.publish('analyze/changed', view);
  }

  #save(kept: Kept): Promise<void> {
    return writeFileAtomic(path.join(this.#folder, 'search.json'), JSON.stringify(kept));
  }

  /** The one that goes on, or the one on disk; undefined where there is none that can be read. */
  async #kept(): Promise<Search | undefined> {
    if (this.#search !== undefined) return this.#search;
    try {
      const kept = JSON.parse(await readFile(path.join(this.#folder, 'search.json'), 'utf8')) as Kept;
      const checkpoint = await Checkpoint.open(settingsOf(kept, this.#folder).checkpointFolder);
      this.#search ??= { kept, checkpoint, said: '' };
      return this.#search;
    } catch {
      return undefined;
    }
  }

  #view(search: Search | undefined): AnalyzeView | undefined {
    if (search === undefined) return undefined;
    const { kept, said } = search;
    return {
      request: kept.request,
      state: this.#running === undefined ? kept.state : 'running',
      // Earlier versions kept an empty text where there was none.
      error: kept.error || undefined,
      said,
      ...foundOf(this.#profiled(search)),
    };
  }

  #export(search: Search | undefined, format: 'html' | 'csv'): { fileName: string; text: string } {
    if (search === undefined) throw analyzeErrors.nothingKept();
    const profiled = this.#profiled(search);
    const fileName = `${profiled.model}-analyzer.${format}`;
    if (format === 'csv') return { fileName, text: csvText(inferenceTable([profiled], undefined)) };
    const cpu = `${os.cpus()[0]?.model.trim() ?? ''}, ${os.availableParallelism()} processors`;
    const machine = { cpu, gpus: search.checkpoint.gpus ?? [] };
    return { fileName, text: summaryReport(profiled, { topCount: 3, mode: 'online', machine }).html };
  }

  #profiled({ kept, checkpoint }: Search): ProfiledModel {
    const { model } = kept.request;
    const [settings] = settingsOf(kept, this.#folder).models;
    if (settings === undefined) throw analyzeErrors.nothingKept();
    return { model, unit: 'concurrency', goals: settings.goals, records: checkpoint.variants(model) };
  }
}

/** The same as a command line would say. */
function settingsOf({ request, repository }: Kept, folder: string): ProfileSettings {
  const settings = profileSettings({
    model_repository: repository,
    profile_models: [request.model],
    output_model_repository_path: path.join(folder, 'variants'),
    override_output_model_repository: true,
    checkpoint_directory: path.join(folder, 'checkpoints'),
    export_path: path.join(folder, 'export'),
    run_config_search_mode: request.mode,
    run_config_search_max_instance_count: request.maxInstances,
    run_config_search_max_model_batch_size: request.maxBatchSize,
    run_config_search_max_concurrency: request.maxConcurrency,
    ...(request.latencyLimitMs > 0 && { latency_budget: request.latencyLimitMs }),
    skip_summary_reports: true,
    skip_detailed_reports: true,
    perf_analyzer_flags: {
      'measurement-mode': 'time_windows',
      'measurement-interval': request.windowMs,
      'max-trials': MOST_WINDOWS,
    },
    perf_analyzer_max_auto_adjusts: MOST_REPETITIONS,
    client_protocol: 'http',
  });
  return { ...settings, keepsUnstable: true };
}
