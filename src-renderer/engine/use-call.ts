// A snapshot call bound to a component: runs when its arguments change, is aborted on unmount, runs again after a
// reconnect. The last answer for the same arguments stays visible while a newer one is on its way.

import { useCallback, useEffect, useState } from 'react';

import type { CallArgs, CallName, CallResult } from '../../src-shared/contract/contract.ts';
import { explainedMessage, isAbort } from './engine-client.ts';
import { useClient, useConnection } from './engine-context.tsx';

/** A call and what came of it. */
export interface CallState<Result> {
  readonly data: Result | undefined;
  /** Sentence to show; undefined when there is none. */
  readonly error: string | undefined;
  readonly isLoading: boolean;
  /** The last answer stays visible until the new one is here. */
  readonly reload: () => void;
}

interface Answer {
  readonly subject: string;
  readonly run: string;
  readonly data: unknown;
  readonly error: string | undefined;
}

/** `args` undefined = do not call. `refresh` runs the call again when it changes. */
export function useCall<N extends CallName>(
  name: N,
  args: CallArgs<N> | undefined,
  refresh: string | number = '',
): CallState<CallResult<N>> {
  const client = useClient();
  const generation = useConnection((state) => state.generation);
  const [turn, setTurn] = useState(0);
  const [answer, setAnswer] = useState<Answer>();
  const subject = args === undefined ? '' : JSON.stringify([name, args]);
  const run = JSON.stringify([generation, turn, refresh]);
  useEffect(() => {
    if (subject === '') return undefined;
    const controller = new AbortController();
    const [callName, callArgs] = JSON.parse(subject) as [N, CallArgs<N>];
    client.call(callName, callArgs, { signal: controller.signal }).then(
      (data) => {
        if (!controller.signal.aborted) setAnswer({ subject, run, data, error: undefined });
      },
      (thrown: unknown) => {
        if (controller.signal.aborted || isAbort(thrown)) return;
        setAnswer({ subject, run, data: undefined, error: explainedMessage(thrown) });
      },
    );
    return () => controller.abort();
  }, [client, subject, run]);
  const reload = useCallback(() => setTurn((value) => value + 1), []);
  const current = answer?.subject === subject ? answer : undefined;
  return {
    data: current?.data as CallResult<N> | undefined,
    error: current?.error,
    isLoading: subject !== '' && current?.run !== run,
    reload,
  };
}
