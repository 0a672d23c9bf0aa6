// The Huffman code of header values (RFC 7541, appendix B). It is canonical: codes of one length follow each other in
// the order of their symbols, so the lengths say everything.

/** Length in bits of the code of each byte and, last, of the end mark: one digit each, in base 36. */
const LENGTHS =
  'dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6f565656' +
  '66577666567655677777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmnqqkjmnmpqqqrrq' +
  'opjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrqu';
const END = 256;
const MAX_PADDING_BITS = 7;

/** Two entries for each node, by bit: above 0 the next node, below 0 the symbol as -1 - symbol. */
const tree = buildTree();

function buildTree(): Int16Array {
  const lengths = Array.from(LENGTHS, (digit) => Number.parseInt(digit, 36));
  const symbols = lengths.map((_, symbol) => symbol);
  symbols.sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b);
  const nodes = new Int16Array(2 * lengths.length);
  let nodeCount = 1;
  let code = 0;
  let bits = 0;
  for (const symbol of symbols) {
    const length = lengths[symbol] ?? 0;
    code <<= length - bits;
    bits = length;
    let node = 0;
    for (let bit = length - 1; bit > 0; bit -= 1) {
      const at = 2 * node + ((code >>> bit) & 1);
      if (nodes[at] === 0) {
        nodes[at] = nodeCount;
        nodeCount += 1;
      }
      node = nodes[at] ?? 0;
    }
    nodes[2 * node + (code & 1)] = -1 - symbol;
    code += 1;
  }
  return nodes;
}

/** One char per byte; undefined for what is no code, an end mark inside, or wrong padding. */
export function decodeHuffman(bytes: Uint8Array, from: number, to: number): string | undefined {
  let text = '';
  let node = 0;
  let pending = 0;
  let isPadding = true;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    for (let bit = 7; bit >= 0; bit -= 1) {
      const value = (byte >>> bit) & 1;
      pending += 1;
      isPadding &&= value === 1;
      const next = tree[2 * node + value] ?? 0;
      if (next >= 0) {
        node = next;
        continue;
      }
      const symbol = -1 - next;
      if (symbol === END) return undefined;
      text += String.fromCharCode(symbol);
      node = 0;
      pending = 0;
      isPadding = true;
    }
  }
  return isPadding && pending <= MAX_PADDING_BITS ? text : undefined;
}
