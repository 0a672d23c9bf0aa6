// Whether an ensemble is drawn to the right or downwards: whichever can be read as a whole in the room that there is. Pure.

import type { Direction } from './ensemble-sizes.ts';
import { READABLE_ZOOM, wholeZoom } from './start-viewport.ts';
import type { Size } from './start-viewport.ts';

/**
 * To the right as long as that fits with labels that can be read, else downwards if that does, else the one of which
 * more is seen. `current` stays while it fits, so that an edit does not turn the drawing.
 */
export function fittingDirection(
  drawings: Readonly<Record<Direction, Size>>,
  pane: Size,
  current: Direction | undefined,
): Direction {
  if (pane.width === 0 || pane.height === 0) return current ?? 'LR';
  const zoom = { LR: wholeZoom(drawings.LR, pane), TB: wholeZoom(drawings.TB, pane) };
  const preferred = current ?? 'LR';
  if (zoom[preferred] >= READABLE_ZOOM) return preferred;
  return zoom.TB > zoom.LR ? 'TB' : 'LR';
}
