// Finds things as somebody does who hears the window: by what they are and what they are called. Role and name come from
// axe, as in the checks of accessibility.

import axe from 'axe-core';

interface AxeInside {
  readonly commons: {
    readonly aria: { readonly getRole: (element: Element) => string | null };
    readonly text: { readonly accessibleText: (element: Element) => string };
    readonly dom: { readonly isVisibleToScreenReaders: (element: Element) => boolean };
  };
  readonly utils: { readonly getFlattenedTree: (root: Element) => unknown };
  /** What it has read of the page; `teardown` forgets it. */
  _tree: unknown;
}

/** Its types leave most of this out. */
const inside = axe as unknown as AxeInside;
const { aria, text, dom } = inside.commons;

/** Elements that have a role without being told; a role that is not here may be that of any element. */
const ELEMENTS_OF: Readonly<Record<string, string>> = {
  alert: '',
  button: 'button,input,summary',
  combobox: 'input,select',
  group: 'fieldset,details,optgroup',
  textbox: 'input,textarea',
};

/** Elements in the order of the page; `name` undefined = whatever they are called. What is hidden is left out. */
export function allByRole(
  role: string,
  name?: string | RegExp,
  within: Element = document.body,
): readonly HTMLElement[] {
  return ofRole(role, within, (all) => all.filter((element) => isMeant(element, name)));
}

/** The only one. Throws with what there is of that role when there is none, or more than one. */
export function byRole(role: string, name?: string | RegExp, within: Element = document.body): HTMLElement {
  // One reading of the page for the answer and for what there is instead: tests ask again and again until it is there.
  return ofRole(role, within, (all) => {
    const [found, ...more] = all.filter((element) => isMeant(element, name));
    if (found !== undefined && more.length === 0) return found;
    const names = all.map((one) => `'${text.accessibleText(one)}'`);
    throw new Error(
      `${found === undefined ? 'no' : 'more than one'} ${role} '${String(name ?? '')}'; hidden or not there are: ${names.join(', ')}`,
    );
  });
}

/** Whether it is hidden is asked last, since jsdom works out the style of everything around it for that. */
function isMeant(element: Element, name: string | RegExp | undefined): boolean {
  return isNamed(element, name) && dom.isVisibleToScreenReaders(element);
}

function isNamed(element: Element, name: string | RegExp | undefined): boolean {
  if (name === undefined) return true;
  const own = text.accessibleText(element);
  return typeof name === 'string' ? own === name : name.test(own);
}

/**
 * Axe reads the page once for a question and forgets it then; not at all when nothing can have the role. Its `setup`
 * reads what it needs for naming elements in a report as well, which takes longer than all the rest.
 */
function ofRole<Result>(
  role: string,
  within: Element,
  ask: (elements: readonly HTMLElement[]) => Result,
): Result {
  const elements = ELEMENTS_OF[role] ?? '*';
  const told = `[role~="${role}"]`;
  const candidates = [
    ...within.querySelectorAll<HTMLElement>(elements === '' ? told : `${told},${elements}`),
  ];
  if (candidates.length === 0) return ask([]);
  inside._tree = inside.utils.getFlattenedTree(document.body);
  try {
    return ask(candidates.filter((element) => aria.getRole(element) === role));
  } finally {
    axe.teardown();
  }
}
