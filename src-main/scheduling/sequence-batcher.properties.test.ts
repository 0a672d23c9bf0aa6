// Random interleaved sequences, cancellations and pauses through the whole sequence batcher.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dynaSequenceBackend, sequenceBackend } from '../backends/sequence/accumulator-backends.ts';
import { implicitStateBackend } from '../backends/sequence/implicit-state-backend.ts';
import type { Backend } from '../inference/backend.ts';
import { END, oldest, results, SequenceWorld, START, stateConfig } from '../testing/sequence-world.ts';
import type { Answer } from '../testing/tensors.ts';
import type { StateSpec } from './sequence-initial-states.ts';

interface Plan {
  readonly id: bigint;
  readonly length: number;
  readonly cancelAt: number;
}

const plans = fc.array(
  fc.record({
    length: fc.integer({ min: 1, max: 5 }),
    /** Which request is cancelled right after it was sent; beyond the length = none. */
    cancelAt: fc.integer({ min: 0, max: 30 }),
  }),
  { minLength: 1, maxLength: 8 },
);

const turns = fc.array(fc.record({ pick: fc.nat(), pauseMs: fc.constantFrom(0, 0, 0, 5, 20) }), {
  minLength: 0,
  maxLength: 60,
});

/** Sends all requests of the plans in a random interleaving; gives the answers per sequence. */
async function play(
  world: SequenceWorld,
  sequences: readonly Plan[],
  order: readonly { readonly pick: number; readonly pauseMs: number }[],
): Promise<Map<bigint, Answer[]>> {
  const answers = new Map<bigint, Answer[]>(sequences.map(({ id }) => [id, []]));
  const open = sequences.map((plan) => ({ plan, next: 0 }));
  for (let turn = 0; open.length > 0; turn += 1) {
    const { pick, pauseMs } = order[turn] ?? { pick: 0, pauseMs: 0 };
    const at = pick % open.length;
    const entry = open[at];
    if (entry === undefined) break;
    const { plan } = entry;
    const isLast = entry.next === plan.length - 1;
    const flags = (entry.next === 0 ? START : 0) | (isLast ? END : 0);
    try {
      const answer = world.send(plan.id, 1, flags);
      answers.get(plan.id)?.push(answer);
      if (entry.next === plan.cancelAt) answer.request.cancel();
    } catch {
      // A cancelled sequence is forgotten; what its client still sends is refused.
      entry.next = plan.length - 1;
    }
    entry.next += 1;
    if (entry.next === plan.length) open.splice(at, 1);
    if (pauseMs > 0) await world.advance(pauseMs);
  }
  await world.advance(60_000);
  return answers;
}

const STATE: StateSpec = {
  inputName: 'STATE_IN',
  outputName: 'STATE_OUT',
  datatype: 'INT32',
  initialShape: [1],
  initialBytes: new Uint8Array(4),
  usesSameBuffer: false,
};

/** The backend, failing the test when one batch holds two requests of a sequence. */
function guarded(backend: Backend, onBroken: (ids: string) => void): Backend {
  return {
    description: backend.description,
    load: async (context) => {
      const model = await backend.load(context);
      return {
        ...model,
        createInstance: async (spec, options) => {
          const instance = await model.createInstance(spec, options);
          return {
            ...instance,
            execute: (payload) => {
              const ids = payload.requests.filter(({ isNull }) => !isNull).map((each) => each.correlationId);
              if (new Set(ids).size < ids.length) onBroken(ids.join(' '));
              return instance.execute(payload);
            },
          };
        },
      };
    },
  };
}

interface Strategy {
  readonly backend: Backend;
  readonly isOldest: boolean;
  /** The backend adds the id to the last result. */
  readonly addsId: boolean;
  readonly states: readonly StateSpec[];
}

const strategies: [string, Strategy][] = [
  ['direct', { backend: sequenceBackend, isOldest: false, addsId: false, states: [] }],
  ['oldest', { backend: dynaSequenceBackend, isOldest: true, addsId: true, states: [] }],
  ['direct with state', { backend: implicitStateBackend, isOldest: false, addsId: false, states: [STATE] }],
  ['oldest with state', { backend: implicitStateBackend, isOldest: true, addsId: false, states: [STATE] }],
];

/** Each request adds 1: results that count up were never written to by another sequence. */
function checkSequence(id: bigint, answers: readonly Answer[], { addsId }: Strategy): void {
  for (const { finalCount, releaseCount, responses } of answers) {
    expect([finalCount, releaseCount, responses.length]).toEqual([1, 1, 1]);
  }
  const done = answers.filter(({ outcome }) => outcome === 'ok');
  const order = done.map(({ responseOrder }) => responseOrder[0] ?? -1);
  expect(order).toEqual([...order].sort((a, b) => a - b));
  const expected = done.map((answer, at) => {
    const isEnd = (answer.request.flags & END) !== 0;
    return at + 1 + (addsId && isEnd ? Number(id) : 0);
  });
  expect(results(done)).toEqual(expected);
}

test.each(strategies)(
  '%s: every request is answered once, sequences keep their order and their own state',
  async (_name, strategy) => {
    await fc.assert(
      fc.asyncProperty(
        plans,
        turns,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 2 }),
        async (lengths, order, maxBatchSize, instanceCount) => {
          const broken: string[] = [];
          const world = await SequenceWorld.create({
            backend: guarded(strategy.backend, (ids) => broken.push(ids)),
            batching: {
              ...(strategy.isOldest ? oldest({ maxCandidateSequences: maxBatchSize + 1 }) : {}),
              state: strategy.states.length === 0 ? [] : [stateConfig()],
            },
            initialStates: strategy.states,
            config: { maxBatchSize },
            instanceCount,
            delayMs: 7,
          });
          const sequences = lengths.map((plan, at) => ({ ...plan, id: BigInt(at + 1) }));
          const answers = await play(world, sequences, order);
          for (const [id, each] of answers) checkSequence(id, each, strategy);
          expect(broken).toEqual([]);
          const { scheduler, statistics, clock } = world.world;
          expect([scheduler.inflightCount, statistics.pendingCount, clock.timerCount]).toEqual([0, 0, 0]);
        },
      ),
      { numRuns: 60 },
    );
  },
);
