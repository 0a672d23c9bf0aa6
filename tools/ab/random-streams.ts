// Random streams of inference: decoupled models, ordinary ones, sequences, ensembles and faults in random order, with random
// pauses, on one to three streams at once. The same seed gives the same ones.

import type { Move, StreamOptions } from '../../tests/reference/stream-exchange.ts';
import type { Message } from '../../tests/reference/stream-models.ts';
import { FINAL, play, slow, stepOf } from '../../tests/reference/stream-models.ts';
import { RandomChoice } from './random-choice.ts';

/** What the client of one stream does. */
export interface RandomStream {
  readonly moves: readonly Move[];
  readonly options: StreamOptions;
}

const PAUSES = [0, 0, 40, 120, 250];
const MODELS = ['player', 'player', 'rows', 'played', 'alone'];

/** Streams, one round after the other; a seed always gives the same ones. */
export class RandomStreams {
  readonly #choice: RandomChoice;
  /** Sequences have numbers of their own, so that streams do not disturb each other. */
  #sequences = 0;
  #requests = 0;

  constructor(seed: number) {
    this.#choice = new RandomChoice(seed);
  }

  /** Streams that are played at the same time. */
  streams(): readonly RandomStream[] {
    return Array.from({ length: 1 + this.#choice.below(3) }, () => this.#stream());
  }

  #stream(): RandomStream {
    const moves: Move[] = [];
    const length = 1 + this.#choice.below(7);
    while (moves.length < length) {
      moves.push(...this.#requestsOfOne());
      moves.push(this.#choice.one(PAUSES));
    }
    if (this.#choice.chance(0.3)) moves.push('end');
    const isStrict = this.#choice.chance(0.1);
    return { moves, options: isStrict ? { metadata: { triton_grpc_error: 'true' } } : {} };
  }

  #requestsOfOne(): readonly Move[] {
    const choice = this.#choice;
    const dice = choice.next();
    if (dice < 0.45) return [this.#played()];
    if (dice < 0.7) return [this.#slow()];
    if (dice < 0.85) return this.#sequence();
    return [this.#faulty()];
  }

  #id(): string {
    this.#requests += 1;
    return this.#choice.chance(0.1) ? '' : `r${this.#requests}`;
  }

  #more(): Message {
    return this.#choice.chance(0.6) ? FINAL : {};
  }

  #played(): Message {
    const choice = this.#choice;
    const words: string[] = [];
    for (let count = choice.below(4); count > 0; count -= 1) {
      words.push(choice.chance(0.1) ? 'e' : String(choice.below(30)));
      if (choice.chance(0.4)) words.push(choice.one(['s60', 's150']));
    }
    // The end comes well behind the last response: which of two that meet is first, is chance in an ensemble.
    words.push(choice.chance(0.2) ? `f${choice.below(30)}` : 's80 f');
    return play(this.#id(), words.join(' '), this.#more(), choice.one(MODELS));
  }

  #slow(): Message {
    const value = this.#choice.one([0, 0, 30, 100, 200]);
    return slow(this.#id(), this.#choice.chance(0.1) ? -value - 1 : value, this.#more());
  }

  #sequence(): readonly Move[] {
    const choice = this.#choice;
    this.#sequences += 1;
    const id = 1000 + this.#sequences;
    const model = choice.one(['sums', 'oldest', 'counts']);
    const asks = model === 'counts' ? (FINAL['parameters'] as Message) : {};
    const length = 1 + choice.below(4);
    return Array.from({ length }, (_, at) => {
      const isStart = at === 0 && !choice.chance(0.08);
      const flags = `${isStart ? 's' : ''}${at === length - 1 ? 'e' : ''}`;
      return stepOf(model, id, choice.below(4), flags, asks);
    });
  }

  #faulty(): Message {
    const choice = this.#choice;
    const [base, name] = choice.one([
      [slow(this.#id(), 0), 'INPUT0'],
      [play(this.#id(), '1 f', this.#more()), 'PLAY'],
    ] as const);
    const change = choice.one<Message>([
      { model_name: 'nope' },
      { model_version: '9' },
      { raw_input_contents: [] },
      { raw_input_contents: [Buffer.alloc(3)] },
      { inputs: [] },
      { inputs: [{ name, datatype: 'FP64', shape: [1] }] },
      { inputs: [{ name, datatype: 'INT32', shape: [2] }] },
      { outputs: [{ name: 'NOPE' }] },
      { parameters: { triton_other: { bool_param: true } } },
      { parameters: { priority: { string_param: 'x' } } },
    ]);
    return { ...base, ...change };
  }
}
