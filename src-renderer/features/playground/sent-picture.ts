// The picture of a request that was sent from this window, for drawing over it what the model found.

import type { PlaygroundRequest } from '../../../src-shared/contract/inference-calls.ts';
import type { SentPicture } from '../../tensors/boxes-view.tsx';
import { pictureOf } from './file-pictures.ts';

/** Undefined when no input was a picture, or its file is no longer held. */
export function sentPicture({ inputs }: Pick<PlaygroundRequest, 'inputs'>): SentPicture | undefined {
  for (const { source, shape } of inputs) {
    if (source.kind !== 'image') continue;
    const address = pictureOf(source.blob);
    const [height = 0, width = 0] = source.layout === 'NCHW' ? shape.slice(-2) : shape.slice(-3, -1);
    if (address !== undefined) return { address, input: { width, height }, resize: source.resize };
  }
  return undefined;
}

/** How many inputs were pictures. */
export function picturesOf({ inputs }: Pick<PlaygroundRequest, 'inputs'>): number {
  return inputs.filter(({ source }) => source.kind === 'image').length;
}
