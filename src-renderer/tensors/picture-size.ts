// How large a picture of a tensor is shown. Pure.

/** Small ones are enlarged by whole numbers up to this many pixels of the style sheet. */
const SMALL_PX = 360;
/** A large one is as high as this at most. */
const HIGHEST_PX = 384;
const MOST_ENLARGED = 24;
/** A strip that is reduced to its room would be too thin to be seen. */
const LEAST_RATIO = 1 / 8;

/** Elements of a picture. */
export interface PictureExtent {
  readonly width: number;
  readonly height: number;
}

/** How often each element is repeated, to both sides. */
export function enlargement({ width, height }: PictureExtent): number {
  return Math.max(1, Math.min(MOST_ENLARGED, Math.floor(SMALL_PX / Math.max(width, height))));
}

/** Whether it is shown as a whole rather than pixel by pixel, so that both can be chosen from. */
export function isReducible({ width, height }: PictureExtent): boolean {
  const longest = Math.max(width, height);
  return longest > SMALL_PX && Math.min(width, height) / longest >= LEAST_RATIO;
}

/** For the style sheet: all of it within its room. */
export function reducedStyle({ width, height }: PictureExtent) {
  return {
    width: Math.round(width * Math.min(1, HIGHEST_PX / height)),
    maxWidth: '100%',
    height: 'auto',
    aspectRatio: `${width} / ${height}`,
  };
}
