// Where a drawing starts: as a whole when that can be read, else at its beginning in a size that can. Pure.

interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** In pixels; that of a drawing is at zoom 1. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const MARGIN = 12;
/** Labels are written in 12 px, and nothing below 11 px is read with ease. */
export const READABLE_ZOOM = 11 / 12;

/** Sizes in pixels, those of the drawing at zoom 1. A pane that is not laid out yet gives zoom 1. */
export function startViewport(drawing: Size, pane: Size, direction: 'TB' | 'LR'): Viewport {
  if (pane.width === 0 || pane.height === 0 || drawing.width === 0) return { x: 0, y: 0, zoom: 1 };
  const whole = wholeZoom(drawing, pane);
  const zoom = Math.max(whole, READABLE_ZOOM);
  const centred = (room: number, size: number): number => (room - size * zoom) / 2;
  const begin = (room: number, size: number): number => Math.max(MARGIN, centred(room, size));
  return {
    zoom,
    x: direction === 'TB' ? centred(pane.width, drawing.width) : begin(pane.width, drawing.width),
    y: direction === 'TB' ? begin(pane.height, drawing.height) : centred(pane.height, drawing.height),
  };
}

/** All of the drawing, however small that makes it. */
export function wholeViewport(drawing: Size, pane: Size): Viewport {
  if (pane.width === 0 || pane.height === 0 || drawing.width === 0) return { x: 0, y: 0, zoom: 1 };
  const zoom = wholeZoom(drawing, pane);
  return {
    zoom,
    x: (pane.width - drawing.width * zoom) / 2,
    y: (pane.height - drawing.height * zoom) / 2,
  };
}

/** At most 1: a small drawing is not blown up. */
export function wholeZoom(drawing: Size, pane: Size): number {
  const room = (side: number): number => (side > 4 * MARGIN ? side - 2 * MARGIN : side / 2);
  return Math.min(room(pane.width) / drawing.width, room(pane.height) / drawing.height, 1);
}
