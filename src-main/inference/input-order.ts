// The order in which a model in Python finds the inputs of a request. A tritonserver keeps them in hash maps of its C++
// library: once as the client named them, then once more by reading that map, with the controls and states of a sequence
// put in behind. A map hands out the newest name first, but names whose hashes meet stay together.

const MULTIPLIER = 0xc6a4a7935bd1e995n;
const SEED = 0xc70f6907n;
const WORD = (1n << 64n) - 1n;
/** How many places a map has, each time that it grows. */
const SIZES = [13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229];
const MOST_KEPT = 512;
const MOST_KEPT_CHARS = 16 * 1024;
/** Of more and longer names than any model has, nobody waits for the order, and none is kept. */
const MOST_INPUTS = 512;
const MOST_CHARS = 32 * 1024;

const encoder = new TextEncoder();
const hashes = new Map<string, bigint>();
/** By the names of the inputs. */
const orders = new Map<string, readonly number[]>();

interface Named {
  readonly name: string;
}

/** What a model finds: inputs of a client and then what the scheduler adds; what has the name of an input is in its place. */
export function inputsAsFound<T extends Named>(given: readonly T[], adding: readonly T[]): readonly T[] {
  const [inputs, added] = replaced(given, adding);
  if (inputs.length + added.length < 2) return [...inputs, ...added];
  if (isTooMuch(inputs)) return [...added, ...inputs];
  const key = `${keyOf(inputs)}\0\0${keyOf(added)}`;
  const order = kept(orders, key, () => {
    const found = new NameTable();
    for (const { name, index } of tableOf(inputs).entries()) found.add(name, index);
    added.forEach(({ name }, index) => found.add(name, inputs.length + index));
    return [...found.entries()].map(({ index }) => index);
  });
  return placed(order, [...inputs, ...added]);
}

function replaced<T extends Named>(
  inputs: readonly T[],
  added: readonly T[],
): readonly [inputs: readonly T[], added: readonly T[]] {
  const hasTwin = (one: T): boolean => inputs.some(({ name }) => name === one.name);
  if (added.length === 0 || !added.some(hasTwin)) return [inputs, added];
  return [
    inputs.map((input) => added.find(({ name }) => name === input.name) ?? input),
    added.filter((one) => !hasTwin(one)),
  ];
}

/** As the first map has them, out of which filler requests are made. */
export function inputsAsKept<T extends Named>(inputs: readonly T[]): readonly T[] {
  if (inputs.length < 2 || isTooMuch(inputs)) return inputs;
  const order = kept(orders, keyOf(inputs), () => [...tableOf(inputs).entries()].map(({ index }) => index));
  return placed(order, inputs);
}

function isTooMuch(inputs: readonly Named[]): boolean {
  let charCount = 0;
  for (const { name } of inputs) charCount += name.length;
  return inputs.length > MOST_INPUTS || charCount > MOST_CHARS;
}

function placed<T>(order: readonly number[], all: readonly T[]): readonly T[] {
  return order.flatMap((index) => all[index] ?? []);
}

function keyOf(inputs: readonly Named[]): string {
  return inputs.map(({ name }) => name).join('\0');
}

function tableOf(inputs: readonly Named[]): NameTable {
  const table = new NameTable();
  inputs.forEach(({ name }, index) => table.add(name, index));
  return table;
}

/** What was asked last is asked again: the names are those of few models. */
function kept<T>(cache: Map<string, T>, key: string, make: () => T): T {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (key.length > MOST_KEPT_CHARS) return made;
  if (cache.size >= MOST_KEPT) cache.clear();
  cache.set(key, made);
  return made;
}

interface Entry {
  readonly name: string;
  readonly index: number;
  readonly hash: bigint;
  next: Entry | undefined;
}

/** Names of one place follow each other in one list of all; a name goes in front of those of its place. */
class NameTable {
  readonly #head: { next: Entry | undefined } = { next: undefined };
  /** By place: whatever stands before the first of its names. */
  #before = new Map<number, { next: Entry | undefined }>();
  #size = 1;
  #count = 0;

  add(name: string, index: number): void {
    if (this.#size === 1 || this.#count === this.#size) this.#grow();
    this.#count += 1;
    this.#put({ name, index, hash: kept(hashes, name, () => hashOf(name)), next: undefined });
  }

  *entries(): Generator<Entry, void> {
    for (let entry = this.#head.next; entry !== undefined; entry = entry.next) yield entry;
  }

  #grow(): void {
    const all = [...this.entries()];
    this.#size = SIZES.find((size) => size > this.#count) ?? 2 * this.#count + 1;
    this.#before = new Map();
    this.#head.next = undefined;
    for (const entry of all) this.#put(entry);
  }

  #put(entry: Entry): void {
    const place = this.#placeOf(entry);
    const known = this.#before.get(place);
    const before = known ?? this.#head;
    entry.next = before.next;
    before.next = entry;
    if (known !== undefined) return;
    this.#before.set(place, this.#head);
    if (entry.next !== undefined) this.#before.set(this.#placeOf(entry.next), entry);
  }

  #placeOf({ hash }: Entry): number {
    return Number(hash % BigInt(this.#size));
  }
}

/** MurmurHash64A with the seed of libstdc++. */
function hashOf(name: string): bigint {
  const bytes = encoder.encode(name);
  const whole = bytes.length & ~7;
  let hash = SEED ^ ((BigInt(bytes.length) * MULTIPLIER) & WORD);
  const take = (part: bigint): void => {
    hash = ((hash ^ part) * MULTIPLIER) & WORD;
  };
  for (let at = 0; at < whole; at += 8) {
    const mixed = shifted((littleEndian(bytes.subarray(at, at + 8)) * MULTIPLIER) & WORD);
    take((mixed * MULTIPLIER) & WORD);
  }
  if (whole < bytes.length) take(littleEndian(bytes.subarray(whole)));
  return shifted((shifted(hash) * MULTIPLIER) & WORD);
}

function shifted(value: bigint): bigint {
  return value ^ (value >> 47n);
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
