// How far two tensors of the same type are apart, element by element: the one rule for parity, for expectations of saved
// requests, and for what the window compares. Pure.

import type { DataType } from '../datatypes.ts';

/** bigint for 64-bit integers, string for BYTES. */
export type TensorElement = number | bigint | boolean | string;

/** The first element that is further from its own than it may be. */
export interface FirstDifference {
  /** Row-major. */
  readonly at: number;
  readonly left: TensorElement;
  readonly right: TensorElement;
}

/** Against the division by nothing. */
const SMALLEST = 1e-30;

/** The elements are added in their order; both sides have the same datatype. */
export class ElementDifferences {
  readonly #tolerance: number;
  #maxAbsolute = 0;
  #maxRelative = 0;
  #first: FirstDifference | undefined;

  /** `tolerance`: up to this, in itself or as a share of the larger value, a difference counts as none. */
  constructor(tolerance: number) {
    this.#tolerance = tolerance;
  }

  /** The elements at place `at` of both sides, NaN beside NaN being no difference. */
  add(at: number, left: TensorElement, right: TensorElement): void {
    if (left === right) return;
    const absolute = distanceOf(left, right);
    if (absolute === 0) return;
    const relative = absolute / Math.max(Math.abs(Number(left)), Math.abs(Number(right)), SMALLEST);
    this.#maxAbsolute = Math.max(this.#maxAbsolute, absolute);
    this.#maxRelative = Math.max(this.#maxRelative, relative);
    // No comparison holds of what is no number: Infinity against Infinity is one.
    const isNear = absolute <= this.#tolerance || relative <= this.#tolerance;
    if (!isNear) this.#first ??= { at, left, right };
  }

  /** The first pair that is apart by more than the tolerance; `undefined` when none is. */
  get first(): FirstDifference | undefined {
    return this.#first;
  }

  /** undefined = not finite: texts, or no numbers. */
  get maxAbsolute(): number | undefined {
    return finite(this.#maxAbsolute);
  }

  /** As `maxAbsolute`. */
  get maxRelative(): number | undefined {
    return finite(this.#maxRelative);
  }
}

/** Texts are the same or infinitely far apart; what is no number is equal to its like. */
function distanceOf(left: TensorElement, right: TensorElement): number {
  if (typeof left === 'string' || typeof right === 'string') return Infinity;
  if (typeof left === 'bigint' && typeof right === 'bigint')
    return Number(left < right ? right - left : left - right);
  const [x, y] = [Number(left), Number(right)];
  if (Number.isNaN(x) && Number.isNaN(y)) return 0;
  return Math.abs(x - y);
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** The element that a decimal text stands for, as previews and expectations have them. Of an unknown type the text itself. */
export function elementOfText(text: string, datatype: string): TensorElement {
  switch (datatype as DataType) {
    case 'BYTES':
      return text;
    case 'BOOL':
      return text === 'true' || text === '1';
    case 'INT64':
    case 'UINT64':
      return /^-?\d+$/.test(text) ? BigInt(text) : text;
    case 'UINT8':
    case 'UINT16':
    case 'UINT32':
    case 'INT8':
    case 'INT16':
    case 'INT32':
    case 'FP16':
    case 'BF16':
    case 'FP32':
    case 'FP64':
      return text === '' ? text : Number(text);
    default:
      return text;
  }
}

/** Of two lists of decimal texts of one length. */
export function differencesOfTexts(
  datatype: string,
  left: readonly string[],
  right: readonly string[],
  tolerance: number,
): ElementDifferences {
  const found = new ElementDifferences(tolerance);
  left.forEach((text, at) => {
    const other = right[at] ?? '';
    if (text !== other) found.add(at, elementOfText(text, datatype), elementOfText(other, datatype));
  });
  return found;
}
