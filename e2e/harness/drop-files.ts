// Real drops of files and folders, through the DevTools protocol: the page sees what it would see of a file manager.

import type { Locator } from '@playwright/test';

import type { AppUnderTest } from './launch-app.ts';

type DragType = 'dragEnter' | 'dragOver' | 'drop';

const OVER_EVERY_MS = 200;
const MAX_OVERS = 50;
const COPY = 1;
const ALT = 1;

async function centre(target: Locator): Promise<{ x: number; y: number }> {
  const box = await target.boundingBox();
  if (box === null) throw new Error('the drop target has no place on the screen');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/**
 * Drags the paths over the window, waits until `target` is shown, and lets go over it. `target` may be something that
 * appears only during the drag.
 */
export async function dropFiles(
  app: Pick<AppUnderTest, 'page' | 'devTools'>,
  target: Locator,
  paths: readonly string[],
  options: { readonly withAlt?: boolean } = {},
): Promise<void> {
  const session = await app.devTools();
  const data = { items: [], files: [...paths], dragOperationsMask: COPY };
  const modifiers = options.withAlt === true ? ALT : 0;
  const drag = (type: DragType, x: number, y: number) =>
    session.send('Input.dispatchDragEvent', { type, x, y, data, modifiers });
  try {
    const { width, height } = app.page.viewportSize() ?? { width: 800, height: 600 };
    await drag('dragEnter', width / 2, height / 2);
    // A pointer that holds files tells the page so again and again.
    for (let times = 0; times < MAX_OVERS; times += 1) {
      await drag('dragOver', width / 2, height / 2);
      if (await target.isVisible()) break;
      await app.page.waitForTimeout(OVER_EVERY_MS);
    }
    await target.waitFor();
    const { x, y } = await centre(target);
    await drag('dragOver', x, y);
    await drag('drop', x, y);
  } finally {
    await session.detach();
  }
}
