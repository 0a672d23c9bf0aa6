// Graphs of files as this window has them: fetched in pieces, unpacked, indexed, and kept while their file stays the
// same. Outside React, so that coming back to the tab shows the graph at once.

import { createStore } from 'zustand/vanilla';

import type { OnnxGraphData } from '../../../src-shared/contract/graph-calls.ts';
import { ServerError } from '../../../src-shared/errors.ts';
import { readBlob, releaseBlob } from '../../actions/blobs.ts';
import type { EngineClient } from '../../engine/engine-client.ts';
import { explainedMessage } from '../../engine/engine-client.ts';
import type { GraphIndex } from './graph-index.ts';
import { indexGraph } from './graph-index.ts';

/** How far the graph of a file is, and the graph once it is here. */
export interface GraphSource {
  readonly state: 'reading' | 'ready' | 'missing' | 'failed';
  readonly index: GraphIndex | undefined;
  readonly fileName: string;
  readonly error: string | undefined;
  /** 0..1 of what is fetched; undefined while the engine reads the file. */
  readonly progress: number | undefined;
}

const READING: GraphSource = {
  state: 'reading',
  index: undefined,
  fileName: '',
  error: undefined,
  progress: undefined,
};

const KEPT = 4;

type Sources = ReadonlyMap<string, GraphSource>;

/** By "model\nversion\nstamp of the file". */
export const graphSources = createStore<{ readonly byFile: Sources }>(() => ({ byFile: new Map() }));

function put(key: string, source: GraphSource): void {
  graphSources.setState(({ byFile }) => {
    const next = new Map(byFile);
    next.delete(key);
    next.set(key, source);
    for (const old of [...next.keys()].slice(0, Math.max(0, next.size - KEPT))) next.delete(old);
    return { byFile: next };
  });
}

/** Reads the file unless its graph is here already. Aborting leaves nothing behind. */
export async function openGraph(
  client: EngineClient,
  key: string,
  target: { readonly model: string; readonly version: string },
  signal: AbortSignal,
): Promise<void> {
  const known = graphSources.getState().byFile.get(key);
  // Put again, it is the last one to be dropped.
  put(key, known?.state === 'ready' ? known : READING);
  if (known?.state === 'ready') return;
  try {
    const { blob, byteSize, fileName } = await client.call('graph/onnx', target, { signal });
    try {
      const onProgress = (progress: number): void => put(key, { ...READING, fileName, progress });
      const packed = await readBlob(client, blob, { offset: 0, byteSize }, { signal, onProgress });
      const index = indexGraph(await unpack(packed));
      signal.throwIfAborted();
      put(key, { state: 'ready', index, fileName, error: undefined, progress: 1 });
    } finally {
      releaseBlob(client, blob);
    }
  } catch (thrown) {
    if (signal.aborted) return;
    const isMissing = thrown instanceof ServerError && thrown.code === 'NOT_FOUND';
    put(key, { ...READING, state: isMissing ? 'missing' : 'failed', error: explainedMessage(thrown) });
  }
}

async function unpack(packed: Uint8Array<ArrayBuffer>): Promise<OnnxGraphData> {
  const stream = new Response(packed).body?.pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).json()) as OnnxGraphData;
}
