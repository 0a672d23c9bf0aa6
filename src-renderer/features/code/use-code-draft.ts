// One source file of a model bound to the tab: read when shown, read again when it changed on disk or the server process
// came back.

import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';

import type { Draft } from '../../config/drafts/config-drafts.ts';
import { codeDocument, draftOf, drafts } from '../../config/drafts/config-drafts.ts';
import { readCodeDraft } from '../../config/drafts/draft-actions.ts';
import { isAbort, explainedMessage } from '../../engine/engine-client.ts';
import { useConnection, useEngine } from '../../engine/engine-context.tsx';
import { useEvent } from '../../engine/use-event.ts';

/** A file as far as it was read. */
export interface CodeDraft {
  readonly draft: Draft | undefined;
  /** Why the file could not be read; undefined = it was. */
  readonly error: string | undefined;
  /** Reads the file once more, as when it changed on disk. */
  readonly retry: () => void;
}

/** Reads a file of a model while it is shown; `file` "" = none. What was typed stays when reading it again fails. */
export function useCodeDraft(model: string, file: string): CodeDraft {
  const engine = useEngine();
  const generation = useConnection((state) => state.generation);
  const draft = useStore(drafts, (state) => draftOf(codeDocument(model, file), state));
  const [failure, setFailure] = useState<{ readonly file: string; readonly message: string }>();
  const [turn, setTurn] = useState(0);
  const retry = useCallback(() => setTurn((value) => value + 1), []);
  useEffect(() => {
    if (file === '') return undefined;
    const controller = new AbortController();
    readCodeDraft(engine, model, file, controller.signal).then(
      () => setFailure(undefined),
      (thrown: unknown) => {
        if (!controller.signal.aborted && !isAbort(thrown))
          setFailure({ file, message: explainedMessage(thrown) });
      },
    );
    return () => controller.abort();
  }, [engine, generation, model, file, turn]);
  useEvent('code/changedOnDisk', (change) => {
    if (change.model === model) retry();
  });
  return { draft, error: failure?.file === file ? failure.message : undefined, retry };
}
