// Files of the user's that turn out to be models where something else was expected. Whoever can import them says so.

type Opener = (files: readonly File[]) => void;

let opener: Opener | undefined;

/** Hands the files to the import. Nothing happens in a window that has none. */
export function openFiles(files: readonly File[]): void {
  opener?.(files);
}

/** Returns the off-switch. */
export function onOpenFiles(next: Opener): () => void {
  opener = next;
  return () => {
    if (opener === next) opener = undefined;
  };
}
