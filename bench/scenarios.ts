// What is measured. Every figure comes with its floor, measured in turn with it in the same run, and is compared as a
// ratio (or difference) so that the machine's mood cancels out.

import os from 'node:os';
import path from 'node:path';

import { BareSessions } from './bare-sessions.ts';
import { floatMessage, tinyMessage } from './infer-message.ts';
import type { LoadGenerator } from './load-generator.ts';
import type { LoadResult } from './load-protocol.ts';
import { median } from './median.ts';
import { MLP_INPUT_COUNT } from './models.ts';
import { startFloor } from './servers.ts';

/** How often and how long: `warmupMs` goes before each measurement and is not counted. */
export interface Pace {
  readonly roundCount: number;
  readonly durationMs: number;
  readonly warmupMs: number;
}

interface BenchContext {
  readonly port: number;
  readonly repository: string;
  readonly load: LoadGenerator;
  readonly pace: Pace;
}

/** One figure beside its target. */
export interface Verdict {
  readonly scenario: string;
  readonly ours: string;
  readonly floor: string;
  /** Ratio, or milliseconds for the latency scenario. */
  readonly value: number;
  readonly unit: 'x' | 'ms';
  readonly target: string;
  readonly isMet: boolean;
  /** `value` of each round. */
  readonly rounds: readonly number[];
}

interface Scenario {
  readonly name: string;
  readonly models: readonly string[];
  run(context: BenchContext): Promise<Verdict>;
}

const rate = (perSecond: number): string =>
  `${perSecond < 100 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`;

async function rounds<T>(count: number, measure: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let round = 0; round < count; round++) results.push(await measure());
  return results;
}

/** Tiny model, the floor and ours in turn. */
async function tinyRounds(
  context: BenchContext,
  connectionCount: number,
): Promise<{ readonly floor: LoadResult; readonly ours: LoadResult }[]> {
  const { load, pace } = context;
  const floor = await startFloor(path.join(context.repository, 'tiny/1/model.onnx'));
  const job = { message: tinyMessage(), connectionCount, ...pace };
  try {
    return await rounds(pace.roundCount, async () => ({
      floor: await load.run({ ...job, port: floor.port }),
      ours: await load.run({ ...job, port: context.port }),
    }));
  } finally {
    await floor.close();
  }
}

const tinyThroughput: Scenario = {
  name: 'tiny model, 16 connections',
  models: ['tiny'],
  async run(context) {
    const results = await tinyRounds(context, 16);
    const ratios = results.map(({ floor, ours }) => ours.perSecond / floor.perSecond);
    const value = median(ratios);
    return {
      scenario: this.name,
      ours: rate(median(results.map(({ ours }) => ours.perSecond))),
      floor: rate(median(results.map(({ floor }) => floor.perSecond))),
      value,
      unit: 'x',
      target: '>= 0.70',
      isMet: value >= 0.7,
      rounds: ratios,
    };
  },
};

const tinyLatency: Scenario = {
  name: 'tiny model, added p50 at 1 connection',
  models: ['tiny'],
  async run(context) {
    const results = await tinyRounds(context, 1);
    const added = results.map(({ floor, ours }) => (ours.p50Us - floor.p50Us) / 1000);
    const value = median(added);
    return {
      scenario: this.name,
      ours: `${median(results.map(({ ours }) => ours.p50Us))} us`,
      floor: `${median(results.map(({ floor }) => floor.p50Us))} us`,
      value,
      unit: 'ms',
      target: '<= 0.25',
      isMet: value <= 0.25,
      rounds: added,
    };
  },
};

const resnet: Scenario = {
  name: 'ResNet-50-like, concurrency 4',
  models: ['resnet'],
  async run(context) {
    const { load, pace } = context;
    const shape = [1, 3, 224, 224];
    const bare = await BareSessions.start(
      { path: path.join(context.repository, 'resnet/1/model.onnx'), shape },
      os.availableParallelism(),
    );
    const job = { message: floatMessage('resnet', shape), connectionCount: 4, ...pace };
    // A run takes tens of milliseconds: windows must hold enough of them.
    const durationMs = Math.max(4000, pace.durationMs);
    try {
      const results = await rounds(pace.roundCount, async () => ({
        floor: await bare.measure(durationMs),
        ours: (await load.run({ ...job, durationMs, port: context.port })).perSecond,
      }));
      const ratios = results.map(({ floor, ours }) => ours / floor);
      const value = median(ratios);
      return {
        scenario: this.name,
        ours: rate(median(results.map(({ ours }) => ours))),
        floor: rate(median(results.map(({ floor }) => floor))),
        value,
        unit: 'x',
        target: '>= 0.95',
        isMet: value >= 0.95,
        rounds: ratios,
      };
    } finally {
      await bare.close();
    }
  },
};

const batching: Scenario = {
  name: 'MLP, dynamic batching on / off, concurrency 32',
  models: ['mlp_single', 'mlp_batched'],
  async run(context) {
    const { load, pace, port } = context;
    const job = (model: string) => ({
      message: floatMessage(model, [1, MLP_INPUT_COUNT]),
      connectionCount: 32,
      port,
      ...pace,
    });
    const results = await rounds(pace.roundCount, async () => ({
      off: (await load.run(job('mlp_single'))).perSecond,
      on: (await load.run(job('mlp_batched'))).perSecond,
    }));
    const ratios = results.map(({ on, off }) => on / off);
    const value = median(ratios);
    return {
      scenario: this.name,
      ours: rate(median(results.map(({ on }) => on))),
      floor: rate(median(results.map(({ off }) => off))),
      value,
      unit: 'x',
      target: '>= 3',
      isMet: value >= 3,
      rounds: ratios,
    };
  },
};

/** By the names that the command line takes. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  throughput: tinyThroughput,
  latency: tinyLatency,
  resnet,
  batching,
};
