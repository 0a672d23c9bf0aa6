// Requests of models without sequences: all entries in turn, shared by all lanes, encoded once where memory allows.

import type { LoadMessage } from '../load/lane.ts';
import type { MessageSource } from '../load/load-driver.ts';
import type { StepPlace } from './data-set.ts';
import type { MessageEncoder } from './message-encoder.ts';

/** Encoded messages above this in all are made anew each time. */
const KEPT_BYTES = 256 * 1024 * 1024;

/** Slots share one round of entries; messages are encoded once when all of them fit into memory. */
export class PlainSource implements MessageSource {
  readonly #encoder: MessageEncoder;
  readonly #places: readonly StepPlace[];
  readonly #batchSize: number;
  readonly #kept: LoadMessage[] = [];
  readonly #isKept: boolean;
  #at = 0;

  constructor(encoder: MessageEncoder, places: readonly StepPlace[], batchSize: number) {
    this.#encoder = encoder;
    this.#places = places;
    this.#batchSize = batchSize;
    const first = this.#encode(0);
    const count = places.length / greatestCommonDivisor(places.length, batchSize);
    this.#isKept = first.bytes.byteLength * count <= KEPT_BYTES;
    if (!this.#isKept) return;
    this.#kept.push(first);
    for (let index = 1; index < count; index += 1) this.#kept.push(this.#encode(index));
  }

  next(): LoadMessage {
    const index = this.#at;
    this.#at += 1;
    if (!this.#isKept) return this.#encode(index);
    return this.#kept[index % this.#kept.length] as LoadMessage;
  }

  finish(): undefined {
    return undefined;
  }

  #encode(index: number): LoadMessage {
    const from = (index * this.#batchSize) % this.#places.length;
    return this.#encoder.encode(this.#encoder.placesFrom(this.#places, from));
  }
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
