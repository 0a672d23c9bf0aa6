// Answers the calls of the Perf lab: plans, runs, history, comparison, sweeps, applying a configuration.

import { readFile } from 'node:fs/promises';

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { perfCalls } from '../../../src-shared/contract/perf-calls.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { Clock } from '../../base/clock.ts';
import { parseCommand, toCommand } from '../../perf/options/plan-command.ts';
import { applyRun, undoApply } from '../../perf/runs/apply-config.ts';
import { servedText } from '../../perf/runs/config-override.ts';
import { compareRuns } from '../../perf/runs/compare-runs.ts';
import { exportName, exportRun } from '../../perf/runs/export-run.ts';
import type { PerfModelHost } from '../../perf/runs/model-host.ts';
import { perfDefaults } from '../../perf/runs/perf-defaults.ts';
import type { PerfLab } from '../../perf/runs/perf-lab.ts';
import type { RunStore } from '../../perf/runs/run-store.ts';
import { summaryOf } from '../../perf/runs/run-store.ts';
import { sweepResult } from '../../perf/runs/sweep-result.ts';
import { perfHistoryErrors } from './perf-history-errors.ts';

/** What the calls about load tests work with. */
export interface PerfDependencies {
  readonly clock: Clock;
  readonly host: PerfModelHost;
  readonly store: RunStore;
  readonly lab: PerfLab;
  /** The configuration a model runs with, or would. NOT_FOUND for an unknown model. */
  readonly configOf: (model: string) => ModelConfig;
  /** What the settings say of measurements. */
  readonly measurement: () => Partial<PerfPlan['measurement']>;
}

/** `createBlob` keeps bytes for a page to fetch and gives their id. */
export function perfHandlers(
  deps: PerfDependencies,
  createBlob: (bytes: Uint8Array) => string,
): HandlersFor<typeof perfCalls> {
  const { lab, store, host } = deps;
  return {
    'perf/plan': async ({ model }) => {
      const described = await host.describe(model);
      return perfDefaults(deps.configOf(model), {
        configText: servedText(described),
        isSequence: hasSequence(deps, model),
        measurement: deps.measurement(),
      });
    },
    'perf/start': (request) => lab.start(request),
    'perf/stop': ({ run }) => lab.stop(run),
    'perf/skip': ({ run }) => lab.skip(run),
    'perf/pause': ({ run, isPaused }) => lab.pause(run, isPaused),
    'perf/current': () => ({ progress: lab.progress }),
    'perf/runs': ({ model }) => store.list(model),
    'perf/run': ({ run }) => store.find(run),
    'perf/delete': async ({ run }) => {
      await lab.stop(run);
      await store.delete(run);
    },
    'perf/note': async ({ run, name, note, isStarred }) =>
      summaryOf(
        await store.change(run, () => ({
          ...(name !== undefined && { name }),
          ...(note !== undefined && { note }),
          ...(isStarred !== undefined && { isStarred }),
        })),
      ),
    'perf/compare': async ({ runs }) => compareRuns(await Promise.all(runs.map((run) => store.find(run)))),
    'perf/sweep': async ({ sweep }) => {
      const runs = await store.bySweep(sweep);
      if (runs.length === 0) throw perfHistoryErrors.noSweep({ sweep });
      return sweepResult(sweep, runs);
    },
    'perf/export': async ({ run, format }) => exportRun(await store.find(run), format),
    'perf/exportRequests': async ({ run: id }) => {
      const run = await store.find(id);
      const bytes = await readFile(await store.requestsFile(id)).catch(() => {
        throw perfHistoryErrors.noRequests({ run: id });
      });
      const fileName = `${exportName(run)}-requests.json`;
      return { fileName, blob: createBlob(bytes), byteSize: bytes.byteLength };
    },
    'perf/apply': async ({ run, expectedHash, verifyMs }) =>
      applyRun(deps, await store.find(run), { expectedHash, verifyMs }),
    'perf/undoApply': ({ applyId }) => undoApply(deps, applyId),
    'perf/parseCommand': ({ command }) => parseCommand(command, host.addresses()),
    'perf/toCommand': ({ plan }) => toCommand(plan, host.addresses()),
  };
}

/** An ensemble is a sequence model when one of its steps is. */
function hasSequence({ configOf }: PerfDependencies, model: string): boolean {
  const steps = configOf(model).ensembleScheduling?.step ?? [];
  return steps.some(({ modelName }) => {
    try {
      return configOf(modelName).sequenceBatching !== undefined;
    } catch {
      return false;
    }
  });
}
