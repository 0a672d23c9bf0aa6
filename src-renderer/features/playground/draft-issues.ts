// What stands in the way of sending an input, said beside it before anything leaves. Only what can never be sent is an
// issue: a shape the model does not take is the server's to refuse, in its own words. Pure.

import { t } from '../../texts/translate.ts';
import type { InputDraft } from './draft.ts';
import { elementCountOf } from '../../tensors/tensor-slices.ts';
import { MAX_TYPED } from './draft.ts';

/** What is wrong with it, as a sentence; undefined = it can be sent. */
export function inputIssue(input: InputDraft): string | undefined {
  if (!input.isSent) return undefined;
  if (input.badShape !== undefined) return t('playground.issue.shape', { text: input.badShape });
  const count = elementCountOf(input.shape);
  if (input.mode === 'file' && input.file === undefined) return t('playground.issue.noFile');
  if (input.mode === 'image' && input.image === undefined) return t('playground.issue.noImage');
  if (input.mode === 'sound' && input.sound === undefined) return t('playground.issue.noSound');
  if (input.mode !== 'values') return undefined;
  if (count > MAX_TYPED) return t('playground.issue.tooMany', { count, max: MAX_TYPED });
  if (input.values.length !== count) {
    return t('playground.issue.count', { count, found: input.values.length });
  }
  const at = input.values.findIndex((value) => !isValueOf(input.datatype, value));
  if (at < 0) return undefined;
  const { datatype } = input;
  const told = { index: at, value: input.values[at] ?? '', datatype };
  const range = RANGES[datatype];
  return range === undefined || !hasForm(datatype, told.value)
    ? t('playground.issue.value', told)
    : t('playground.issue.range', { ...told, min: String(range[0]), max: String(range[1]) });
}

/** Smallest and largest value; of the floats the finite ones, beyond which a text that looks like a number is infinite. */
const RANGES: Readonly<Record<string, readonly [bigint, bigint] | readonly [number, number]>> = {
  ...Object.fromEntries(
    [8, 16, 32, 64].flatMap((bits) => [
      [`INT${bits}`, [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]],
      [`UINT${bits}`, [0n, 2n ** BigInt(bits) - 1n]],
    ]),
  ),
  FP16: [-65504, 65504],
  BF16: [-3.3895313892515355e38, 3.3895313892515355e38],
  FP32: [-3.4028234663852886e38, 3.4028234663852886e38],
  FP64: [-Number.MAX_VALUE, Number.MAX_VALUE],
};

const INTEGER = /^\s*[+-]?\d+\s*$/;
const FLOAT = /^\s*[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf(inity)?|nan)\s*$/i;
const BOOLEAN = /^\s*(true|false|0|1)\s*$/i;

/** Whether a text is a value of the datatype: one that is written as infinite is, one that would become infinite is not. */
export function isValueOf(datatype: string, text: string): boolean {
  if (!hasForm(datatype, text)) return false;
  const range = RANGES[datatype];
  if (range === undefined || NOT_FINITE.test(text)) return true;
  if (!isFloat(datatype)) {
    const value = BigInt(text.trim().replace('+', ''));
    return value >= range[0] && value <= range[1];
  }
  const value = Number(text);
  // What is rounded to the largest one is in range: its own shortest text may be a little above it.
  if (datatype === 'FP16') return Math.abs(value) < 65520;
  return Number.isFinite(datatype === 'FP64' ? value : Math.fround(value));
}

const isFloat = (datatype: string): boolean => /^B?FP?\d/.test(datatype);

const NOT_FINITE = /inf|nan/i;

function hasForm(datatype: string, text: string): boolean {
  if (datatype === 'BYTES') return true;
  if (datatype === 'BOOL') return BOOLEAN.test(text);
  return (/^U?INT/.test(datatype) ? INTEGER : FLOAT).test(text);
}

/** Dimensions from "1, 16" or "[1,16]"; undefined when it is no list of whole numbers of 0 or more. */
export function parseShape(text: string): readonly number[] | undefined {
  const inside = text.trim().replace(/^\[|\]$/g, '');
  if (inside.trim() === '') return [];
  const dims = inside.split(/[\s,x×]+/).filter((part) => part !== '');
  return dims.every((dim) => /^\d{1,9}$/.test(dim)) ? dims.map(Number) : undefined;
}

/** Elements from pasted text: a JSON array, a spreadsheet row, numbers between blanks or commas. */
export function splitValues(text: string): readonly string[] {
  return text
    .replace(/[[\](){}]/g, ' ')
    .split(/[\s,;]+/)
    .filter((word) => word !== '');
}
