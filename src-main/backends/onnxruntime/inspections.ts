// Asks the runtime what a model file does not say, by making a session of it. Where the instances will need the very same
// session, as many as are made side by side are made now, and wait in their threads for the instances.

import { stat } from 'node:fs/promises';
import os from 'node:os';

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { InstanceHost } from '../instance-host/instance-host.ts';
import type { SessionInfo, SessionInit } from './session-messages.ts';
import type { SessionOptionsResult } from './session-options.ts';

/** What opening a file told, with the sessions that were opened for it. */
export interface Inspection {
  readonly info: SessionInfo;
  /** The number that instances name to be given its sessions; undefined for a session of this kind: it has none. */
  reservationFor(init: SessionInit): number | undefined;
}

/** Answers kept for a load that follows. */
const MAX_KEPT = 16;

/** The cheapest session: nothing but its inputs and outputs is asked for. */
const PLAIN: SessionInit['settings'] = {
  graphOptimizationLevel: 'disabled',
  executionMode: 'sequential',
  extra: {},
};

/** What was asked of a file holds as long as its size and its time of change do. */
export class Inspections {
  readonly #host: InstanceHost;
  /** What completion found out about files that are about to be loaded. */
  readonly #kept = new Map<string, Inspection>();
  #lastNumber = 0;

  constructor(host: InstanceHost) {
    this.#host = host;
  }

  /** `options`: those of the instances; undefined where they are not known. Rejects with what the runtime says. */
  async ask(
    path: string,
    config: ModelConfig,
    options: SessionOptionsResult | undefined,
  ): Promise<Inspection> {
    const { mtimeMs, size } = await stat(path);
    const file = `${path} ${mtimeMs} ${size}`;
    const inspection = this.#kept.get(file) ?? (await this.#make(path, cpuInstanceCount(config), options));
    // Completion asks first, then loading, once each.
    if (!this.#kept.delete(file)) this.#kept.set(file, inspection);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return inspection;
  }

  async #make(
    path: string,
    instanceCount: number,
    options: SessionOptionsResult | undefined,
  ): Promise<Inspection> {
    const isReusable = options !== undefined && instanceCount > 0;
    const number = isReusable ? (this.#lastNumber += 1) : undefined;
    const init: SessionInit = {
      path,
      settings: isReusable ? options.settings : PLAIN,
      providerAttempts: [[{ name: 'cpu' }]],
      feeds: [],
      outputs: [],
      isBatching: false,
      ...(number === undefined ? {} : { inspection: number }),
    };
    const label = `the inspection of '${path}'`;
    const niceLevel = options?.niceLevel;
    const open = () => this.#host.open({ label, init, ...(niceLevel === undefined ? {} : { niceLevel }) });
    // As many as the repository creates side by side.
    const count = isReusable ? Math.min(instanceCount, Math.max(2, os.availableParallelism())) : 1;
    const opened = await Promise.allSettled(Array.from({ length: count }, open));
    const sessions = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    await Promise.all(sessions.map((session) => this.#host.closeSession(session, number)));
    const failed = opened.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const made = kindOf(init);
    return {
      info: sessions[0]?.info as SessionInfo,
      reservationFor: (wanted) => (kindOf(wanted) === made ? number : undefined),
    };
  }
}

function cpuInstanceCount({ instanceGroup }: ModelConfig): number {
  return instanceGroup.reduce((count, group) => count + (group.kind === 'KIND_CPU' ? group.count : 0), 0);
}

/** What native sessions have in common that can stand for each other. */
const kindOf = ({ path, settings, providerAttempts, overridable = [] }: SessionInit): string =>
  JSON.stringify([path, settings, providerAttempts, overridable]);
