// Says once when a model becomes ready or fails, for people who do not see the list. Of many within a moment it says how
// many: a server with hundreds of them would go on talking for a minute. What this window did itself is said by its report,
// as a toast or on the page of the model.

import { useEffect } from 'react';

import { isReportedHere } from '../actions/model-actions.ts';
import { useEngine } from '../engine/engine-context.tsx';
import { t } from '../texts/translate.ts';
import { announce } from '../ui/announcer.tsx';

/** So many are named; what else happens within this time is said together. */
const NAMED = 3;
const TOGETHER_MS = 2000;

type End = 'ready' | 'failed';

/** Mounted once. Models that are known from the start are not announced. */
export function useAnnouncements(): void {
  const { models } = useEngine().state;
  useEffect(() => {
    const ends = new Map<string, End>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let named = 0;
    const turn = (): void => {
      const isMore = ends.size > 0;
      for (const end of ['ready', 'failed'] as const) sayEnd(end, namesOf(ends, end));
      ends.clear();
      // While it goes on there are only numbers.
      if (!isMore) named = 0;
      timer = isMore ? setTimeout(turn, TOGETHER_MS) : undefined;
    };
    const off = models.subscribe((next, previous) => {
      if (!previous.isLoaded) return;
      for (const { name, state } of next.models) {
        const before = previous.byName.get(name)?.state;
        if (before === undefined || before === state || isReportedHere(name)) continue;
        // How it was a moment ago, and was not said, is not said any more.
        ends.delete(name);
        if (state !== 'ready' && state !== 'failed') continue;
        if (named >= NAMED) ends.set(name, state);
        else {
          named += 1;
          sayEnd(state, [name]);
        }
        timer ??= setTimeout(turn, TOGETHER_MS);
      }
    });
    return () => {
      off();
      clearTimeout(timer);
    };
  }, [models]);
}

function namesOf(ends: ReadonlyMap<string, End>, wanted: End): readonly string[] {
  return [...ends].flatMap(([name, end]) => (end === wanted ? [name] : []));
}

function sayEnd(end: End, names: readonly string[]): void {
  const [name] = names;
  if (name === undefined) return;
  if (names.length > 1)
    announce(t(end === 'ready' ? 'model.areReady' : 'model.areFailed', { count: names.length }));
  else announce(t(end === 'ready' ? 'model.isReady' : 'model.isFailed', { name }));
}
