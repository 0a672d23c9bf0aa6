// Files and folders that something outside of the window asks to open. Whoever can open them says so; what came before
// waits.

/** Files and folders that the system handed over. */
export interface PathsToOpen {
  readonly paths: readonly string[];
  /** Repositories that were open before: they need no second look. */
  readonly isRecent: boolean;
}

type Opener = (request: PathsToOpen) => void;

let opener: Opener | undefined;
const waiting: PathsToOpen[] = [];

/** Waits for an opener when there is none yet. */
export function openPaths(request: PathsToOpen): void {
  if (opener === undefined) waiting.push(request);
  else opener(request);
}

/** Returns the off-switch. */
export function onOpenPaths(next: Opener): () => void {
  opener = next;
  for (const request of waiting.splice(0)) next(request);
  return () => {
    if (opener === next) opener = undefined;
  };
}
