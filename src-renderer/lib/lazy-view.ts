// A view that is fetched when it is first drawn, together with the texts that the first script leaves out. React's own
// `lazy` keeps a failure for good; here a view that could not be fetched is had again, without loading the page anew.

import type { ComponentType } from 'react';
import { createElement, use, useState } from 'react';

import { loadTexts } from '../texts/load-texts.ts';

/** A view whose code is fetched when it is shown first. It suspends meanwhile, and throws what kept it from coming. */
export type LazyView<Props> = ComponentType<Props> & {
  /** Fetches it before it is drawn; rejects when it could not be fetched. */
  readonly preload: () => Promise<unknown>;
};

/** Of each view that was to be drawn and did not come: forgets that. */
const failed = new Set<() => void>();

/** What could not be fetched is asked for again when it is drawn next. */
export function forgetFailedViews(): void {
  for (const forget of failed) forget();
  failed.clear();
}

/** `load` is called once, and again only after it failed. */
export function lazyView<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyView<Props> {
  let here: ComponentType<Props> | undefined;
  let fetched: Promise<ComponentType<Props>> | undefined;
  // What is drawn needs one promise, with its failure, until the failure is forgotten.
  let awaited: Promise<ComponentType<Props>> | undefined;
  const preload = (): Promise<ComponentType<Props>> => {
    fetched ??= Promise.all([load(), loadTexts()]).then(
      ([View]) => (here = View),
      (thrown: unknown) => {
        fetched = undefined;
        throw thrown;
      },
    );
    return fetched;
  };
  const forget = (): void => {
    awaited = undefined;
  };
  const drawn = (): Promise<ComponentType<Props>> => {
    if (awaited !== undefined) return awaited;
    awaited = preload();
    awaited.catch(() => failed.add(forget));
    return awaited;
  };
  const Fetched = (props: Props) => createElement(use(drawn()), props);
  // One that is shown stays what it is: another component in its place would lose its state.
  const View = (props: Props) => {
    const [Shown] = useState(() => here ?? Fetched);
    return createElement(Shown, props);
  };
  return Object.assign(View, { preload });
}
