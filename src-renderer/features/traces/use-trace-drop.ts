// A file of traces that is dropped anywhere in the window leads to its screen. Only JSON is taken: a model that is dragged goes
// where it goes everywhere, and while it is dragged nothing but its kind is known. What takes JSON itself comes first.

import { useEffect, useState } from 'react';

import { address } from '../../lib/address.ts';
import { open } from '../../lib/workspace-store.ts';
import { importTraces } from './trace-files.ts';

const JSON_TYPE = 'application/json';
const MARK = 'data-drop-target';

/** Marks the window as a place that takes the drop while JSON is dragged, and tells whether it would. Mounted once. */
export function useTraceDrop(): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const { body } = document;
    const mark = (event: DragEvent): void => {
      const isTaken = isJson(event.dataTransfer);
      if (isTaken) body.setAttribute(MARK, 'traces');
      else body.removeAttribute(MARK);
      setIsOver(isTaken && !isOverOther(event));
    };
    const over = (event: DragEvent): void => {
      if (isJson(event.dataTransfer)) event.preventDefault();
    };
    const end = (): void => {
      body.removeAttribute(MARK);
      setIsOver(false);
    };
    // Leaving for nothing means leaving the window.
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) end();
    };
    // At the document: behind whatever took it in the page, before the window's own answer to files.
    const drop = (event: DragEvent): void => {
      const file = event.dataTransfer?.files[0];
      const isTaken = event.defaultPrevented || file === undefined || !isJson(event.dataTransfer);
      if (isTaken) return;
      event.preventDefault();
      open(address('traces'));
      void importTraces(file);
    };
    const controller = new AbortController();
    const { signal } = controller;
    // Before the window decides who takes the drop.
    window.addEventListener('dragenter', mark, { capture: true, signal });
    window.addEventListener('dragover', mark, { capture: true, signal });
    window.addEventListener('dragleave', leave, { signal });
    // Whoever takes it, the drag is over.
    window.addEventListener('drop', end, { capture: true, signal });
    window.addEventListener('dragend', end, { capture: true, signal });
    document.addEventListener('dragover', over, { signal });
    document.addEventListener('drop', drop, { signal });
    return () => controller.abort();
  }, []);
  return isOver;
}

function isJson(transfer: DataTransfer | null): boolean {
  const files = [...(transfer?.items ?? [])].filter(({ kind }) => kind === 'file');
  return files.length === 1 && files[0]?.type === JSON_TYPE;
}

/** A place of the page that takes files itself. */
function isOverOther({ target }: DragEvent): boolean {
  const place = target instanceof Element ? target.closest(`[${MARK}]`) : null;
  return place !== null && place !== document.body;
}
