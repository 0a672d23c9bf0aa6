// Tensor values from a text file: JSON arrays of any nesting, or numbers and words between commas, blanks and line ends.

import { playgroundErrors } from './playground-errors.ts';

/** Larger texts would hold up the engine; .npy or raw files carry them better. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** Elements row by row as texts. INVALID_ARG when the file is too large or no such text. */
export function readTextValues(file: Uint8Array, format: 'json' | 'csv'): string[] {
  if (file.byteLength > MAX_TEXT_BYTES) {
    throw playgroundErrors.textsTooLarge({ size: file.byteLength, limit: MAX_TEXT_BYTES });
  }
  const text = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString('utf8');
  return format === 'json' ? jsonValues(text) : csvValues(text);
}

function jsonValues(text: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(quoteLongIntegers(text));
  } catch (thrown) {
    throw playgroundErrors.textsNoJson({ reason: (thrown as Error).message }, { cause: thrown });
  }
  const values: string[] = [];
  collect(dataOf(value), values);
  return values;
}

/** Integers that a double cannot hold become texts, so that INT64 values stay exact. */
function quoteLongIntegers(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
}

/** A bare array, or the `data` or `content` of a tensor object as requests and perf input files have it. */
function dataOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('data' in value) return value.data;
  return 'content' in value ? value.content : value;
}

function collect(value: unknown, into: string[]): void {
  if (Array.isArray(value)) for (const element of value) collect(element, into);
  else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    into.push(String(value));
  } else {
    throw playgroundErrors.textsNoArray();
  }
}

function csvValues(text: string): string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== '');
}
