// Pictures that were sent as inputs, for the page's own preview, by the blob that they were sent as.

const pictures = new Map<string, string>();
const MAX_PICTURES = 30;

/** The oldest is forgotten when there are too many. */
export function rememberPicture(blob: string, file: File): void {
  pictures.set(blob, URL.createObjectURL(file));
  const [oldest] = pictures;
  if (pictures.size <= MAX_PICTURES || oldest === undefined) return;
  URL.revokeObjectURL(oldest[1]);
  pictures.delete(oldest[0]);
}

/** Address of the picture that was uploaded as this blob in this window; undefined for saved ones. */
export function pictureOf(blob: string): string | undefined {
  return pictures.get(blob);
}

/** It was sent again, as another blob. */
export function renamePicture(before: string, blob: string): void {
  const address = pictures.get(before);
  if (address === undefined) return;
  pictures.delete(before);
  pictures.set(blob, address);
}

/** What the page itself can tell of a picture. */
export interface SeenPicture {
  readonly width: number;
  readonly height: number;
  readonly isTransparent: boolean;
}

/** Transparency is looked for in a picture of this side at most: parts of it, not single pixels, matter. */
const MOST_LOOKED_AT = 512;

/** Undefined for formats that only the engine can decode. */
export async function lookAtPicture(file: Blob): Promise<SeenPicture | undefined> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return undefined;
  }
  const { width, height } = bitmap;
  const scale = Math.min(1, MOST_LOOKED_AT / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const pixels = context?.getImageData(0, 0, canvas.width, canvas.height).data;
  return { width, height, isTransparent: pixels !== undefined && hasHoles(pixels) };
}

function hasHoles(pixels: Uint8ClampedArray): boolean {
  for (let at = 3; at < pixels.length; at += 4) if ((pixels[at] ?? 255) < 255) return true;
  return false;
}
