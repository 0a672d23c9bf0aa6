// Finds things as somebody does who hears the window: by what they are and what they are called. Role and name come from
// axe, as in the checks of accessibility.

import axe from 'axe-core';

interface AxeCommons {
  readonly aria: { readonly getRole: (element: Element) => string | null };
  readonly text: { readonly accessibleText: (element: Element) => string };
  readonly dom: { readonly isVisibleToScreenReaders: (element: Element) => boolean };
}

/** Its types leave out two of the three. */
const commons = axe.commons as unknown as AxeCommons;

/** Elements in the order of the page; `name` undefined = whatever they are called. What is hidden is left out. */
export function allByRole(
  role: string,
  name?: string | RegExp,
  within: Element = document.body,
): readonly HTMLElement[] {
  return heard(() => ofRole(role, within).filter((element) => isNamed(element, name) && isHeard(element)));
}

/** The only one. Throws with what there is of that role when there is none, or more than one. */
export function byRole(role: string, name?: string | RegExp, within: Element = document.body): HTMLElement {
  // One reading of the page for the answer and for what there is instead: tests ask again and again until it is there.
  return heard(() => {
    const all = ofRole(role, within).filter(isHeard);
    const [found, ...more] = all.filter((element) => isNamed(element, name));
    if (found !== undefined && more.length === 0) return found;
    const names = all.map((one) => `'${commons.text.accessibleText(one)}'`);
    throw new Error(
      `${found === undefined ? 'no' : 'more than one'} ${role} '${String(name ?? '')}'; there are: ${names.join(', ')}`,
    );
  });
}

function ofRole(role: string, within: Element): readonly HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>('*')].filter(
    (element) => commons.aria.getRole(element) === role,
  );
}

function isNamed(element: Element, name: string | RegExp | undefined): boolean {
  if (name === undefined) return true;
  const own = commons.text.accessibleText(element);
  return typeof name === 'string' ? own === name : name.test(own);
}

function isHeard(element: Element): boolean {
  return commons.dom.isVisibleToScreenReaders(element);
}

/** Axe reads the page once for a question and forgets it then. */
function heard<Result>(ask: () => Result): Result {
  axe.setup(document.body);
  try {
    return ask();
  } finally {
    axe.teardown();
  }
}
