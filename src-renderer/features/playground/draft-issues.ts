// What stands in the way of sending an input, said beside it before anything leaves. Only what can never be sent is an
// issue: a shape the model does not take is the server's to refuse, in its own words. Pure.

import { t } from '../../texts/translate.ts';
import type { InputDraft } from './draft.ts';
import { elementCountOf } from '../../tensors/tensor-slices.ts';
import { MAX_TYPED } from './draft.ts';

/** What is wrong with it, as a sentence; undefined = it can be sent. */
export function inputIssue(input: InputDraft): string | undefined {
  if (!input.isSent) return undefined;
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
  return at < 0
    ? undefined
    : t('playground.issue.value', { index: at, value: input.values[at] ?? '', datatype: input.datatype });
}

const INTEGER = /^\s*[+-]?\d+\s*$/;
const FLOAT = /^\s*[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf(inity)?|nan)\s*$/i;
const BOOLEAN = /^\s*(true|false|0|1)\s*$/i;

/** Whether a text is a value of the datatype, as far as its form goes; the server checks the range. */
export function isValueOf(datatype: string, text: string): boolean {
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
