// A file of traces that is dropped anywhere in the window leads to its screen. Only JSON is taken: a model that is dragged goes
// where it goes everywhere, and while it is dragged nothing but its kind is known. What takes JSON itself comes first.

import { useEffect } from 'react';

import { address } from '../../lib/address.ts';
import { open } from '../../lib/workspace-store.ts';
import { importTraces } from './trace-files.ts';

const JSON_TYPE = 'application/json';
const MARK = 'data-drop-target';

/** Marks the window as a place that takes the drop while JSON is dragged. Mounted once. */
export function useTraceDrop(): void {
  useEffect(() => {
    const { body } = document;
    const mark = (event: DragEvent): void => {
      if (isJson(event.dataTransfer)) body.setAttribute(MARK, 'traces');
      else body.removeAttribute(MARK);
    };
    const over = (event: DragEvent): void => {
      if (isJson(event.dataTransfer)) event.preventDefault();
    };
    // At the document: behind whatever took it in the page, before the window's own answer to files.
    const drop = (event: DragEvent): void => {
      const file = event.dataTransfer?.files[0];
      const isTaken = event.defaultPrevented || file === undefined || !isJson(event.dataTransfer);
      body.removeAttribute(MARK);
      if (isTaken) return;
      event.preventDefault();
      open(address('traces'));
      void importTraces(file);
    };
    // Before the window decides who takes the drop.
    window.addEventListener('dragenter', mark, true);
    window.addEventListener('dragover', mark, true);
    document.addEventListener('dragover', over);
    document.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragenter', mark, true);
      window.removeEventListener('dragover', mark, true);
      document.removeEventListener('dragover', over);
      document.removeEventListener('drop', drop);
    };
  }, []);
}

function isJson(transfer: DataTransfer | null): boolean {
  const files = [...(transfer?.items ?? [])].filter(({ kind }) => kind === 'file');
  return files.length === 1 && files[0]?.type === JSON_TYPE;
}
