// The values of a picture in an output, as many of them as a screen can show.

import { useEffect, useMemo, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { readGrids } from '../actions/blob-grid.ts';
import { readBlob } from '../actions/blobs.ts';
import { explainedMessage, isAbort } from '../engine/engine-client.ts';
import { useClient } from '../engine/engine-context.tsx';
import { gridsOf, reduced, stepOf } from './picture-sample.ts';
import type { PixelLayout } from './tensor-slices.ts';
import { byteSizeOf, decodeNumbers, isFixedSize } from './tensor-slices.ts';

/** A picture that was read, or is being read. */
export interface ReadPicture {
  /** Undefined while they are fetched. */
  readonly values: Float64Array | undefined;
  readonly error: string | undefined;
  /** Of the values. */
  readonly shown: PixelLayout;
  /** One of so many pixels is there, in a row and of the rows. */
  readonly step: number;
}

interface Fetched {
  readonly key: string;
  readonly values: Float64Array;
  readonly error: string | undefined;
}

/** `start` is the first element; nothing is read while there is no layout. */
export function usePicture(
  { blob, datatype }: PlaygroundOutput,
  start: number,
  layout: PixelLayout | undefined,
): ReadPicture {
  const client = useClient();
  const [fetched, setFetched] = useState<Fetched>();
  const { width = 0, height = 0, channels = 1, order = 'NCHW' } = layout ?? {};
  const full = useMemo(() => ({ width, height, channels, order }), [width, height, channels, order]);
  const step = stepOf(full);
  const key = [blob, start, width, height, channels, order].join(' ');
  useEffect(() => {
    if (!isFixedSize(datatype) || full.width === 0) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const size = byteSizeOf(datatype);
    const count = full.width * full.height * full.channels;
    const read =
      step === 1
        ? readBlob(client, blob, { offset: start * size, byteSize: count * size }, { signal })
        : readGrids(client, blob, gridsOf(full, step, { start, size }), signal);
    read.then(
      (bytes) => setFetched({ key, values: decodeNumbers(bytes, datatype), error: undefined }),
      (thrown: unknown) => {
        if (signal.aborted || isAbort(thrown)) return;
        setFetched({ key, values: new Float64Array(), error: explainedMessage(thrown) });
      },
    );
    return () => controller.abort();
  }, [client, blob, datatype, full, step, start, key]);
  const shown = useMemo(() => reduced(full, step), [full, step]);
  const own = fetched?.key === key ? fetched : undefined;
  return { values: own?.values, error: own?.error, shown, step };
}
