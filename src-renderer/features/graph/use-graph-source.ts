// The graph of a model's file bound to a component: read when first shown and whenever the file is another one.

import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { useClient, useConnection } from '../../engine/engine-context.tsx';
import type { GraphSource } from './graph-source.ts';
import { graphSources, openGraph } from './graph-source.ts';

/** The graph of a file; `retry` reads it once more after a failure. */
export interface UsedSource {
  readonly source: GraphSource | undefined;
  /** Changes with the file. */
  readonly key: string;
  /** The same function for as long as the component is shown. */
  readonly retry: () => void;
}

/** The graph of a version ("" = the newest); `source` is undefined before the reading begins. */
export function useGraphSource(model: ModelView, version: string): UsedSource {
  const client = useClient();
  const generation = useConnection((state) => state.generation);
  const [turn, setTurn] = useState(0);
  const chosen =
    version === '' ? model.versions.at(-1) : model.versions.find((known) => known.version === version);
  const stamp = `${chosen?.version ?? ''} ${chosen?.modifiedAtMs ?? 0} ${chosen?.byteSize ?? 0}`;
  const key = `${model.name}\n${version}\n${stamp}`;
  const name = model.name;
  useEffect(() => {
    const controller = new AbortController();
    void openGraph(client, key, { model: name, version }, controller.signal);
    return () => controller.abort();
  }, [client, key, name, version, generation, turn]);
  const source = useStore(graphSources, ({ byFile }) => byFile.get(key));
  return { source, key, retry: useCallback(() => setTurn((value) => value + 1), []) };
}
