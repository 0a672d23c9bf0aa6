// Somebody else who asks the attacked server for answers by value all the time, in a thread of their own: making inputs
// takes the attacker's thread seconds, in which it would take the server for silent.

import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

import { Health, type ServerAddress } from './health.ts';

const PULSE_MS = 250;
const MAX_FAULTS = 20;

/** What the other client saw while a class was sent. */
export interface PulseResult {
  /** Longest time that one round of questions to all ports took. */
  readonly slowestMs: number;
  /** What was wrong with answers, one line each. */
  readonly faults: readonly string[];
}

/** Asks until `end` is called. */
export class Pulse {
  readonly #worker: Worker;
  readonly #result: Promise<PulseResult>;

  constructor(address: ServerAddress) {
    this.#worker = new Worker(fileURLToPath(import.meta.url), { workerData: address });
    this.#result = new Promise((resolve, reject) => {
      this.#worker.once('message', resolve);
      this.#worker.once('error', reject);
    });
  }

  /** Lets the last round end, or breaks it off when nobody is there to answer. */
  async end(): Promise<PulseResult> {
    this.#worker.postMessage('end');
    const result = await this.#result;
    await this.#worker.terminate();
    return result;
  }
}

async function feel(address: ServerAddress): Promise<PulseResult> {
  const health = new Health(address);
  const faults: string[] = [];
  let slowestMs = 0;
  let isOver = false;
  parentPort?.once('message', () => (isOver = true));
  while (!isOver && faults.length < MAX_FAULTS) {
    const askedAt = performance.now();
    const sick = await health.sickness();
    slowestMs = Math.max(slowestMs, performance.now() - askedAt);
    if (sick !== undefined) faults.push(sick);
    await health.resetSettings().catch((thrown: unknown) => faults.push(String(thrown)));
    await pause(PULSE_MS);
  }
  health.close();
  return { slowestMs: Math.round(slowestMs), faults };
}

if (!isMainThread) parentPort?.postMessage(await feel(workerData as ServerAddress));
