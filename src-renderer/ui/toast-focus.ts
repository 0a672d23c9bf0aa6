// The focus among the messages. Their library sends it back to where it came from whenever it leaves them, so that Tab
// went round between the last control of the window and the messages for as long as one was shown; it is not told of the
// focus. Here Tab goes on past them, and the focus comes back only when a message takes it away, or for Escape.

/** Follows the focus into `region` (`onEnter`) and out of it (`onLeave`). Returns a function that ends it. */
export function followToastFocus(region: HTMLElement, onEnter: () => void, onLeave: () => void): () => void {
  let before: HTMLElement | undefined;
  let focused: Node | undefined;
  const back = (): void => before?.focus({ preventScroll: true });
  const isInside = (target: EventTarget | null): boolean => target instanceof Node && region.contains(target);
  const onFocusIn = (event: FocusEvent): void => {
    event.stopPropagation();
    const { target, relatedTarget } = event;
    focused = target instanceof Node ? target : undefined;
    if (isInside(relatedTarget)) return;
    before = relatedTarget instanceof HTMLElement ? relatedTarget : undefined;
    onEnter();
  };
  const onFocusOut = (event: FocusEvent): void => {
    event.stopPropagation();
    const { relatedTarget } = event;
    if (isInside(relatedTarget)) return;
    // Without another place for it the message may be on its way out.
    if (relatedTarget !== null) focused = undefined;
    onLeave();
  };
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') back();
  };
  const removed = new MutationObserver(() => {
    if (focused === undefined || focused.isConnected) return;
    focused = undefined;
    if (document.activeElement === document.body) back();
  });
  const controller = new AbortController();
  const { signal } = controller;
  region.addEventListener('focusin', onFocusIn, { signal });
  region.addEventListener('focusout', onFocusOut, { signal });
  region.addEventListener('keydown', onKeyDown, { signal });
  removed.observe(region, { childList: true, subtree: true });
  return () => {
    controller.abort();
    removed.disconnect();
  };
}
