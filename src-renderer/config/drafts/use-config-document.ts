// One text of a model bound to a component: read when shown, read again when the file changed or the server process
// came back, checked while it is typed.

import { useCallback, useEffect, useMemo, useState } from 'react';

import { isAbort, explainedMessage } from '../../engine/engine-client.ts';
import { useConnection, useEngine, useModel, useModels, useServer } from '../../engine/engine-context.tsx';
import { useCall } from '../../engine/use-call.ts';
import { useEvent } from '../../engine/use-event.ts';
import { setLiveIssues } from '../../lib/live-problems.ts';
import { configLanguage } from '../language/config-language-client.ts';
import type { AnswerOf, LanguageContext } from '../language/language-protocol.ts';
import { readDraft } from './draft-actions.ts';
import type { DraftHead } from './config-drafts.ts';
import { documentKey, draftOf, drafts } from './config-drafts.ts';
import { languageContext, readinessText } from './language-context.ts';
import { useDraftHead } from './use-draft.ts';

/** The text as far as it is here, with what the checks say of it. */
export interface ConfigDocument {
  readonly document: string;
  /** Undefined until it was read. */
  readonly draft: DraftHead | undefined;
  /** Why the file could not be read; undefined = it was. */
  readonly error: string | undefined;
  /** Reads the file once more, as when it changed on disk. */
  readonly retry: () => void;
}

/** Without a `profile` of config.pbtxt. Reading fails into the result's message, and may be tried again. */
export function useConfigDocument(model: string, profile?: string): ConfigDocument {
  const engine = useEngine();
  const document = documentKey(model, profile);
  const draft = useDraftHead(document);
  const generation = useConnection((state) => state.generation);
  const [failure, setFailure] = useState<{ readonly document: string; readonly message: string }>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    readDraft(engine, model, profile, controller.signal).then(
      () => setFailure(undefined),
      (thrown: unknown) => {
        if (!controller.signal.aborted && !isAbort(thrown)) {
          setFailure({ document, message: explainedMessage(thrown) });
        }
      },
    );
    return () => controller.abort();
  }, [engine, generation, document, model, profile, turn]);
  const retry = useCallback(() => setTurn((value) => value + 1), []);
  useEvent('config/changedOnDisk', (change) => {
    if (change.model === model) retry();
  });
  return { document, draft, error: failure?.document === document ? failure.message : undefined, retry };
}

/** What the worker checks the model's texts with; changes whenever checks may have another result. */
export function useLanguageContext(model: string, document: string): LanguageContext | undefined {
  const view = useModel(model);
  const gpuPolicy = useServer((server) => server?.gpuPolicy ?? 'fallback');
  const context = useCall(
    'config/context',
    { model },
    `${view?.loadedAtMs ?? 0} ${String(view?.changedOnDisk)} ${view?.versions.length ?? 0}`,
  ).data;
  const readiness = useModels((state) => readinessText(state.models));
  const facts = useMemo(
    () => (context === undefined ? undefined : languageContext(context, readiness, gpuPolicy)),
    [context, readiness, gpuPolicy],
  );
  useEffect(() => {
    if (facts !== undefined) configLanguage.setContext(document, facts);
  }, [document, facts]);
  return facts;
}

/** Typing is over when nothing was typed for this long; with the check itself this stays well below 150 ms. */
const TYPING_PAUSE_MS = 70;
/** What is only looked at can wait until the findings are there, and does not get in the way of the next key. */
const LOOK_PAUSE_MS = 200;

/** What the language worker said last about a text. */
interface LanguageAnswer<Q extends 'effective' | 'fillable'> {
  readonly answer: AnswerOf<Q> | undefined;
  /** The text that the answer is about; undefined before the first one. */
  readonly text: string | undefined;
  /** Why there is no answer; undefined = there is one, or it is awaited. */
  readonly error: string | undefined;
}

const NO_ANSWER = { answer: undefined, text: undefined, error: undefined };

/**
 * The worker's answer about the newest text, asked for when typing pauses. Stays that of an older text until the newer
 * one has come. Follows the text beside React: a key draws nothing here.
 */
export function useLanguageAnswer<Q extends 'effective' | 'fillable'>(
  question: Q,
  document: string,
  isWanted: boolean,
  facts: LanguageContext | undefined,
): LanguageAnswer<Q> {
  const [state, setState] = useState<LanguageAnswer<Q> & { readonly document: string }>();
  useEffect(() => {
    if (!isWanted || facts === undefined) return undefined;
    return followText(document, LOOK_PAUSE_MS, (text, isCurrent) => {
      configLanguage.ask(question, document, text).then(
        (answer) => {
          if (isCurrent() && answer !== undefined) setState({ document, answer, text, error: undefined });
        },
        (thrown: unknown) => {
          if (isCurrent()) setState({ document, answer: undefined, text, error: explainedMessage(thrown) });
        },
      );
    });
  }, [question, document, isWanted, facts]);
  return state?.document === document ? state : NO_ANSWER;
}

/**
 * Calls with the document's text now and after each change, when nothing changed for `pauseMs`; `isCurrent` is false
 * once the text is another one. Returns the off-switch.
 */
function followText(
  document: string,
  pauseMs: number,
  use: (text: string, isCurrent: () => boolean) => void,
): () => void {
  let known: string | undefined;
  let turn = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    const text = draftOf(document)?.text;
    if (text === known) return;
    known = text;
    turn += 1;
    clearTimeout(timer);
    if (text === undefined) return;
    const own = turn;
    timer = setTimeout(() => use(text, () => turn === own), pauseMs);
  };
  look();
  const stop = drafts.subscribe(look);
  return () => {
    stop();
    turn += 1;
    clearTimeout(timer);
  };
}

/**
 * Keeps the findings of the text up to date. Returns why that failed; undefined = it did not. Draws nothing when there are
 * new findings: who shows them follows them.
 */
export function useLiveCheck(document: string, facts: LanguageContext | undefined): string | undefined {
  const [failure, setFailure] = useState<{ readonly document: string; readonly message: string }>();
  useEffect(() => {
    if (facts === undefined) return undefined;
    return followText(document, TYPING_PAUSE_MS, (text, isCurrent) => {
      configLanguage.ask('check', document, text).then(
        (issues) => {
          if (!isCurrent() || issues === undefined) return;
          setFailure(undefined);
          setLiveIssues(document, issues, text);
        },
        (thrown: unknown) => {
          if (isCurrent()) setFailure({ document, message: explainedMessage(thrown) });
        },
      );
    });
  }, [document, facts]);
  return failure?.document === document ? failure.message : undefined;
}
