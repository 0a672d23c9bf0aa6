// The order in which the reference runs through some of its names: that of a hash table of GNU's C++ library
// (std::unordered_map<std::string, ...>), which is the same on every machine. Answers of ensembles list their tensors by
// it, and so do configurations that are completed from an ONNX file. Found by asking: ensembles with 2 to 40 outputs, and
// files with 2 to 16 inputs and outputs, come in exactly this order (docs/reference/ensembles.md#responses)

const MASK = (1n << 64n) - 1n;
const SEED = 0xc70f6907n;
const MULTIPLIER = 0xc6a4a7935bd1e995n;
/** Sizes that the table grows through. */
const BUCKET_COUNTS = [13n, 29n, 59n, 127n, 257n, 541n, 1109n, 2357n, 5087n, 10273n, 20753n, 42043n];

const product = (a: bigint): bigint => (a * MULTIPLIER) & MASK;
const mixed = (value: bigint): bigint => value ^ (value >> 47n);

/** MurmurHash64A with the library's seed. */
function hashOf(text: string): bigint {
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(bytes.buffer);
  const wholeLength = bytes.length & ~7;
  let hash = SEED ^ product(BigInt(bytes.length));
  for (let at = 0; at < wholeLength; at += 8) {
    hash = product(hash ^ product(mixed(product(view.getBigUint64(at, true)))));
  }
  if (wholeLength < bytes.length) {
    let rest = 0n;
    for (let at = bytes.length - 1; at >= wholeLength; at -= 1) rest = (rest << 8n) | BigInt(bytes[at] ?? 0);
    hash = product(hash ^ rest);
  }
  return mixed(product(mixed(hash)));
}

interface Node {
  readonly name: string;
  readonly hash: bigint;
  before: Node | undefined;
  next: Node | undefined;
}

/** A table of some number of buckets, as the list that runs through all of them. */
class Table {
  readonly #bucketCount: bigint;
  /** The node that comes first of those of a bucket. */
  readonly #firstOf = new Map<bigint, Node>();
  #head: Node | undefined;
  size = 0;

  constructor(bucketCount: bigint) {
    this.#bucketCount = bucketCount;
  }

  get isFull(): boolean {
    return this.size >= this.#bucketCount;
  }

  /** A new bucket comes first of all; a name comes first of its bucket. */
  put(name: string, hash: bigint): void {
    const bucket = hash % this.#bucketCount;
    const next = this.#firstOf.get(bucket) ?? this.#head;
    const node: Node = { name, hash, before: next?.before, next };
    if (node.before === undefined) this.#head = node;
    else node.before.next = node;
    if (next !== undefined) next.before = node;
    this.#firstOf.set(bucket, node);
    this.size += 1;
  }

  *nodes(): Generator<Node> {
    for (let node = this.#head; node !== undefined; node = node.next) yield node;
  }
}

function grown(table: Table | undefined): Table {
  const size = BigInt(table?.size ?? 0);
  const larger = new Table(BUCKET_COUNTS.find((count) => count > size) ?? size * 2n + 1n);
  for (const { name, hash } of table?.nodes() ?? []) larger.put(name, hash);
  return larger;
}

/** `names` in the order of a table that they are put into one after the other. Repetitions count once. */
export function hashTableOrder(names: Iterable<string>): readonly string[] {
  let table: Table | undefined;
  for (const name of new Set(names)) {
    if (table === undefined || table.isFull) table = grown(table);
    table.put(name, hashOf(name));
  }
  return Array.from(table?.nodes() ?? [], ({ name }) => name);
}
