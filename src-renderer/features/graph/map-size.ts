// How large the map beside a drawing is: a small picture, and for a drawing that is far longer than wide a band along its
// pane, as a scroll bar is. Pure.

import type { Size } from './start-viewport.ts';

const SHORT: Size = { width: 200, height: 80 };
const TALL: Size = { width: 120, height: 160 };
/** A picture of something longer is a line. */
const PICTURE_RATIO = 6;
const MARGIN = 30;
/** Below this the band shows nothing, and above it hides what it stands on. */
const BAND = { narrowest: 20, widest: 60, longest: 900 };
const THREAD_RATIO = 2000;

/** In pixels; undefined for a drawing that no map can show, or a pane without room. */
export function mapSize(drawing: Size, pane: Size): Size | undefined {
  if (drawing.width === 0 || drawing.height === 0) return undefined;
  const isWide = drawing.width > drawing.height;
  const ratio = isWide ? drawing.width / drawing.height : drawing.height / drawing.width;
  if (ratio <= PICTURE_RATIO) return isWide ? SHORT : TALL;
  const room = (isWide ? pane.width : pane.height) - 2 * MARGIN;
  const length = Math.min(room, BAND.longest);
  if (ratio > THREAD_RATIO || length < BAND.widest) return undefined;
  const across = Math.round(Math.min(Math.max(length / ratio, BAND.narrowest), BAND.widest));
  return isWide ? { width: length, height: across } : { width: across, height: length };
}
