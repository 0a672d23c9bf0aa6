// Elements of an output for a view: from the preview that came with the answer when they are in it, else fetched from
// the engine. The last answer for the same place stays until the next one is there.

import { useEffect, useMemo, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { isAbort, explainedMessage } from '../engine/engine-client.ts';
import { useClient } from '../engine/engine-context.tsx';
import { formatCount } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { elementTexts } from './tensor-files.ts';
import { byteSizeOf, decodeNumbers, decodeTexts, isFixedSize } from './tensor-slices.ts';
import { readBlob } from '../actions/blobs.ts';

interface Fetched {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly error: string | undefined;
}

const NO_BYTES = new Uint8Array();

/** Stands where an output is absent: hooks are called all the same. */
export const NO_OUTPUT: PlaygroundOutput = {
  name: '',
  datatype: '',
  shape: [],
  byteSize: 0,
  preview: [],
  blob: '',
  stats: undefined,
  classes: [],
};

/** Elements of a tensor that stand in a window of a table: `rows` times `columns` of them, `stride` from row to row. */
export interface ElementWindow {
  /** First element. */
  readonly start: number;
  readonly rows: number;
  readonly columns: number;
  readonly stride: number;
}

function useBytes(output: PlaygroundOutput, window: ElementWindow | undefined): Fetched | undefined {
  const client = useClient();
  const [fetched, setFetched] = useState<Fetched>();
  const size = byteSizeOf(output.datatype);
  const key =
    window === undefined || size === 0
      ? ''
      : [output.blob, ...rangesOf(window).map(({ start, count }) => `${start * size}+${count * size}`)].join(
          ' ',
        );
  useEffect(() => {
    if (key === '') return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const [blob = '', ...ranges] = key.split(' ');
    const reads = ranges.map((range) => {
      const [offset = 0, byteSize = 0] = range.split('+').map(Number);
      return readBlob(client, blob, { offset, byteSize }, { signal });
    });
    Promise.all(reads).then(
      (parts) => setFetched({ key, bytes: joined(parts), error: undefined }),
      (thrown: unknown) => {
        if (signal.aborted || isAbort(thrown)) return;
        setFetched({ key, bytes: NO_BYTES, error: explainedMessage(thrown) });
      },
    );
    return () => controller.abort();
  }, [client, key]);
  return fetched?.key === key ? fetched : undefined;
}

/** What has to be read: rows that follow each other without a gap in one go. */
function rangesOf({ start, rows, columns, stride }: ElementWindow): readonly ElementRange[] {
  if (stride === columns) return [{ start, count: rows * columns }];
  return Array.from({ length: rows }, (_, row) => ({ start: start + row * stride, count: columns }));
}

interface ElementRange {
  readonly start: number;
  readonly count: number;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

/** Texts lie behind each other without a place of their own, so those beyond the preview need all bytes before them. */
const MOST_TEXT_BYTES = 8 * 1024 * 1024;

/** All texts of a BYTES output; nothing is read while they are not wanted. */
function useAllTexts(
  output: PlaygroundOutput,
  isWanted: boolean,
): { readonly texts: readonly string[]; readonly error: string | undefined } {
  const client = useClient();
  const { blob, byteSize, shape, datatype, preview } = output;
  const [read, setRead] = useState<{
    readonly blob: string;
    readonly texts: readonly string[];
    readonly error: string | undefined;
  }>();
  const isTooMuch = byteSize > MOST_TEXT_BYTES;
  useEffect(() => {
    if (!isWanted || isTooMuch) return undefined;
    const controller = new AbortController();
    readBlob(client, blob, { offset: 0, byteSize }, { signal: controller.signal }).then(
      (bytes) => setRead({ blob, texts: elementTexts({ datatype, shape, bytes }), error: undefined }),
      (thrown: unknown) => {
        if (controller.signal.aborted || isAbort(thrown)) return;
        setRead({ blob, texts: [], error: explainedMessage(thrown) });
      },
    );
    return () => controller.abort();
  }, [client, blob, byteSize, datatype, shape, isWanted, isTooMuch]);
  if (isWanted && isTooMuch) {
    return { texts: preview, error: t('tensor.textsBeyond', { count: formatCount(preview.length) }) };
  }
  return read?.blob === blob ? read : { texts: [], error: undefined };
}

/** Texts of the elements in a window, row after row; of BYTES as far as they can be read here, which is said. */
export function useElements(
  output: PlaygroundOutput,
  { start, rows, columns, stride }: ElementWindow,
): { readonly texts: readonly string[]; readonly error: string | undefined } {
  const { datatype, preview, classes } = output;
  const end = start + (rows - 1) * stride + columns;
  const isBeyond = end > preview.length && classes.length === 0;
  const isInPreview = !isBeyond || !isFixedSize(datatype);
  const all = useAllTexts(output, isBeyond && datatype === 'BYTES');
  const fetched = useBytes(output, isInPreview ? undefined : { start, rows, columns, stride });
  return useMemo(() => {
    if (isInPreview) {
      const ranges = rangesOf({ start, rows, columns, stride });
      const { texts, error } = isBeyond && datatype === 'BYTES' ? all : { texts: preview, error: undefined };
      return {
        texts: ranges.flatMap((range) => texts.slice(range.start, range.start + range.count)),
        error,
      };
    }
    if (fetched === undefined || !isFixedSize(datatype)) return { texts: [], error: undefined };
    return { texts: decodeTexts(fetched.bytes, datatype), error: fetched.error };
  }, [isInPreview, isBeyond, all, preview, start, rows, columns, stride, fetched, datatype]);
}

/** Numbers of `count` elements from `start` on; undefined while they are fetched. */
export function useNumbers(
  output: PlaygroundOutput,
  start: number,
  count: number,
): { readonly values: Float64Array | undefined; readonly error: string | undefined } {
  const fetched = useBytes(output, { start, rows: 1, columns: count, stride: count });
  const { datatype } = output;
  return useMemo(() => {
    if (fetched === undefined || !isFixedSize(datatype)) return { values: undefined, error: undefined };
    return { values: decodeNumbers(fetched.bytes, datatype), error: fetched.error };
  }, [fetched, datatype]);
}
