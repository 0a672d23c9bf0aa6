// Runs one class of attacks against a server: sends its inputs some at a time, keeps those that did harm, and measures
// afterwards whether the server is well and holds no more of the system than before.

import { setTimeout as pause } from 'node:timers/promises';

import { Random } from '../../src-main/testing/http-fuzz.ts';
import type { AttackClass } from './attack-class.ts';
import { keepFinding } from './findings.ts';
import type { Level } from './process-level.ts';
import { Pulse } from './pulse.ts';
import type { Victim } from './victim.ts';

const DEFAULT_LIMIT_MS = 5000;
const MAX_FINDINGS = 20;
/** Longest time for which the loop of the engine may be held. */
const HOLD_LIMIT_MS = 5000;
const SETTLE_LIMIT_MS = 45_000;
const NOTHING: Level = { descriptors: 0, threads: 0, children: 0, residentMiB: 0, heapMiB: 0 };
/**
 * What a level may differ from the one before: pools that were filled, code that was compiled. Resident memory is the
 * coarse one of the two: V8 keeps pages of threads that ended for the next ones, some 200 MiB after the largest texts.
 */
const ALLOWANCE: Level = { descriptors: 12, threads: 2, children: 0, residentMiB: 450, heapMiB: 24 };

/** How one class went. */
export interface ClassResult {
  readonly name: string;
  readonly sends: string;
  readonly inputs: number;
  readonly seconds: number;
  /** One line each. */
  readonly faults: readonly string[];
  /** Slowest round of questions that somebody else asked meanwhile. */
  readonly slowestPulseMs: number;
  /** For how long the event loop of the engine was held at the longest. */
  readonly longestHoldMs: number;
  readonly before: Level;
  readonly after: Level;
}

/** Which inputs of a class are sent. */
export interface RunOptions {
  readonly seed: number;
  /** Number of the first input. */
  readonly first: number;
  readonly inputs: number;
}

/** Numbers of an input: the same for the same seed, class and index, whatever was sent before. */
function randomOf(seed: number, name: string, index: number): Random {
  let hash = seed >>> 0;
  for (const character of `${name}:${index}`)
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  const random = new Random(hash);
  for (let turn = 0; turn < 4; turn += 1) random.below(2);
  return random;
}

/** One run of one class, whose faults are part of its result. */
export class ClassRun {
  readonly #victim: Victim;
  readonly #attack: AttackClass;
  readonly #options: RunOptions;
  readonly #faults: string[] = [];
  readonly #onTheWay = new Map<number, unknown>();

  constructor(victim: Victim, attack: AttackClass, options: RunOptions) {
    this.#victim = victim;
    this.#attack = attack;
    this.#options = options;
  }

  /** To be called once; what went wrong is in the result. */
  async run(): Promise<ClassResult> {
    const { name, sends, prepare, judge, inputs } = this.#attack;
    const startedAt = performance.now();
    const undo = await prepare?.(this.#victim);
    // What the first inputs of a kind make the server load and compile is no leak.
    const warmUp = Math.min(this.#options.inputs, Math.ceil(inputs / 50));
    await this.#sendAll(-warmUp, 0);
    const before = this.#victim.hasCrashed ? NOTHING : await this.#victim.level();
    if (!this.#victim.hasCrashed) await this.#victim.watchLoop();
    const pulse = new Pulse(this.#victim.address);
    const { first } = this.#options;
    await this.#sendAll(first, first + this.#options.inputs);
    const { slowestMs: slowestPulseMs, faults: sick } = await pulse.end();
    let longestHoldMs = 0;
    if (!this.#victim.hasCrashed) {
      this.#faults.push(...sick);
      longestHoldMs = await this.#victim.longestHoldMs();
      if (longestHoldMs > HOLD_LIMIT_MS) this.#faults.push(`the event loop was held for ${longestHoldMs} ms`);
      const wrong = await judge?.(this.#victim);
      if (wrong !== undefined) this.#faults.push(wrong);
    }
    await undo?.();
    const after = await this.#settle(before);
    for (const line of this.#victim.takeUncaught()) this.#faults.push(`in the log: ${line}`);
    const seconds = (performance.now() - startedAt) / 1000;
    const common = { name, sends, inputs: this.#options.inputs, seconds, before, after };
    return { ...common, faults: this.#faults, slowestPulseMs, longestHoldMs };
  }

  async #sendAll(from: number, to: number): Promise<void> {
    let next = from;
    const lane = async (): Promise<void> => {
      while (next < to && !this.#isEnough()) {
        const index = next++;
        await this.#sendOne(index);
      }
    };
    await Promise.all(Array.from({ length: this.#attack.width }, lane));
    if (this.#victim.hasCrashed) await this.#keepOnTheWay();
  }

  async #sendOne(index: number): Promise<void> {
    const { name, limitMs = DEFAULT_LIMIT_MS } = this.#attack;
    const input = this.#attack.make(randomOf(this.#options.seed, name, index), index);
    this.#onTheWay.set(index, input);
    const timer = new AbortController();
    const late = pause(limitMs, `no end within ${limitMs} ms`, { signal: timer.signal }).catch(
      () => undefined,
    );
    const fault = await Promise.race([this.#attack.send(input, this.#victim, index), late]).catch(
      (thrown: unknown) => `thrown: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
    timer.abort();
    if (this.#victim.hasCrashed) return;
    this.#onTheWay.delete(index);
    if (fault !== undefined) await this.#keep(index, input, fault);
  }

  async #keep(index: number, input: unknown, fault: string): Promise<void> {
    const file = await keepFinding({
      seed: this.#options.seed,
      className: this.#attack.name,
      index,
      fault,
      input,
    });
    this.#faults.push(`input ${index}: ${fault.slice(0, 600)} (${file})`);
  }

  /** One of these ended the engine. */
  async #keepOnTheWay(): Promise<void> {
    for (const [index, input] of this.#onTheWay)
      await this.#keep(index, input, 'the engine ended with it on the way');
    this.#onTheWay.clear();
  }

  #isEnough(): boolean {
    return this.#victim.hasCrashed || this.#faults.length >= MAX_FINDINGS;
  }

  /** Waits until the level is back, or the time is over and it is a fault. */
  async #settle(before: Level): Promise<Level> {
    if (this.#victim.hasCrashed) {
      this.#faults.push(`the engine ended; the end of the log:\n${this.#victim.log.slice(-3000)}`);
      return before;
    }
    const endAt = performance.now() + SETTLE_LIMIT_MS;
    for (;;) {
      const sick = await this.#victim.sickness();
      const after = await this.#victim.level();
      const above = (Object.keys(ALLOWANCE) as (keyof Level)[]).filter(
        (item) => after[item] > before[item] + ALLOWANCE[item],
      );
      if (sick === undefined && above.length === 0) return after;
      if (performance.now() > endAt) {
        if (sick !== undefined) this.#faults.push(sick);
        for (const item of above) this.#faults.push(`${item}: ${before[item]} before, ${after[item]} after`);
        return after;
      }
      await pause(1000);
    }
  }
}
