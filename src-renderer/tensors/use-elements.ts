// Elements of an output for a view: from the preview that came with the answer when they are in it, else fetched from
// the engine. The last answer for the same place stays until the next one is there.

import { useEffect, useMemo, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { isAbort, explainedMessage } from '../engine/engine-client.ts';
import { useClient } from '../engine/engine-context.tsx';
import { byteSizeOf, decodeNumbers, decodeTexts, isFixedSize } from './tensor-slices.ts';
import { readBlob } from '../actions/blobs.ts';

interface Fetched {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly error: string | undefined;
}

const NO_BYTES = new Uint8Array();

function useBytes(
  output: PlaygroundOutput,
  range: { readonly start: number; readonly count: number } | undefined,
): Fetched | undefined {
  const client = useClient();
  const [fetched, setFetched] = useState<Fetched>();
  const size = byteSizeOf(output.datatype);
  const key =
    range === undefined || size === 0 ? '' : `${output.blob} ${range.start * size} ${range.count * size}`;
  useEffect(() => {
    if (key === '') return undefined;
    const controller = new AbortController();
    const [blob = '', offset = '0', byteSize = '0'] = key.split(' ');
    readBlob(
      client,
      blob,
      { offset: Number(offset), byteSize: Number(byteSize) },
      { signal: controller.signal },
    ).then(
      (bytes) => setFetched({ key, bytes, error: undefined }),
      (thrown: unknown) => {
        if (controller.signal.aborted || isAbort(thrown)) return;
        setFetched({ key, bytes: NO_BYTES, error: explainedMessage(thrown) });
      },
    );
    return () => controller.abort();
  }, [client, key]);
  return fetched?.key === key ? fetched : undefined;
}

/** Texts of `count` elements from `start` on. BYTES beyond the preview have no texts here. */
export function useElements(
  output: PlaygroundOutput,
  start: number,
  count: number,
): { readonly texts: readonly string[]; readonly error: string | undefined } {
  const { datatype, preview, classes } = output;
  const isInPreview = start + count <= preview.length || !isFixedSize(datatype) || classes.length > 0;
  const fetched = useBytes(output, isInPreview ? undefined : { start, count });
  return useMemo(() => {
    if (isInPreview) return { texts: preview.slice(start, start + count), error: undefined };
    if (fetched === undefined || !isFixedSize(datatype)) return { texts: [], error: undefined };
    return { texts: decodeTexts(fetched.bytes, datatype), error: fetched.error };
  }, [isInPreview, preview, start, count, fetched, datatype]);
}

/** Numbers of `count` elements from `start` on; undefined while they are fetched. */
export function useNumbers(
  output: PlaygroundOutput,
  start: number,
  count: number,
): { readonly values: Float64Array | undefined; readonly error: string | undefined } {
  const fetched = useBytes(output, { start, count });
  const { datatype } = output;
  return useMemo(() => {
    if (fetched === undefined || !isFixedSize(datatype)) return { values: undefined, error: undefined };
    return { values: decodeNumbers(fetched.bytes, datatype), error: fetched.error };
  }, [fetched, datatype]);
}
