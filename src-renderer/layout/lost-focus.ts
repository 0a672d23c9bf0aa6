// What had the focus and is gone: an act that ended takes its button away, and the focus with it. It goes to what stands in
// its place now, else to the panel around it, so that the next key means something and a reader knows where it is.

/** What can be known about an element only while it is there. */
interface Gone {
  readonly element: Element;
  /** From the parent outwards. */
  readonly around: readonly Element[];
  readonly x: number;
  readonly y: number;
}

const CONTROL = 'button, a[href], input, select, textarea, [tabindex="0"]';
const PANEL = '[role="tabpanel"], [role="dialog"], [role="alertdialog"]';

/**
 * Calls `onLost` with what is to have the focus, undefined where nothing around is left. Dialogs and menus give the focus
 * back themselves and are waited for. Returns a function that ends it.
 */
export function watchLostFocus(onLost: (next: HTMLElement | undefined) => void): () => void {
  const onFocusOut = ({ target, relatedTarget }: FocusEvent): void => {
    if (relatedTarget !== null || !(target instanceof Element)) return;
    const gone = describe(target);
    // Two frames: what closes at the same time comes first.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const { activeElement } = document;
        if (gone.element.isConnected || (activeElement !== null && activeElement !== document.body)) return;
        onLost(successor(gone));
      }),
    );
  };
  window.addEventListener('focusout', onFocusOut, true);
  return () => window.removeEventListener('focusout', onFocusOut, true);
}

function describe(element: Element): Gone {
  const around: Element[] = [];
  for (let at = element.parentElement; at !== null; at = at.parentElement) around.push(at);
  const { left, top, width, height } = element.getBoundingClientRect();
  return { element, around, x: left + width / 2, y: top + height / 2 };
}

/** A control in the same place and of what was around, else the panel around. */
function successor({ around, x, y }: Gone): HTMLElement | undefined {
  const left = around.find(({ isConnected }) => isConnected);
  if (left === undefined || left === document.body) return undefined;
  const control = document.elementFromPoint(x, y)?.closest<HTMLElement>(CONTROL) ?? undefined;
  return control !== undefined && left.contains(control)
    ? control
    : (left.closest<HTMLElement>(PANEL) ?? undefined);
}
