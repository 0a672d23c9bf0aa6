// A file of traces that is dropped on the screen. Only JSON is taken here: a model that is dragged over it goes where it
// goes everywhere, and while it is dragged nothing but its kind is known.

import type { DragEvent as ReactDragEvent, RefObject } from 'react';
import { useEffect } from 'react';

import { importTraces } from './trace-files.ts';

const JSON_TYPE = 'application/json';

/** Marks `screen` as a place that takes the drop while JSON is dragged; the handlers are those of the screen. */
export function useTraceDrop(screen: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const mark = (event: DragEvent): void => {
      if (isJson(event.dataTransfer)) screen.current?.setAttribute('data-drop-target', 'traces');
      else screen.current?.removeAttribute('data-drop-target');
    };
    // Before the window decides who takes the drop.
    window.addEventListener('dragenter', mark, true);
    window.addEventListener('dragover', mark, true);
    return () => {
      window.removeEventListener('dragenter', mark, true);
      window.removeEventListener('dragover', mark, true);
    };
  }, [screen]);
  return {
    onDragOver: (event: ReactDragEvent) => {
      if (!isJson(event.dataTransfer)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    onDrop: (event: ReactDragEvent) => {
      const file = event.dataTransfer.files[0];
      if (file === undefined || !isJson(event.dataTransfer)) return;
      event.preventDefault();
      event.stopPropagation();
      void importTraces(file);
    },
  };
}

function isJson(transfer: DataTransfer | null): boolean {
  const files = [...(transfer?.items ?? [])].filter(({ kind }) => kind === 'file');
  return files.length === 1 && files[0]?.type === JSON_TYPE;
}
