// Answers the calls about what the server does: samples, series, statistics, executions, the doctor, logs, tasks.

import type { HandlersFor } from '../../src-shared/contract/contract.ts';
import type { observeCalls } from '../../src-shared/contract/observe-calls.ts';
import type {
  DoctorVerdict,
  ExecutionView,
  SeriesMarker,
  ServerSample,
  StatisticsView,
} from '../../src-shared/contract/observe-views.ts';
import type { Clock } from '../base/clock.ts';
import { histogramPercentiles } from '../metrics/latency-histogram.ts';
import type { Model } from '../repository/model.ts';
import type { ModelRepository } from '../repository/model-repository.ts';
import { diagnoseModel } from './diagnose-model.ts';
import type { LogHistory } from './log-history.ts';
import type { ModelCatalog } from './model-catalog.ts';
import type { ModelSampler } from './model-sampler.ts';
import type { ProcessMeter } from './process-meter.ts';
import { pointOf } from './series-bucket.ts';
import type { ServerControl } from './server-control.ts';
import type { SettingsStore } from './settings-store.ts';
import type { TaskRegistry } from './task-registry.ts';

export interface ObserveDependencies {
  readonly clock: Clock;
  readonly repository: ModelRepository;
  readonly catalog: ModelCatalog;
  readonly sampler: ModelSampler;
  readonly meter: ProcessMeter;
  readonly logs: LogHistory;
  readonly tasks: TaskRegistry;
  readonly settings: SettingsStore;
  readonly server: ServerControl;
  readonly markers: (model: string) => readonly SeriesMarker[];
  readonly droppedCount: () => number;
  readonly onSettings: (keys: readonly string[]) => void;
}

export function observeHandlers(deps: ObserveDependencies): HandlersFor<typeof observeCalls> {
  const { sampler, logs, tasks, settings, server } = deps;
  return {
    'observe/sample': () => serverSample(deps),
    'observe/series': ({ model, version, window }) => ({
      points: sampler.buckets(model, version, window).map(pointOf),
      markers: deps.markers(model),
    }),
    'observe/sparklines': () => sampler.sparklines(),
    'observe/statistics': ({ model, version }) => servedVersions(deps, model, version).map(statisticsView),
    'observe/executions': ({ model, version }) =>
      servedVersions(deps, model, version).flatMap(executionViews),
    'observe/doctor': ({ model, version }): DoctorVerdict =>
      diagnoseModel(servedVersions(deps, model, version).at(-1), {
        name: model,
        configText: deps.catalog.facts(model).configText ?? '',
        buckets: sampler.buckets(model, version, '1m'),
      }),
    'observe/logs': ({ afterSequence, limit }) => logs.after(afterSequence, limit),
    'observe/tasks': () => tasks.list(),
    'observe/cancelTask': ({ id }) => tasks.cancel(id),
    'server/view': () => server.view(),
    'server/stop': () => server.stop(),
    'server/start': ({ ports }) => server.start(ports),
    'server/restart': () => server.restart(),
    'server/diagnostics': () => ({ json: diagnostics(deps) }),
    'settings/read': () => settings.view(),
    'settings/write': async ({ changes }) => {
      await settings.write(changes);
      deps.onSettings(Object.keys(changes));
      return settings.view();
    },
    'settings/readLayout': async ({ key }) => ({ json: await settings.readLayout(key) }),
    'settings/writeLayout': ({ key, json }) => settings.writeLayout(key, json),
  };
}

export function serverSample(deps: ObserveDependencies): ServerSample {
  const { sampler, meter, clock } = deps;
  const models = sampler.samples();
  const { cpuPercent, rssBytes, loopDelayMs } = meter.read();
  return {
    atMs: clock.wallMs(),
    inferPerSecond: models.reduce((total, { inferPerSecond }) => total + inferPerSecond, 0),
    p99Us: sampler.totalP99Us(),
    inFlight: models.reduce((total, { inFlight }) => total + inFlight, 0),
    waiting: models.reduce((total, { waiting }) => total + waiting, 0),
    cpuPercent,
    rssBytes,
    gpu: undefined,
    loopDelayMs,
    models,
    droppedCount: deps.droppedCount(),
  };
}

/** Ready versions of a model, oldest first; all of them when `version` is "". */
function servedVersions(
  { repository }: ObserveDependencies,
  name: string,
  version: string,
): readonly Model[] {
  return [...repository.ready()]
    .filter(({ id, version: own }) => id.name === name && (version === '' || own === version))
    .sort((a, b) => Number(a.version) - Number(b.version));
}

function statisticsView(model: Model): StatisticsView {
  const { statistics, slots } = model.runtime;
  const snapshot = statistics.snapshot();
  const { inference } = snapshot;
  const meanUs = ({ count, ns }: { readonly count: number; readonly ns: number }): number =>
    count === 0 ? 0 : ns / count / 1000;
  const percentiles = histogramPercentiles(statistics.requestLatency.total(), [50, 90, 95, 99, 100]);
  const [p50 = 0, p90 = 0, p95 = 0, p99 = 0, max = 0] = percentiles ?? [];
  return {
    version: model.version,
    inferenceCount: snapshot.inferenceCount,
    executionCount: snapshot.executionCount,
    successCount: inference.success.count,
    failureCount: inference.fail.count,
    rejectedCount: statistics.failures.REJECTED,
    cancelledCount: statistics.failures.CANCELED,
    meanUs: {
      request: meanUs(inference.success),
      queue: meanUs(inference.queue),
      input: meanUs(inference.computeInput),
      infer: meanUs(inference.computeInfer),
      output: meanUs(inference.computeOutput),
    },
    percentilesUs: percentiles === undefined ? undefined : { p50, p90, p95, p99, max },
    batches: snapshot.batches.map(({ batchSize, computeInfer }) => ({
      batchSize,
      count: computeInfer.count,
    })),
    closeReasons: closeReasons(model),
    cacheHitCount: inference.cacheHit.count,
    cacheMissCount: inference.cacheMiss.count,
    lastInferenceMs: snapshot.lastInferenceMs,
    instances: slots.map((slot) => ({
      name: slot.spec.name,
      device: slot.spec.kind === 'KIND_GPU' ? `GPU ${slot.spec.deviceId}` : 'CPU',
      executionCount: slot.executionCount,
    })),
  };
}

function closeReasons(model: Model): StatisticsView['closeReasons'] {
  const counts = new Map<string, number>();
  for (const { closeReason } of model.runtime.recentExecutions()) {
    counts.set(closeReason, (counts.get(closeReason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
}

function executionViews(model: Model): readonly ExecutionView[] {
  return model.runtime.recentExecutions().map((record) => ({
    atMs: record.atWallMs,
    instance: record.instanceName,
    requestCount: record.requestCount,
    batchSize: record.batchSize,
    closeReason: record.closeReason,
    queueLength: record.queueLength,
    oldestQueueUs: record.oldestQueueNs / 1000,
    inferUs: record.inferNs / 1000,
  }));
}

/** Everything a bug report needs, without tensor contents. */
function diagnostics(deps: ObserveDependencies): string {
  const { server, catalog, logs, settings } = deps;
  const report = {
    server: server.view(),
    sample: serverSample(deps),
    models: catalog.views(),
    settings: settings.view().settings.map(({ key, value }) => ({ key, value })),
    logs: logs.after(0, 500),
  };
  return JSON.stringify(report, null, 2);
}
