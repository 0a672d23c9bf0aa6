// A view that is fetched when it is first drawn, together with the texts that the first script leaves out.

import type { ComponentType, LazyExoticComponent } from 'react';
import { lazy } from 'react';

import { loadTexts } from '../texts/load-texts.ts';

/** A view whose code is fetched when it is shown first. */
export type LazyView<Props> = LazyExoticComponent<ComponentType<Props>> & {
  /** Fetches it before it is drawn; rejects when it could not be fetched. */
  readonly preload: () => Promise<unknown>;
};

/** `load` is called once, and again only after it failed. */
export function lazyView<Props>(load: () => Promise<ComponentType<Props>>): LazyView<Props> {
  let fetched: Promise<{ readonly default: ComponentType<Props> }> | undefined;
  const preload = () => {
    fetched ??= Promise.all([load(), loadTexts()]).then(
      ([View]) => ({ default: View }),
      (thrown: unknown) => {
        // Asked for again when it is drawn.
        fetched = undefined;
        throw thrown;
      },
    );
    return fetched;
  };
  return Object.assign(lazy(preload), { preload });
}
