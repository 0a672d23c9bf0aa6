// Every pushed event. Events are merged to the rates of the performance budget before they leave the engine, and a
// snapshot call exists for each, so a page that connects late reads the snapshot and then follows.

import { defineEvent } from './define.ts';
import type { ModelView } from './model-view.ts';
import type { AnalyzeView } from './analyze-calls.ts';
import type { LogLine, ServerView, TaskView } from './observe-views.ts';
import type { PerfProgress, PerfRunSummary } from './perf-views.ts';
import type { RepositoryView } from './repository-calls.ts';
import type { SampleNews } from './sample-news.ts';
import type { TraceState } from './trace-calls.ts';

/** Every event that the engine sends to pages that subscribed to it. */
export const events = [
  /** Changed models only, each name with all its folders, at most 5 messages a second. Snapshot: repository/snapshot. */
  defineEvent('repository/models')<{
    readonly changed: readonly ModelView[];
    readonly removed: readonly string[];
  }>(),
  defineEvent('repository/list')<{
    readonly repositories: readonly RepositoryView[];
    readonly isScanning: boolean;
  }>(),
  /** Once a second, changed models only. Snapshot: observe/sample. */
  defineEvent('observe/sample')<SampleNews>(),
  /** Batches of at most 200 lines, at most 10 a second. Snapshot: observe/logs. */
  defineEvent('observe/logLines')<{ readonly lines: readonly LogLine[] }>(),
  /** Snapshot: observe/tasks. */
  defineEvent('observe/task')<TaskView>(),
  /** Snapshot: server/view. */
  defineEvent('server/changed')<ServerView>(),
  /** At most 4 a second. Snapshot: perf/current. */
  defineEvent('perf/progress')<PerfProgress>(),
  /** A run or the queue changed state. Snapshot: perf/runs. */
  defineEvent('perf/finished')<{ readonly run: PerfRunSummary }>(),
  /** A measurement of a search ended, or the search did. Snapshot: analyze/view. */
  defineEvent('analyze/changed')<AnalyzeView>(),
  /** At most 2 a second. Snapshot: traces/state; the rows: traces/read. */
  defineEvent('traces/changed')<TraceState>(),
  /** A file of a model folder, other than its configuration, changed on disk. Snapshot: code/read. */
  defineEvent('code/changedOnDisk')<{ readonly model: string }>(),
  /** A config.pbtxt changed on disk. Snapshot: config/read. */
  defineEvent('config/changedOnDisk')<{ readonly model: string }>(),
  /** Snapshot: settings/read. */
  defineEvent('settings/changed')<{ readonly keys: readonly string[] }>(),
] as const;
