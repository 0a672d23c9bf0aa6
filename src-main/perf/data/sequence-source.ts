// Requests of sequence models: each slot plays one sequence after another, with ids, start and end flags. An id that
// is still in use by another slot is never given out twice.

import type { PerfSequence } from '../../../src-shared/contract/perf-plan.ts';
import { seededRandom } from '../../onnx/seeded-random.ts';
import type { LoadMessage } from '../load/lane.ts';
import type { MessageSource } from '../load/load-driver.ts';
import type { DataSet } from './data-set.ts';
import type { MessageEncoder } from './message-encoder.ts';

interface OpenSequence {
  readonly id: number;
  readonly stream: number;
  readonly length: number;
  played: number;
}

const SEED = 11;

/** One open sequence for each slot; ids stay within the range of the plan. */
export class SequenceSource implements MessageSource {
  readonly #encoder: MessageEncoder;
  readonly #data: DataSet;
  readonly #options: PerfSequence;
  readonly #random = seededRandom(SEED);
  readonly #open = new Map<number, OpenSequence>();
  /** Last id of each slot. */
  readonly #lastIds = new Map<number, number>();
  #begun = 0;

  constructor(encoder: MessageEncoder, data: DataSet, options: PerfSequence) {
    this.#encoder = encoder;
    this.#data = data;
    this.#options = options;
  }

  next(slot: number): LoadMessage {
    const sequence = this.#open.get(slot) ?? this.#begin(slot);
    return this.#play(slot, sequence, sequence.played === sequence.length - 1);
  }

  finish(slot: number): LoadMessage | undefined {
    const sequence = this.#open.get(slot);
    return sequence === undefined || sequence.played === 0 ? undefined : this.#play(slot, sequence, true);
  }

  #play(slot: number, sequence: OpenSequence, isEnd: boolean): LoadMessage {
    const { id, stream, played } = sequence;
    const steps = this.#data.streams[stream] ?? [];
    sequence.played += 1;
    if (isEnd) this.#open.delete(slot);
    return this.#encoder.encode([{ stream, step: played % steps.length }], {
      id,
      isStart: played === 0,
      isEnd,
    });
  }

  #begin(slot: number): OpenSequence {
    const stream = Math.floor(this.#random() * this.#data.streams.length);
    const sequence = { id: this.#nextId(slot), stream, length: this.#lengthOf(stream), played: 0 };
    this.#open.set(slot, sequence);
    this.#lastIds.set(slot, sequence.id);
    return sequence;
  }

  #nextId(slot: number): number {
    const { firstId, idCount } = this.#options;
    const wanted = firstId + (this.#begun % idCount);
    this.#begun += 1;
    const used = new Set([...this.#open.values()].map(({ id }) => id));
    if (!used.has(wanted)) return wanted;
    const last = this.#lastIds.get(slot);
    return last === undefined || used.has(last) ? this.#freeId(used) : last;
  }

  #freeId(used: ReadonlySet<number>): number {
    const { firstId, idCount } = this.#options;
    for (let offset = 0; offset < idCount; offset += 1) {
      if (!used.has(firstId + offset)) return firstId + offset;
    }
    return firstId;
  }

  #lengthOf(stream: number): number {
    const { length, isLengthGiven, lengthVariationPercent } = this.#options;
    const own = this.#data.streams[stream]?.length ?? 1;
    if (this.#data.isGiven && !isLengthGiven) return own;
    const spread = (this.#random() * 2 - 1) * (lengthVariationPercent / 100);
    return Math.max(1, Math.round(Math.max(1, length) * (1 + spread)));
  }
}
