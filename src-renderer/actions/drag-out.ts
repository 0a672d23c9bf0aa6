// What is dragged out of the desktop app becomes a file where it is dropped. A browser has nothing like it, so there
// nothing can be dragged.

import type { DragEvent } from 'react';

import { nativeShell } from '../engine/native-shell.ts';
import { toBase64 } from './blobs.ts';
import { toastThrown } from '../engine/toast-thrown.ts';

/** `name` is made fit for every file system before it leaves the window. */
export interface DraggedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Longer names are refused by many file systems. */
const MAX_NAME = 200;

/** The end of a long name stays, with what says of which kind the file is. */
function fileName(name: string): string {
  return name.replace(/[^\w.-]+/g, '_').slice(-MAX_NAME);
}

/** For an element that the user can take hold of; `make` is called when the drag begins, and should be quick. */
export function dragOutProps<E extends HTMLElement>(
  make: (element: E) => DraggedFile | Promise<DraggedFile>,
) {
  const shell = nativeShell();
  if (shell === undefined) return {};
  const start = async (element: E): Promise<void> => {
    const { name, bytes } = await make(element);
    await shell.call('shell/dragOut', { name: fileName(name), content: toBase64(bytes), isBase64: true });
  };
  return {
    draggable: true,
    onDragStart: (event: DragEvent<E>) => {
      event.preventDefault();
      start(event.currentTarget).catch(toastThrown);
    },
  };
}
