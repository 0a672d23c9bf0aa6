// A sequence model without files or sockets: one of the teaching backends behind a real sequence batcher, on a fake
// clock. `send` numbers nothing by itself: flags and ids are the test's.

import type {
  ModelConfig,
  ModelSequenceBatching,
  SequenceState,
} from '../../src-shared/config/model-config.ts';
import type { Backend } from '../inference/backend.ts';
import type { CorrelationId, InferInput } from '../inference/inference-request.ts';
import { createSequenceBatcher } from '../scheduling/create-sequence-batcher.ts';
import type { StateSpec } from '../scheduling/sequence-initial-states.ts';
import { fakeSpec } from './fake-backend.ts';
import { SchedulerWorld } from './scheduler-world.ts';
import { int32Input, int32Values, inputConfig, modelConfig, outputConfig, type Answer } from './tensors.ts';

/** Flag of the first request of a sequence. */
export const START = 1;
/** Flag of its last one. */
export const END = 2;

const NO_ENCODING = { int32FalseTrue: [], fp32FalseTrue: [], boolFalseTrue: [] };

/** START, END and READY as INT32, CORRID as UINT64. */
function controlInputs(): ModelSequenceBatching['controlInput'] {
  const boolean = { ...NO_ENCODING, int32FalseTrue: [0, 1], dataType: 'TYPE_INVALID' } as const;
  return [
    { name: 'START', control: [{ kind: 'CONTROL_SEQUENCE_START', ...boolean }] },
    { name: 'END', control: [{ kind: 'CONTROL_SEQUENCE_END', ...boolean }] },
    { name: 'READY', control: [{ kind: 'CONTROL_SEQUENCE_READY', ...boolean }] },
    {
      name: 'CORRID',
      control: [{ kind: 'CONTROL_SEQUENCE_CORRID', ...NO_ENCODING, dataType: 'TYPE_UINT64' }],
    },
  ];
}

/** The direct strategy with all controls, five seconds of idle time and no states. */
export function sequenceBatching(change: Partial<ModelSequenceBatching> = {}): ModelSequenceBatching {
  return {
    direct: { maxQueueDelayMicroseconds: 0n, minimumSlotUtilization: 0 },
    oldest: undefined,
    maxSequenceIdleMicroseconds: 5_000_000n,
    controlInput: controlInputs(),
    state: [],
    iterativeSequence: false,
    ...change,
  };
}

/** The oldest strategy with four candidates, to be spread into a `sequenceBatching`. */
export function oldest(
  change: Partial<NonNullable<ModelSequenceBatching['oldest']>> = {},
): Partial<ModelSequenceBatching> {
  return {
    direct: undefined,
    oldest: {
      maxCandidateSequences: 4,
      preferredBatchSize: [],
      maxQueueDelayMicroseconds: 0n,
      preserveOrdering: false,
      ...change,
    },
  };
}

/** One INT32 [1] state from STATE_IN to STATE_OUT. */
export function stateConfig(change: Partial<SequenceState> = {}): SequenceState {
  return {
    inputName: 'STATE_IN',
    outputName: 'STATE_OUT',
    dataType: 'TYPE_INT32',
    dims: [1],
    initialState: [],
    useSameBufferForInputOutput: false,
    useGrowableMemory: false,
    ...change,
  };
}

/**
 * `holdUntilQueued` and `holdUntilBacklog`: nothing runs until that many requests wait, as Triton's own test
 * hooks have it.
 */
export interface SequenceWorldOptions {
  readonly backend: Backend;
  readonly batching?: Partial<ModelSequenceBatching>;
  readonly config?: Partial<ModelConfig>;
  readonly instanceCount?: number;
  readonly delayMs?: number;
  readonly holdUntilQueued?: number;
  readonly holdUntilBacklog?: number;
  readonly initialStates?: readonly StateSpec[];
  readonly keepsStates?: boolean;
}

/** `inputs` go before `shape`, which makes one input of that shape. */
export interface SendOptions {
  readonly shape?: readonly number[];
  readonly inputs?: readonly InferInput[];
  readonly timeoutUs?: number;
}

/** max_batch_size 4, INPUT and OUTPUT, one instance unless told otherwise. */
export class SequenceWorld {
  readonly world: SchedulerWorld;

