// The one filled button of a screen. What is shown inside takes it while it has an act of its own that counts more, a
// text to save or a request to send; the button of the screen around it is plain for so long.

import type { ReactNode } from 'react';
import { createContext, use, useCallback, useLayoutEffect, useMemo, useState } from 'react';

interface MainAct {
  readonly isTaken: boolean;
  readonly take: () => () => void;
}

const NOBODYS: MainAct = { isTaken: false, take: () => () => {} };
const MainActContext = createContext(NOBODYS);

/** Around a screen with a main act and what may take it. */
export function MainActScope({ children }: { readonly children: ReactNode }) {
  const [takers, setTakers] = useState(0);
  const isTaken = takers > 0;
  const take = useCallback(() => {
    setTakers((count) => count + 1);
    return () => setTakers((count) => count - 1);
  }, []);
  const act = useMemo((): MainAct => ({ isTaken, take }), [isTaken, take]);
  return <MainActContext value={act}>{children}</MainActContext>;
}

/** Takes the main act for as long as `isMain` holds and the component is shown. */
export function useMainAct(isMain: boolean): void {
  const { take } = use(MainActContext);
  useLayoutEffect(() => (isMain ? take() : undefined), [isMain, take]);
}

/** Whether something inside the screen has the main act. */
export function useIsMainActTaken(): boolean {
  return use(MainActContext).isTaken;
}
