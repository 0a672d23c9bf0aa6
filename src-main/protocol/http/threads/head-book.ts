// Heads of requests as a thread has told them to the engine: clients send the same one again and again, and then a number
// stands for it.

import type { PlainHead } from '../wire/plain-head.ts';

const MAX_HEADS = 512;
const MAX_KEPT_CHARS = 512 * 1024;

/** Keeps 512 heads and 512 Ki chars of them at most, then begins anew. */
export class HeadBook {
  readonly #isExact: boolean;
  readonly #announce: (number: number, head: PlainHead) => void;
  readonly #forget: () => void;
  #byHead = new WeakMap<PlainHead, number>();
  readonly #byText = new Map<string, number>();
  #charCount = 0;

  /** `isExact`: heads that differ in their length alone are told apart. */
  constructor(isExact: boolean, announce: (number: number, head: PlainHead) => void, forget: () => void) {
    this.#isExact = isExact;
    this.#announce = announce;
    this.#forget = forget;
  }

  /** The number of a head, announced before. */
  number(head: PlainHead): number {
    const known = this.#byHead.get(head);
    if (known !== undefined) return known;
    const text = this.#textOf(head);
    const number = this.#byText.get(text) ?? this.#add(text, head);
    this.#byHead.set(head, number);
    return number;
  }

  #add(text: string, head: PlainHead): number {
    if (this.#byText.size >= MAX_HEADS || this.#charCount + text.length > MAX_KEPT_CHARS) {
      this.#byText.clear();
      this.#byHead = new WeakMap();
      this.#charCount = 0;
      this.#forget();
    }
    const number = this.#byText.size;
    this.#byText.set(text, number);
    this.#charCount += text.length;
    this.#announce(number, head);
    return number;
  }

  #textOf({ target, rawHeaders }: PlainHead): string {
    let text = target;
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? '';
      const isLength = !this.#isExact && name.length === 14 && name.toLowerCase() === 'content-length';
      text += isLength ? '' : `\n${name}:${rawHeaders[index + 1]}`;
    }
    return text;
  }
}
