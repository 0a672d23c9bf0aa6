// Reads around windows: the server's statistics of the model and of everything behind it, CPU of both sides. A server
// without the statistics extension is measured from the client alone.

import { performance } from 'node:perf_hooks';

import type { PerfServerTimes } from '../../../src-shared/contract/perf-views.ts';
import type { LoadModel } from '../data/load-model.ts';
import type { ModelCounters } from '../server/model-counters.ts';
import { countersBetween, movedVersion, serverTimes } from '../server/model-counters.ts';
import { processCpuMs } from '../server/process-cpu.ts';
import type { ServerLink } from '../server/server-link.ts';
import type { WindowSurroundings } from './measured.ts';

/** What the server and this machine say at one moment; a window is the difference of two. */
export interface Reading {
  /** By model name; all versions of it. */
  readonly counters: ReadonlyMap<string, readonly ModelCounters[]>;
  readonly cpuMs: number;
  readonly busyMs: number;
  readonly serverCpuMs: number | undefined;
}

/** Reads before and after a window; from the first refusal on, statistics are not asked for any more. */
export class ServerProbe {
  readonly #link: ServerLink;
  readonly #model: LoadModel;
  readonly #serverPid: number | undefined;
  #hasStatistics = true;

  constructor(link: ServerLink, model: LoadModel, serverPid: number | undefined) {
    this.#link = link;
    this.#model = model;
    this.#serverPid = serverPid;
  }

  /** Never rejects for a server that refuses its statistics; `counters` are undefined then. */
  async read(): Promise<Reading> {
    const { user, system } = process.cpuUsage();
    const { active } = performance.eventLoopUtilization();
    const [counters, serverCpuMs] = await Promise.all([
      this.#counters(),
      this.#serverPid === undefined ? undefined : processCpuMs(this.#serverPid),
    ]);
    return { counters, cpuMs: (user + system) / 1000, busyMs: active, serverCpuMs };
  }

  /** Server's part between two readings; undefined when the server has no statistics. */
  timesBetween(before: Reading, after: Reading): PerfServerTimes | undefined {
    return this.#hasStatistics ? timesOf(this.#model, before, after) : undefined;
  }

  async #counters(): Promise<ReadonlyMap<string, readonly ModelCounters[]>> {
    const found = new Map<string, readonly ModelCounters[]>();
    if (!this.#hasStatistics) return found;
    try {
      for (const { name, version } of withComposing(this.#model)) {
        found.set(name, await this.#link.counters(name, version));
      }
    } catch {
      this.#hasStatistics = false;
    }
    return found;
  }
}

/** What both sides used of the CPU between two readings, in milliseconds. */
export function surroundingsBetween(before: Reading, after: Reading): WindowSurroundings {
  const isServerKnown = before.serverCpuMs !== undefined && after.serverCpuMs !== undefined;
  return {
    generatorCpuMs: after.cpuMs - before.cpuMs,
    generatorBusyMs: after.busyMs - before.busyMs,
    serverCpuMs: isServerKnown ? (after.serverCpuMs ?? 0) - (before.serverCpuMs ?? 0) : undefined,
  };
}

function withComposing(model: LoadModel): LoadModel[] {
  return [model, ...model.composing.flatMap(withComposing)];
}

function timesOf(model: LoadModel, before: Reading, after: Reading): PerfServerTimes | undefined {
  const from = before.counters.get(model.name) ?? [];
  const to = after.counters.get(model.name) ?? [];
  const exact = to.find(({ version }) => version === model.version);
  const counters =
    exact === undefined
      ? movedVersion(from, to, model.name)
      : countersBetween(
          from.find(({ version }) => version === model.version),
          exact,
        );
  if (counters === undefined) return undefined;
  const composing = model.composing
    .map((step) => timesOf(step, before, after))
    .filter((times) => times !== undefined);
  return serverTimes(counters, { isEnsemble: model.isEnsemble, hasCache: model.hasCache }, composing);
}
