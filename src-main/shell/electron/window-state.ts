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

type WindowSize = Pick<WindowBounds, 'width' | 'height'>;

/** Smallest part of a window that counts as visible, in each direction. */
const VISIBLE = 100;

/**
 * Stored bounds as they fit the screens there are now: only the size where the screen they were on is gone, and never
 * larger than the screens that they reach, or than the first one. Pixels as the system counts them for windows.
 */
export function visibleBounds(
  place: WindowBounds,
  screens: readonly WindowBounds[],
): WindowBounds | WindowSize {
  const { x, y, width, height } = place;
  const reached = screens.filter((area) => {
    const across = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
    const down = Math.min(y + height, area.y + area.height) - Math.max(y, area.y);
    return across > VISIBLE && down > VISIBLE;
  });
  // A title bar above the screen cannot be taken hold of.
  if (!reached.some((area) => y >= area.y - 1)) return fittingSize(place, screens);
  const left = Math.min(...reached.map((area) => area.x));
  const top = Math.min(...reached.map((area) => area.y));
  const right = Math.max(...reached.map((area) => area.x + area.width));
  const bottom = Math.max(...reached.map((area) => area.y + area.height));
  const isWider = width > right - left;
  const isHigher = height > bottom - top;
  return {
    x: isWider ? left : x,
    y: isHigher ? top : y,
    width: isWider ? right - left : width,
    height: isHigher ? bottom - top : height,
  };
}

/** A size that the first of the screens has room for. */
export function fittingSize({ width, height }: WindowSize, screens: readonly WindowBounds[]): WindowSize {
  const [first] = screens;
  return {
    width: Math.min(width, first?.width ?? width),
    height: Math.min(height, first?.height ?? height),
  };
}

/** The least size that lets a window fit every screen, and be `wanted` where all of them have room for that. */
export function leastSize(wanted: WindowSize, screens: readonly WindowBounds[]): WindowSize {
  return {
    width: Math.min(wanted.width, ...screens.map((area) => area.width)),
    height: Math.min(wanted.height, ...screens.map((area) => area.height)),
  };
}
