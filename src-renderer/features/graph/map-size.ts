// How large the map beside a drawing is: a small picture, and for a drawing that is far longer than wide a band along its
// pane, as a scroll bar is. Pure.

import type { Size } from './start-viewport.ts';

const SHORT: Size = { width: 200, height: 80 };
const TALL: Size = { width: 120, height: 160 };
/** A picture of something longer is a line. */
const PICTURE_RATIO = 6;
const MARGIN = 30;
/** In a pane lower than this a picture lies on the nodes that it is to help to find. */
const LOWEST_PANE = 240;
/** Below this the band shows nothing, and above it hides what it stands on. */
const BAND = { narrowest: 20, shortest: 60, widest: 120, longest: 900 };
/** Of the pane's other side: in a low pane the drawing lies where the band would be. */
const MOST_OF_PANE = 1 / 5;
const THREAD_RATIO = 2000;

/** In pixels; undefined for a drawing that no map can show, or a pane without room. */
export function mapSize(drawing: Size, pane: Size): Size | undefined {
  if (drawing.width === 0 || drawing.height === 0) return undefined;
  const isWide = drawing.width > drawing.height;
  const ratio = isWide ? drawing.width / drawing.height : drawing.height / drawing.width;
  if (ratio <= PICTURE_RATIO) {
    if (pane.height < LOWEST_PANE) return undefined;
    return isWide ? SHORT : TALL;
  }
  const room = (isWide ? pane.width : pane.height) - 2 * MARGIN;
  const length = Math.min(room, BAND.longest);
  if (ratio > THREAD_RATIO || length < BAND.shortest) return undefined;
  // The map shows what is seen as well: a view that is wider than the drawing must not shrink it to a thread.
  const breadth = isWide ? Math.max(drawing.height, pane.height) : Math.max(drawing.width, pane.width);
  const share = breadth / Math.max(drawing.width, drawing.height);
  const widest = Math.min(BAND.widest, (isWide ? pane.height : pane.width) * MOST_OF_PANE);
  const across = Math.round(Math.max(Math.min(length * share, widest), BAND.narrowest));
  // No longer than what is in it.
  const along = Math.min(length, Math.round(across / share));
  return isWide ? { width: along, height: across } : { width: across, height: along };
}

/** Units of the drawing that one pixel of its map stands for. */
export function mapScale(drawing: Size, map: Size): number {
  return Math.max(drawing.width / map.width, drawing.height / map.height);
}
