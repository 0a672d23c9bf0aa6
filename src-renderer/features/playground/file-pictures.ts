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
