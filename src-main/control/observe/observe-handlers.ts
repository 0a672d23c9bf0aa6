// Answers the calls about what the server does: samples, series, statistics, executions, the doctor, logs, tasks.

import { modelConfigToText } from '../../../src-shared/config/config-encoder.ts';
import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { observeCalls } from '../../../src-shared/contract/observe-calls.ts';
import type {
  DoctorVerdict,
  ExecutionView,
  SeriesMarker,
  ServerSample,
} from '../../../src-shared/contract/observe-views.ts';
import { notFound } from '../../../src-shared/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { importCommand } from '../../options/import-command.ts';
import type { Model } from '../../repository/model.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
import { diagnoseModel } from '../doctor/diagnose-model.ts';
import type { LogHistory } from './log-history.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import type { ModelSampler } from '../series/model-sampler.ts';
import { protoFiles } from '../server/proto-files.ts';
import type { ResourceHistory } from './resource-history.ts';
import { seriesAnswer } from '../series/series-answer.ts';
import type { ServerControl } from '../server/server-control.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import { counterState, statisticsView } from './statistics-view.ts';
import type { TaskRegistry } from '../tasks/task-registry.ts';
import type { ViewResets } from './view-resets.ts';

export interface ObserveDependencies {
  readonly clock: Clock;
  readonly repository: ModelRepository;
  readonly catalog: ModelCatalog;
  readonly sampler: ModelSampler;
  readonly resources: ResourceHistory;
  readonly resets: ViewResets;
  readonly logs: LogHistory;
  readonly tasks: TaskRegistry;
  readonly settings: SettingsStore;
  readonly server: ServerControl;
  readonly markers: (model: string) => readonly SeriesMarker[];
  readonly droppedCount: () => number;
  readonly onSettings: (keys: readonly string[]) => void;
}

export function observeHandlers(deps: ObserveDependencies): HandlersFor<typeof observeCalls> {
  const { clock, sampler, logs, tasks, settings, server } = deps;
  return {
    'observe/sample': () => serverSample(deps),
    'observe/series': (args) =>
      seriesAnswer(args, {
        sampler,
        served: servedVersions(deps, args.model, args.version).at(-1),
        markers: deps.markers(args.model),
      }),
    'observe/resources': ({ window, afterMs }) => ({ points: deps.resources.points(window, afterMs) }),
    'observe/sparklines': () => sampler.sparklines(),
    'observe/statistics': ({ model, version, resetId = '' }) =>
      servedVersions(deps, model, version).map((served) =>
        statisticsView(
          served,
          counterState(served, clock.wallMs()),
          deps.resets.find(resetId, served),
          sampler.busyShares(model, served.version),
        ),
      ),
    'observe/resetView': ({ model, version }) => {
      const served = servedVersions(deps, model, version).at(-1);
      if (served === undefined) throw notFound(`model '${model}' is not loaded, so it has no counters`);
      return { resetId: deps.resets.remember(served, counterState(served, clock.wallMs())) };
    },
    'observe/executions': ({ model, version }) =>
      servedVersions(deps, model, version).flatMap(executionViews),
    'observe/doctor': ({ model, version }): DoctorVerdict =>
      diagnoseModel(servedVersions(deps, model, version).at(-1), {
        name: model,
        configText: runningConfigText(deps, model),
        buckets: sampler.buckets(model, version, '1m'),
      }),
    'observe/logs': ({ afterSequence, limit }) => logs.after(afterSequence, limit),
    'observe/tasks': () => tasks.list(),
    'observe/cancelTask': ({ id }) => tasks.cancel(id),
    'server/view': () => server.view(),
    'server/stop': () => server.stop(),
    'server/stopNow': () => server.stopNow(),
    'server/check': () => server.check(),
    'server/clients': () => server.clients(),
    'server/protoFiles': () => protoFiles(),
    'server/start': ({ ports }) => server.start(ports),
    'server/restart': () => server.restart(),
    'server/diagnostics': () => ({ json: diagnostics(deps) }),
    'settings/read': () => settings.view(),
    'settings/write': async ({ changes }) => {
      await settings.write(changes);
      deps.onSettings(Object.keys(changes));
      return settings.view();
    },
    'settings/importCommand': ({ text }) => importCommand(text),
    'settings/readLayout': async ({ key }) => ({ json: await settings.readLayout(key) }),
    'settings/writeLayout': ({ key, json }) => settings.writeLayout(key, json),
  };
}

export function serverSample(deps: ObserveDependencies): ServerSample {
  const { sampler, resources, clock } = deps;
  const models = sampler.samples();
  const { cpuPercent, rssBytes, loopDelayMs, gpu } = resources.latest;
  return {
    atMs: clock.wallMs(),
    inferPerSecond: models.reduce((total, { inferPerSecond }) => total + inferPerSecond, 0),
    p99Us: sampler.totalP99Us(),
    inFlight: models.reduce((total, { inFlight }) => total + inFlight, 0),
    waiting: models.reduce((total, { waiting }) => total + waiting, 0),
    cpuPercent,
    rssBytes,
    gpu,
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

/** What the model runs with: the file, or while an override is active the override, so that a try adds to it. */
function runningConfigText({ catalog }: ObserveDependencies, model: string): string {
  const { configText } = catalog.facts(model);
  return configText === undefined || catalog.view(model).hasOverride
    ? modelConfigToText(catalog.config(model))
    : configText;
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
