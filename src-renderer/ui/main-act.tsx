// The one filled button of a screen. What is shown inside takes it while it has an act of its own that counts more, a
// text to save or a request to send; the button of the screen around it is plain for so long. Of several inside one has
// it: a change to keep before what mends a failure, and that before a request to send.

import type { ReactNode } from 'react';
import { createContext, use, useCallback, useId, useLayoutEffect, useMemo, useState } from 'react';

const RANKS = { sends: 0, mends: 1, keeps: 2 };

/** What an act is for; later ones go first when several want to be the main one. */
export type MainActKind = keyof typeof RANKS;

interface Taker {
  readonly id: string;
  readonly kind: MainActKind;
}

interface MainAct {
  /** Who has it; undefined = nobody inside. */
  readonly owner: string | undefined;
  readonly take: (taker: Taker) => () => void;
}

const MainActContext = createContext<MainAct | undefined>(undefined);

/** Around a screen with a main act and what may take it. */
export function MainActScope({ children }: { readonly children: ReactNode }) {
  const [takers, setTakers] = useState<readonly Taker[]>([]);
  const owner = takers.toSorted((a, b) => RANKS[b.kind] - RANKS[a.kind])[0]?.id;
  const take = useCallback((taker: Taker) => {
    setTakers((others) => [...others, taker]);
    return () => setTakers((others) => others.filter((other) => other !== taker));
  }, []);
  const act = useMemo((): MainAct => ({ owner, take }), [owner, take]);
  return <MainActContext value={act}>{children}</MainActContext>;
}

/**
 * Asks for the main act for as long as `isMain` holds and the component is shown. Whether its button is the filled one;
 * outside of any scope it is whenever `isMain` holds.
 */
export function useMainAct(isMain: boolean, kind: MainActKind): boolean {
  const id = useId();
  const act = use(MainActContext);
  const take = act?.take;
  useLayoutEffect(() => (isMain ? take?.({ id, kind }) : undefined), [isMain, id, kind, take]);
  return isMain && (act === undefined || act.owner === id);
}

/** Whether something inside the screen has the main act. */
export function useIsMainActTaken(): boolean {
  return use(MainActContext)?.owner !== undefined;
}
