// Size and place of the window between two starts, in the user-data folder. A damaged file means the default size.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

import { getLogger } from '../../base/log.ts';

const log = getLogger('shell');

const schema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(1),
  height: z.number().int().min(1),
  isMaximized: z.boolean().default(false),
});

interface WindowBounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface WindowPlace extends WindowBounds {
  readonly isMaximized: boolean;
}

/** The place of the last window: read at the start, written when a window closes. */
export class WindowState {
  readonly #file: string;
  #place: WindowPlace | undefined;

  constructor(userDataPath: string) {
    this.#file = path.join(userDataPath, 'window.json');
    try {
      this.#place = schema.parse(JSON.parse(readFileSync(this.#file, 'utf8')));
    } catch {
      this.#place = undefined;
    }
  }

  /** Of the last window that closed; `undefined` = the default. */
  get place(): WindowPlace | undefined {
    return this.#place;
  }

  /** Written at once and in place: the window is closing, and a lost write costs a size. */
  remember(place: WindowPlace): void {
    this.#place = place;
    try {
      writeFileSync(this.#file, JSON.stringify(place));
    } catch (thrown) {
      log.warn(`window size not stored: ${String(thrown)}`);
    }
  }
}

/** Smallest part of a window that counts as visible, in each direction. */
const VISIBLE = 100;

/** Stored bounds that fit the screens there are now; only the size where the screen they were on is gone. */
export function visibleBounds(
  place: WindowBounds,
  screens: readonly WindowBounds[],
): WindowBounds | Pick<WindowBounds, 'width' | 'height'> {
  const { x, y, width, height } = place;
  const isVisible = screens.some((area) => {
    const across = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
    const down = Math.min(y + height, area.y + area.height) - Math.max(y, area.y);
    // A title bar above the screen cannot be taken hold of.
    return across > VISIBLE && down > VISIBLE && y >= area.y - 1;
  });
  return isVisible ? { x, y, width, height } : { width, height };
}
