// Fetches what will be opened next while the window has nothing to do, the editor last: it is the largest part, and an
// empty tab while it loads is what one would see without this. Its code runs for 130 ms before it is there, as one task, so
// it also waits until nobody scrolls or types.

import { whenAtRest } from '../lib/when-at-rest.ts';
import { afterStart, whenIdle } from '../lib/when-idle.ts';

type Part = () => Promise<unknown>;

const PARTS: readonly Part[] = [
  () => import('./model/model-view.tsx'),
  () => import('./model/overview-tab.tsx'),
  () => import('./playground/playground-view.tsx'),
  () => import('./config-editor/config-tab.tsx'),
];
const EDITOR: Part = () => import('../config/editor/code-editor.tsx');

/** One part after the other; a part that cannot be fetched is asked for again when it is opened. */
export function prefetchFeatures(): void {
  const fetchFrom = (index: number): void => {
    const part = PARTS[index];
    if (part === undefined) whenAtRest(() => void EDITOR().catch(() => undefined));
    else
      part().then(
        () => whenIdle(() => fetchFrom(index + 1)),
        () => undefined,
      );
  };
  afterStart(() => fetchFrom(0));
}
