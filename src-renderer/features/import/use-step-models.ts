// What the server understood of the models that are to be steps of an ensemble, asked for as they are chosen.

import { useEffect, useState } from 'react';

import { explainedMessage } from '../../engine/engine-client.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { useClient } from '../../engine/engine-context.tsx';

/** A configuration, or why there is none. */
type Known = { readonly config: ModelConfig } | { readonly error: string };

/** By name; a model is missing while it is being asked for. */
export function useStepModels(names: readonly string[]): ReadonlyMap<string, Known> {
  const client = useClient();
  const [known, setKnown] = useState<ReadonlyMap<string, Known>>(new Map());
  const missing = [...new Set(names)].filter((name) => !known.has(name)).join('\n');
  useEffect(() => {
    if (missing === '') return undefined;
    const left = new AbortController();
    const tell = (name: string, what: Known): void => {
      if (!left.signal.aborted) setKnown((before) => new Map(before).set(name, what));
    };
    for (const model of missing.split('\n')) {
      client.call('config/effective', { model }, { signal: left.signal }).then(
        ({ text }) => tell(model, { config: parseModelConfig(text).config }),
        (thrown: unknown) => tell(model, { error: explainedMessage(thrown) }),
      );
    }
    return () => left.abort();
  }, [client, missing]);
  return known;
}
