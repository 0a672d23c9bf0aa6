// What an answer says about the picture that was sent, drawn over it: boxes, joints, or the classes
// of its pixels.

import { useEffect, useMemo, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { t } from '../texts/translate.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import type { Size } from './box.ts';
import { findDetection } from './boxes.ts';
import type { SentPicture } from './boxes-view.tsx';
import { BoxesView } from './boxes-view.tsx';
import type { AnswerSource } from './class-names.ts';
import { findJoints } from './joints.ts';
import { JointsView } from './joints-view.tsx';
import type { MaskPlan } from './mask.ts';
import { findMask, possibleMasks } from './mask.ts';
import { MaskView } from './mask-view.tsx';
import { isPictureInput, mayBePixels } from './output-kind.ts';
import { guessRange, pixelsOf } from './pixels.ts';
import { pixelLayout } from './tensor-slices.ts';
import { NO_OUTPUT } from './use-elements.ts';
import { usePicture } from './use-picture.ts';

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
  const joints = useMemo(() => findJoints(outputs), [outputs]);
  const plan = useMemo(() => findMask(outputs, { pictureCount }), [outputs, pictureCount]);
  if (picture === undefined) return null;
  if (detection !== undefined) {
    return <BoxesView outputs={outputs} detection={detection} picture={picture} source={source} />;
  }
  const body = joints === undefined ? undefined : outputs[joints.output];
  if (joints !== undefined && body !== undefined) {
    return <JointsView output={body} plan={joints} picture={picture} />;
  }
  return <ChosenMask outputs={outputs} guessed={plan} picture={picture} source={source} />;
}

/** What was chosen for each model, for the answers that follow: the name of an output, or `NOTHING`. */
const chosenMasks = new Map<string, string>();
/** No output is called so. */
const NOTHING = '';

interface ChosenMaskProps extends Pick<OverPictureProps, 'outputs' | 'source'> {
  readonly guessed: MaskPlan | undefined;
  readonly picture: SentPicture;
}

/** The output that is a mask, or that its user takes for one: of some the name says nothing. */
function ChosenMask({ outputs, guessed, picture, source }: ChosenMaskProps) {
  const { input } = picture;
  const plans = useMemo(
    () => possibleMasks(outputs).filter((one) => one.output === guessed?.output || isShapedAs(one, input)),
    [outputs, guessed, input],
  );
  const [chosen, setChosen] = useState(() => chosenMasks.get(source.model));
  if (plans.length === 0) return null;
  const nameOf = ({ output }: MaskPlan): string => outputs[output]?.name ?? NOTHING;
  const plan = chosen === undefined ? guessed : plans.find((one) => nameOf(one) === chosen);
  const output = plan === undefined ? undefined : outputs[plan.output];
  const choose = (next: string): void => {
    chosenMasks.set(source.model, next);
    setChosen(next);
  };
  return (
    <div className="flex flex-col gap-2">
      <Field label={t('tensor.over')} isInline>
        <Select
          aria-label={t('tensor.over')}
          data-testid="tensor-over"
          value={plan === undefined ? NOTHING : nameOf(plan)}
          options={[
            { value: NOTHING, label: t('tensor.over.nothing') },
            ...plans.map((one) => ({
              value: nameOf(one),
              label: t('tensor.over.mask', { name: nameOf(one) }),
            })),
          ]}
          onChange={choose}
        />
      </Field>
      {plan !== undefined && output !== undefined && (
        <MaskView key={output.name} output={output} plan={plan} picture={picture} source={source} />
      )}
    </div>
  );
}

/** Within a tenth: what a model gives for its picture is seldom cut. */
function isShapedAs({ width, height }: Size, picture: Size): boolean {
  const ratio = (width * picture.height) / (height * picture.width);
  return ratio > 0.9 && ratio < 1.1;
}

type Tensor = Pick<PlaygroundOutput, 'name' | 'datatype' | 'shape'>;

/** Whether a tensor that was sent is a picture, as far as can be told. */
export function isSentPicture({ name, datatype, shape }: Tensor): boolean {
  const isPixels = mayBePixels({ datatype, shape }) && shape.length <= 4 && isPictureInput({ name, shape });
  return isPixels && pixelLayout(shape) !== undefined;
}

/** The first tensor that is a picture, as one: what the model saw. Undefined while it is read, and without one. */
export function useTensorPicture(tensors: readonly PlaygroundOutput[]): SentPicture | undefined {
  const tensor = tensors.find(isSentPicture) ?? NO_OUTPUT;
  const layout = useMemo(() => pixelLayout(tensor.shape), [tensor.shape]);
  const { values, shown } = usePicture(tensor, 0, layout);
  const [picture, setPicture] = useState<SentPicture>();
  const { datatype } = tensor;
  useEffect(() => {
    if (values === undefined || layout === undefined || values.length === 0) return undefined;
    const { width, height } = shown;
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width, height });
    const range = guessRange(values, datatype);
    const pixels = pixelsOf(values, shown, { range, colours: 'RGB' });
    canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
    let address: string | undefined;
    let isCurrent = true;
    canvas.toBlob((blob) => {
      if (blob === null || !isCurrent) return;
      address = URL.createObjectURL(blob);
      const input = { width: layout.width, height: layout.height };
      setPicture({ address, input, resize: 'stretch' });
    });
    return () => {
      isCurrent = false;
      setPicture(undefined);
      if (address !== undefined) URL.revokeObjectURL(address);
    };
  }, [values, layout, shown, datatype]);
  return picture;
}