  private constructor(world: SchedulerWorld) {
    this.world = world;
  }

  /** Resolves when the instances are there; nothing runs until the clock is moved. */
  static async create(options: SequenceWorldOptions): Promise<SequenceWorld> {
    const batching = sequenceBatching(options.batching);
    const config = modelConfig({
      maxBatchSize: 4,
      input: [inputConfig({ name: 'INPUT' })],
      output: [outputConfig({ name: 'OUTPUT' })],
      sequenceBatching: batching,
      parameters: { execute_delay_ms: { stringValue: String(options.delayMs ?? 0) } },
      ...options.config,
    });
    const world = await SchedulerWorld.create({
      config,
      createScheduler: (deps) =>
        createSequenceBatcher({ ...deps, keepsStates: options.keepsStates ?? true }, batching),
      instanceCount: options.instanceCount ?? 1,
      delayUntilQueuedCount: options.holdUntilQueued ?? 0,
      delayUntilBacklogCount: options.holdUntilBacklog ?? 0,
      initialStates: options.initialStates ?? [],
      createInstance: async (ordinal, { clock, statistics }) => {
        const { signal } = new AbortController();
        const model = await options.backend.load({
          modelName: 'M',
          version: '1',
          modelDir: '',
          versionDir: '',
          config,
          clock,
          backendConfig: new Map(),
          reporter: statistics,
          invoker: undefined,
          signal,
        });
        return model.createInstance(fakeSpec({ name: `M_${ordinal}`, ordinal }), { signal });
      },
    });
    return new SequenceWorld(world);
  }

  /** One request of a sequence; throws what the client would be told at once. */
  send(id: CorrelationId, value: number, flags = 0, options: SendOptions = {}): Answer {
    const batches = this.world.config.maxBatchSize > 0;
    const { shape = [1] } = options;
    const values = new Array<number>(shape.reduce((product, dim) => product * dim, 1)).fill(0);
    values[0] = value;
    return this.world.submit({
      correlationId: id,
      flags,
      timeoutUs: options.timeoutUs ?? 0,
      inputs: options.inputs ?? [int32Input('INPUT', batches ? [1, ...shape] : shape, values)],
    });
  }

  /** A whole sequence: START on the first request, END on the last unless `isOpen`. */
  sequence(
    id: CorrelationId,
    values: readonly number[],
    options: { readonly isOpen?: boolean; readonly shape?: readonly number[] } = {},
  ): Answer[] {
    return values.map((value, at) => {
      const isLast = at === values.length - 1 && options.isOpen !== true;
      const flags = (at === 0 ? START : 0) | (isLast ? END : 0);
      return this.send(id, value, flags, options.shape === undefined ? {} : { shape: options.shape });
    });
  }

  /** Executions per batch size: `{4:3,1:2}`. */
  get stats(): Record<number, number> {
    return this.world.batchStats;
  }

  /** inference_count and execution_count. */
  get counts(): { I: number; E: number } {
    const { inferenceCount, executionCount } = this.world.statistics;
    return { I: inferenceCount, E: executionCount };
  }

  /** Milliseconds of the fake clock; resolves when what fell due has run. */
  advance(ms: number): Promise<void> {
    return this.world.clock.advance(ms);
  }
}

/** First element of OUTPUT of each answer, or the outcome where there is none. */
export function results(answers: readonly Answer[]): (number | string)[] {
  return answers.map((answer) => {
    const bytes = answer.responses[0]?.outputs.find(({ name }) => name === 'OUTPUT')?.bytes;
    return bytes === undefined ? answer.outcome : (int32Values(bytes)[0] ?? 'empty');
  });
}

/** Sequences of these lengths, sent round by round; where all start at once, long ones take the first slots. */
export function interleave(
  world: SequenceWorld,
  lengths: readonly number[],
  shapes?: readonly number[],
): Answer[] {
  const answers: Answer[] = [];
  for (let step = 0; step < Math.max(...lengths); step += 1) {
    lengths.forEach((length, at) => {
      if (step >= length) return;
      const flags = (step === 0 ? START : 0) | (step === length - 1 ? END : 0);
      const shape = shapes?.[at];
      answers.push(
        world.send(BigInt(at + 1), step + 1, flags, shape === undefined ? {} : { shape: [shape] }),
      );
    });
  }
  return answers;
}
