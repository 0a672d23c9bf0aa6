// Which pixels a model gives to which class, in colours over the picture that was sent, with the share of each class.

import { useEffect, useMemo, useRef, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { formatPercent } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { Card } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import { NumberInput } from '../ui/number-input.tsx';
import { Select } from '../ui/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Size } from './box.ts';
import { inPicture } from './boxes.ts';
import type { SentPicture } from './boxes-view.tsx';
import type { AnswerSource } from './class-names.ts';
import { useModelLabels } from './class-names.ts';
import type { MaskPlan } from './mask.ts';
import { classesOf, limitOf, sharesOf } from './mask.ts';
import { classColour, maskPixels } from './pixels.ts';
import { useNumbers } from './use-elements.ts';

/** More would be colours that nobody can tell apart. */
const MOST_NAMED = 12;
const STRENGTHS = ['0', '0.35', '0.6', '1'] as const;

/** The output, how its elements are meant, and the picture they are about. */
export interface MaskViewProps {
  readonly output: PlaygroundOutput;
  readonly plan: MaskPlan;
  readonly picture: SentPicture;
  readonly source: AnswerSource;
}

/** Fetches the values of the output. */
export function MaskView({ output, plan, picture, source }: MaskViewProps) {
  const { width, height, planes } = plan;
  const { values, error } = useNumbers(output, 0, width * height * planes);
  const [chosenLimit, setLimit] = useState<number>();
  const limit = useMemo(() => chosenLimit ?? (values && limitOf(values)), [chosenLimit, values]);
  const classes = useMemo(() => values && classesOf(values, plan, limit), [values, plan, limit]);
  const { labels } = useModelLabels(source, output.name);
  const [strength, setStrength] = useState<(typeof STRENGTHS)[number]>('0.6');
  if (error !== undefined) return <p className="text-sm text-bad">{error}</p>;
  return (
    <Card title={t('tensor.mask')} testId="tensor-mask">
      {classes === undefined ? (
        <Skeleton rows={4} />
      ) : (
        <div className="flex flex-wrap items-start gap-4">
          <Overlay classes={classes} plan={plan} picture={picture} strength={Number(strength)} />
          <div className="flex min-w-40 flex-1 flex-col gap-2">
            <Select
              aria-label={t('tensor.mask.strength')}
              value={strength}
              options={STRENGTHS.map((value) => ({ value, label: t(`tensor.mask.${value}`) }))}
              onChange={setStrength}
            />
            <Shares classes={classes} labels={labels} />
            {plan.isShare === true && limit !== undefined && (
              <Field label={t('tensor.mask.limit')} isInline>
                <NumberInput
                  value={limit}
                  step={Math.abs(limit) > 2 ? 1 : 0.05}
                  aria-label={t('tensor.mask.limit')}
                  data-testid="tensor-mask-limit"
                  onChange={setLimit}
                />
              </Field>
            )}
          </div>
        </div>
      )}
    </Card>
  );
}

function Overlay({
  classes,
  plan: { width, height },
  picture: { address, input, resize },
  strength,
}: {
  readonly classes: Float64Array;
  readonly plan: MaskPlan;
  readonly picture: SentPicture;
  readonly strength: number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [natural, setNatural] = useState<Size>();
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    context?.putImageData(new ImageData(maskPixels(classes, width * height), width, height), 0, 0);
  }, [classes, width, height]);
  const size = natural ?? input;
  const whole = { x: 0, y: 0, ...input, score: undefined, classIndex: undefined };
  const place = inPicture(whole, input, size, resize);
  return (
    <div className="relative inline-block max-w-full overflow-hidden rounded">
      <img
        src={address}
        alt={t('tensor.mask.picture')}
        className="block max-h-80 max-w-full"
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setNatural({ width: naturalWidth, height: naturalHeight })
        }
      />
      <canvas
        ref={canvas}
        width={width}
        height={height}
        aria-hidden="true"
        className="absolute max-w-none [image-rendering:pixelated]"
        style={{
          opacity: strength,
          left: `${(place.x / size.width) * 100}%`,
          top: `${(place.y / size.height) * 100}%`,
          width: `${(place.width / size.width) * 100}%`,
          height: `${(place.height / size.height) * 100}%`,
        }}
      />
    </div>
  );
}

function Shares({ classes, labels }: { readonly classes: Float64Array; readonly labels: readonly string[] }) {
  const shares = useMemo(() => sharesOf(classes), [classes]);
  const more = shares.length - MOST_NAMED;
  return (
    <>
      <ol
        className="grid grid-cols-[auto_1fr_auto] gap-x-2 gap-y-1 text-sm"
        aria-label={t('tensor.mask.shares')}
      >
        {shares.slice(0, MOST_NAMED).map(({ index, share }) => (
          <li
            key={index}
            data-testid="tensor-mask-class"
            className="col-span-3 grid grid-cols-subgrid items-center"
          >
            <span
              aria-hidden="true"
              className="size-3 rounded-sm border border-line forced-color-adjust-none"
              style={{ background: `rgb(${classColour(index).join(' ')})` }}
            />
            <span className="min-w-0 truncate text-strong">
              {labels[index] ?? t('playground.classIndex', { index })}
            </span>
            <span className="text-right text-soft">{formatPercent(share, 1)}</span>
          </li>
        ))}
      </ol>
      {more > 0 && <p className="text-sm text-faint">{t('tensor.mask.more', { count: more })}</p>}
    </>
  );
}
