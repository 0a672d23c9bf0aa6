// Hands the drawing to the user as a file.

import { saveBytes } from '../../actions/save-bytes.ts';
import { saveText } from '../../actions/save-text.ts';
import { messageOf } from '../../engine/engine-client.ts';
import { t } from '../../texts/translate.ts';
import { toastError } from '../../ui/toast.tsx';
import type { Picture } from './graph-picture.ts';
import { pictureColors, picturePng, pictureSize, pictureSvg } from './graph-picture.ts';

/** Saves it as `name`.png or `name`.svg; a failure is told in a message. */
export async function savePicture(name: string, kind: 'png' | 'svg', picture: Picture): Promise<void> {
  const svg = pictureSvg(picture, pictureColors(document.documentElement));
  try {
    if (kind === 'svg') {
      await saveText(`${name}.svg`, svg, 'image/svg+xml');
      return;
    }
    const { width, height } = pictureSize(picture);
    saveBytes(`${name}.png`, await picturePng(svg, width, height));
  } catch (thrown) {
    toastError(t('graph.export.failed', { reason: messageOf(thrown) }));
  }
}
