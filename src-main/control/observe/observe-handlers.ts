// Answers the calls about what the server does.

import { modelConfigToText } from '../../../src-shared/config/config-encoder.ts';
import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { observeCalls } from '../../../src-shared/contract/observe-calls.ts';
import type {
  DoctorVerdict,
  ExecutionView,
  SeriesMarker,
  ServerSample,
} from '../../../src-shared/contract/observe-views.ts';
import type { Clock } from '../../base/clock.ts';
import type { Model } from '../../repository/model.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import { diagnoseModel } from '../doctor/diagnose-model.ts';
import type { ModelSampler } from '../series/model-sampler.ts';
import { seriesAnswer } from '../series/series-answer.ts';
import type { LogHistory } from './log-history.ts';
import type { ResourceHistory } from './resource-history.ts';
import { counterState, hostMemory, statisticsView } from './statistics-view.ts';
import type { ViewResets } from './view-resets.ts';
import { observeErrors } from './observe-errors.ts';

/** What the calls about statistics, logs and the machine work with. */
export interface ObserveDependencies {
  readonly clock: Clock;
  readonly catalog: ModelCatalog;
  readonly sampler: ModelSampler;
  readonly resources: ResourceHistory;
  readonly resets: ViewResets;
  readonly logs: LogHistory;
  /** Ready versions of a model, oldest first; all of them when `version` is "". */
  readonly served: (name: string, version: string) => readonly Model[];
  /** Of one model, oldest first. */
  readonly markers: (model: string) => readonly SeriesMarker[];
  /** Of the latest second; may be asked by several pages. */
  readonly sample: () => ServerSample;
}

/** `version` "" asks for every version that serves; a model that is not loaded has an empty answer. */
export function observeHandlers(deps: ObserveDependencies): HandlersFor<typeof observeCalls> {
  const { clock, sampler, logs, resources, resets, served } = deps;
  return {
    'observe/sample': () => deps.sample(),
    'observe/series': (args) =>
      seriesAnswer(args, {
        sampler,
        served: served(args.model, args.version).at(-1),
        markers: deps.markers(args.model),
      }),
    'observe/resources': ({ window, afterMs }) => ({ points: resources.points(window, afterMs) }),
    'observe/sparklines': () => sampler.sparklines(),
    'observe/statistics': async ({ model, version, resetId = '' }) => {
      const memory = await hostMemory(served(model, version));
      return served(model, version).map((one) =>
        statisticsView(one, {
          now: counterState(one, clock.wallMs()),
          since: resets.find(resetId, one),
          busy: sampler.busyShares(model, one.version),
          memory,
        }),
      );
    },
    'observe/resetView': ({ model, version }) => {
      const newest = served(model, version).at(-1);
      if (newest === undefined) throw observeErrors.noCounters({ model });
      return { resetId: resets.remember(newest, counterState(newest, clock.wallMs())) };
    },
    'observe/executions': ({ model, version }) => served(model, version).flatMap(executionViews),
    'observe/doctor': ({ model, version }): DoctorVerdict =>
      diagnoseModel(served(model, version).at(-1), {
        name: model,
        configText: runningConfigText(deps.catalog, model),
        buckets: sampler.buckets(model, version, '1m'),
      }),
    'observe/logs': ({ afterSequence, limit }) => logs.after(afterSequence, limit),
  };
}

/** What the model runs with: the file, or while an override is active the override, so that a try adds to it. */
function runningConfigText(catalog: ModelCatalog, model: string): string {
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
    oldestQueueUs: record.oldestQueueNs / 1000,
    inferUs: record.inferNs / 1000,
  }));
}
