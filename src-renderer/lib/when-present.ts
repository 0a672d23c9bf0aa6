// Does something with an element that is on its way: a panel that has just been opened draws its rows when they are read.

const PATIENCE_MS = 3000;

/** Calls `act` once, with the first element that fits; never when none comes within a few seconds. */
export function whenPresent(selector: string, act: (element: HTMLElement) => void): void {
  const present = document.querySelector<HTMLElement>(selector);
  if (present !== null) {
    act(present);
    return;
  }
  const end = (): void => {
    clearTimeout(timer);
    observer.disconnect();
  };
  const observer = new MutationObserver(() => {
    const found = document.querySelector<HTMLElement>(selector);
    if (found === null) return;
    end();
    act(found);
  });
  const timer = setTimeout(end, PATIENCE_MS);
  observer.observe(document.body, { childList: true, subtree: true });
}
