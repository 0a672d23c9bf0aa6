// What an answer says about the picture that was sent, drawn over it: boxes, or the classes of its pixels.

import { useEffect, useMemo, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { findDetection } from './boxes.ts';
import type { SentPicture } from './boxes-view.tsx';
import { BoxesView } from './boxes-view.tsx';
import type { AnswerSource } from './class-names.ts';
import { findMask } from './mask.ts';
import { MaskView } from './mask-view.tsx';
import { isPictureInput } from './output-kind.ts';
import { guessRange, pixelsOf } from './pixels.ts';
import { pixelLayout } from './tensor-slices.ts';
import { NO_OUTPUT, useNumbers } from './use-elements.ts';

interface OverPictureProps {
  readonly outputs: readonly PlaygroundOutput[];
  /** Undefined where none was sent: nothing is drawn. */
  readonly picture: SentPicture | undefined;
  /** How many were sent. */
  readonly pictureCount?: number;
  readonly source: AnswerSource;
}

/** Nothing where no output is about the picture. */
export function OverPicture({ outputs, picture, pictureCount = 1, source }: OverPictureProps) {
  // The same for the same answer, so that what was made of its values stays.
  const detection = useMemo(() => findDetection(outputs), [outputs]);
  const plan = useMemo(() => findMask(outputs, { pictureCount }), [outputs, pictureCount]);
  if (picture === undefined) return null;
  if (detection !== undefined) {
    return <BoxesView outputs={outputs} detection={detection} picture={picture} source={source} />;
  }
  const mask = plan === undefined ? undefined : outputs[plan.output];
  if (plan === undefined || mask === undefined) return null;
  return <MaskView output={mask} plan={plan} picture={picture} source={source} />;
}

type Tensor = Pick<PlaygroundOutput, 'name' | 'datatype' | 'shape'>;

/** Whether a tensor that was sent is a picture, as far as can be told. */
export function isSentPicture({ name, datatype, shape }: Tensor): boolean {
  const isPixels = /^(FP|BF)|^UINT8$/.test(datatype) && shape.length <= 4 && isPictureInput({ name, shape });
  return isPixels && pixelLayout(shape) !== undefined;
}

/** The first tensor that is a picture, as one: what the model saw. Undefined while it is read, and without one. */
export function useTensorPicture(tensors: readonly PlaygroundOutput[]): SentPicture | undefined {
  const tensor = tensors.find(isSentPicture) ?? NO_OUTPUT;
  const layout = useMemo(() => pixelLayout(tensor.shape), [tensor.shape]);
  const count = layout === undefined ? 0 : layout.width * layout.height * layout.channels;
  const { values } = useNumbers(tensor, 0, count);
  const [picture, setPicture] = useState<SentPicture>();
  const { datatype } = tensor;
  useEffect(() => {
    if (values === undefined || layout === undefined) return undefined;
    const { width, height } = layout;
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width, height });
    const range = guessRange(values, datatype);
    const pixels = pixelsOf(values, layout, { range, colours: 'RGB' });
    canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
    let address: string | undefined;
    let isCurrent = true;
    canvas.toBlob((blob) => {
      if (blob === null || !isCurrent) return;
      address = URL.createObjectURL(blob);
      setPicture({ address, input: { width, height }, resize: 'stretch' });
    });
    return () => {
      isCurrent = false;
      setPicture(undefined);
      if (address !== undefined) URL.revokeObjectURL(address);
    };
  }, [values, layout, datatype]);
  return picture;
}
