// Where each line of a long list stands, when nearly all of them are equally high. Only lines that are not are kept, in
// the order of the list, so that a list of any length costs what was seen of it. Pure besides its own list.

/** A line by its number, which ascends within the list. */
export interface NumberedLine {
  readonly sequence: number;
}

interface OddLine {
  readonly sequence: number;
  readonly index: number;
  readonly px: number;
}

/** Less than this is no other height. */
const SAME_PX = 0.5;

/** Heights in CSS px. `show` says which list is meant; it may grow at its end meanwhile. */
export class LineHeights {
  #linePx: number;
  #shape = '';
  #lines: readonly NumberedLine[] = [];
  #odd: OddLine[] = [];
  /** What all odd lines up to this one have more than others. */
  #extra: number[] = [];

  constructor(linePx: number) {
    this.#linePx = linePx;
  }

  /** Of the whole list. */
  get totalPx(): number {
    return this.topOf(this.#lines.length);
  }

  /** With another `shape` than before nothing that was measured holds: all lines count as usual ones, of this height. */
  reshape(linePx: number, shape: string): void {
    if (linePx === this.#linePx && shape === this.#shape) return;
    this.#linePx = linePx;
    this.#shape = shape;
    this.#odd = [];
    this.#extra = [];
  }

  /** Another list: what was measured of its lines stays. */
  show(lines: readonly NumberedLine[]): void {
    if (lines === this.#lines) return;
    this.#lines = lines;
    this.#odd = this.#odd.flatMap(({ sequence, px }) => {
      const index = indexFrom(lines, sequence);
      return lines[index]?.sequence === sequence ? [{ sequence, index, px }] : [];
    });
    this.#addUpFrom(0);
  }

  /** What a line turned out to be; true when that is another height than before. */
  measured(index: number, px: number): boolean {
    const sequence = this.#lines[index]?.sequence;
    if (sequence === undefined) return false;
    const at = this.#oddFrom(index);
    const known = this.#odd[at]?.index === index ? this.#odd[at] : undefined;
    if (Math.abs((known?.px ?? this.#linePx) - px) < SAME_PX) return false;
    const isUsual = Math.abs(this.#linePx - px) < SAME_PX;
    this.#odd.splice(at, known === undefined ? 0 : 1, ...(isUsual ? [] : [{ sequence, index, px }]));
    this.#addUpFrom(at);
    return true;
  }

  /** Upper edge of a line; of the number of lines: where the last one ends. */
  topOf(index: number): number {
    return index * this.#linePx + this.#extraBefore(this.#oddFrom(index));
  }

  /** The line at this height; the first or the last one beyond the ends, 0 when there are none. */
  indexAt(px: number): number {
    let low = 0;
    let high = Math.max(0, this.#lines.length - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.topOf(middle) <= px) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The first line from this number on; of none of them the number of lines. */
  indexOf(sequence: number): number {
    return indexFrom(this.#lines, sequence);
  }

  #addUpFrom(at: number): void {
    this.#extra.length = at;
    let extra = this.#extraBefore(at);
    for (const { px } of this.#odd.slice(at)) this.#extra.push((extra += px - this.#linePx));
  }

  #extraBefore(at: number): number {
    return this.#extra[at - 1] ?? 0;
  }

  /** Place of the first odd line at this index or behind it. */
  #oddFrom(index: number): number {
    return firstFrom(this.#odd, (line) => line.index >= index);
  }
}

/** The first line from this number on; of none of them the number of lines. */
export function indexFrom(lines: readonly NumberedLine[], sequence: number): number {
  return firstFrom(lines, (line) => line.sequence >= sequence);
}

/** Binary search: `isBehind` holds from somewhere on. */
function firstFrom<T>(list: readonly T[], isBehind: (one: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
