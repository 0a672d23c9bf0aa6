// The scheduler of an ensemble: every request becomes a run over the composing models. There are no instances and no
// batching at this level; the response cache may answer before any step runs. (docs/reference/ensembles.md)

import type { ModelEnsembling } from '../../src-shared/config/model-config.ts';
import { getLogger } from '../base/log.ts';
import { Roster } from '../base/roster.ts';
import type { EnsembleRunRecord, ExecutionRecord } from '../inference/execution.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import { traceQueued } from '../inference/queue-trace.ts';
import type { Scheduler } from '../inference/scheduler.ts';
import { ensembleErrors } from './ensemble-errors.ts';
import { EnsembleGraph } from './ensemble-graph.ts';
import { EnsembleHistory } from './ensemble-history.ts';
import type { FinishedRun } from './ensemble-history.ts';
import { InflightLimit } from './ensemble-inflight-limit.ts';
import { EnsembleRun, type EnsembleParts } from './ensemble-run.ts';
import type { SchedulerDeps } from './scheduler-deps.ts';

/**
 * Composing models are looked up for each request, so they may be reloaded meanwhile. `close` waits for the runs
 * that are under way.
 */
export class EnsembleScheduler implements Scheduler {
  readonly #deps: SchedulerDeps;
  readonly #parts: EnsembleParts;
  readonly #runs = new Roster<EnsembleRun>();
  readonly #history = new EnsembleHistory();
  #whenIdle: (() => void)[] = [];

  /** Throws UNSUPPORTED where there are no other models to ask. */
  constructor(deps: SchedulerDeps, ensembling: ModelEnsembling) {
    const { config, clock, statistics, invoker } = deps;
    if (invoker === undefined) throw ensembleErrors.withoutModels({ model: config.name });
    this.#deps = deps;
    const graph = new EnsembleGraph(
      ensembling,
      config.output.map(({ name }) => name),
    );
    const limit = ensembling.maxInflightRequests;
    if (limit > 0) {
      getLogger('scheduling').info(
        `Ensemble model '${config.name}' configured with max_inflight_requests: ${limit}`,
      );
    }
    this.#parts = {
      config,
      graph,
      clock,
      statistics,
      invoker,
      limits: graph.steps.map(({ index, modelName }) =>
        limit > 0
          ? new InflightLimit({
              limit,
              clock,
              label: `step ${index} (model '${modelName}') of ensemble '${config.name}'`,
            })
          : undefined,
      ),
      onFinished: (run, finished) => this.#finished(run, finished),
    };
  }

  enqueue(request: InferenceRequest): void {
    const nowNs = this.#deps.clock.nowNs();
    request.times.queueStartNs = nowNs;
    request.times.batcherStartNs = nowNs;
    traceQueued(request, nowNs);
    if (this.#deps.cache?.answer(request) === true) return;
    const run = new EnsembleRun(this.#parts, request);
    this.#runs.add(run);
    run.start();
  }

  get inflightCount(): number {
    return this.#runs.length;
  }

  /** Nothing waits at this level. */
  get queuedCount(): number {
    return 0;
  }

  recentExecutions(): readonly ExecutionRecord[] {
    return [];
  }

  recentRuns(): readonly EnsembleRunRecord[] {
    return this.#history.toArray();
  }

  /** Does nothing: requests are refused by the composing models. */
  stop(): void {
    return undefined;
  }

  /** Cancels what is running and resolves when every request has been answered and released. */
  async close(): Promise<void> {
    for (const run of this.#runs.toArray()) run.request.cancel();
    while (this.#runs.length > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle.push(resolve);
      });
    }
    await this.#deps.instances.close();
  }

  #finished(run: EnsembleRun, finished: FinishedRun): void {
    this.#runs.remove(run);
    this.#history.record(finished);
    if (this.#runs.length === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}
