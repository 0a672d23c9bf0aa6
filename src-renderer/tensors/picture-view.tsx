// A tensor as a picture: the last two dimensions as a heat map, or the last three as pixels. What the values mean is
// guessed and can be chosen: their range, the order of colours, one channel alone, class numbers as colours.

import { useEffect, useRef, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { dragOutProps } from '../actions/drag-out.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Select } from '../ui/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { isClassMap } from './mask.ts';
import type { ColourOrder, ValueRange } from './pixels.ts';
import { enlargement, isReducible, reducedStyle } from './picture-size.ts';
import { colourChannels, extentOf, guessRange, maskPixels, pixelsOf } from './pixels.ts';
import type { PixelLayout } from './tensor-slices.ts';
import { pixelLayout, sliceShape, sliceStart, squeezed } from './tensor-slices.ts';
import type { WholePicture } from './save-picture.tsx';
import { pngFile, SavePicture, SaveWhole } from './save-picture.tsx';
import { SlicePicker } from './tensor-table.tsx';
import { usePicture } from './use-picture.ts';
import { valueText } from './value-text.ts';

const RANGES: readonly ValueRange[] = ['own', 'unit', 'bytes', 'signed', 'imagenet'];
type Colours = ColourOrder | 'classes' | '0' | '1' | '2';

interface Plan {
  readonly layout: PixelLayout;
  /** Dimensions to pick before the picture. */
  readonly picked: readonly number[];
}

function planOf(shape: readonly number[], kind: 'heat' | 'image'): Plan {
  const pixels = kind === 'image' ? pixelLayout(shape) : undefined;
  if (pixels?.channels === 3) return { layout: pixels, picked: squeezed(shape.slice(0, -3)) };
  const { rows, columns, picked } = sliceShape(shape);
  return { layout: { width: columns, height: rows, channels: 1, order: 'NCHW' }, picked };
}

/** `kind` is how it is drawn at first. */
export function PictureView({
  output,
  kind,
}: {
  readonly output: PlaygroundOutput;
  readonly kind: 'heat' | 'image';
}) {
  const { layout, picked } = planOf(output.shape, kind);
  const { width, height, channels } = layout;
  const [positions, setPositions] = useState<readonly number[]>(() => picked.map(() => 0));
  const count = width * height * channels;
  const start = sliceStart(
    channels === 3 ? { rows: 1, columns: count, picked } : { ...sliceShape(output.shape), picked },
    positions,
  );
  const { values, error, shown, step } = usePicture(output, start, layout);
  const whole = step === 1 ? undefined : { output, start, layout, step };
  return (
    <>
      <SlicePicker picked={picked} positions={positions} onChange={setPositions} />
      <div className="p-3">
        {error !== undefined && <p className="text-sm text-bad">{error}</p>}
        {values === undefined ? (
          <Skeleton rows={3} />
        ) : kind === 'heat' ? (
          <Picture values={values} layout={shown} isHeat name={output.name} whole={whole} />
        ) : (
          <ChosenPicture values={values} layout={shown} output={output} whole={whole} />
        )}
      </div>
    </>
  );
}

function ChosenPicture({
  values,
  layout,
  output,
  whole,
}: {
  readonly values: Float64Array;
  readonly layout: PixelLayout;
  readonly output: PlaygroundOutput;
  readonly whole: WholePicture | undefined;
}) {
  const [chosenRange, setRange] = useState<ValueRange>();
  const [colours, setColours] = useState<Colours>(isClassMap(output) ? 'classes' : 'RGB');
  const range = chosenRange ?? guessRange(values, output.datatype);
  const hasColours = layout.channels === 3;
  const choices: readonly Colours[] = hasColours ? ['RGB', 'BGR', '0', '1', '2'] : ['RGB', 'classes'];
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        <Select
          aria-label={t('tensor.range')}
          data-testid="tensor-range"
          value={range}
          options={RANGES.map((value) => ({ value, label: t(`tensor.range.${value}`) }))}
          onChange={setRange}
        />
        <Select
          aria-label={t('tensor.colours')}
          data-testid="tensor-colours"
          value={colours}
          options={choices.map((value) => ({
            value,
            label: !hasColours && value === 'RGB' ? t('tensor.colours.grey') : t(`tensor.colours.${value}`),
          }))}
          onChange={setColours}
        />
      </div>
      <Picture
        values={values}
        layout={layout}
        isHeat={false}
        name={output.name}
        range={range}
        colours={colours}
        whole={whole}
      />
    </div>
  );
}

interface PictureProps {
  readonly values: Float64Array;
  readonly layout: PixelLayout;
  readonly isHeat: boolean;
  readonly name: string;
  readonly range?: ValueRange;
  readonly colours?: Colours;
  /** Of the values. */
  readonly unit?: string;
  /** What the sides are; without it their numbers of pixels. */
  readonly caption?: string;
  /** As wide as what stands above it, whose width means the same. */
  readonly isWide?: boolean;
  /** Where not all of it is shown. */
  readonly whole?: WholePicture | undefined;
}

/** One channel of a picture of three, as a picture of its own. */
function channelOf(values: Float64Array, layout: PixelLayout, channel: number): Float64Array {
  const area = layout.width * layout.height;
  if (layout.order === 'NCHW') return values.subarray(channel * area, (channel + 1) * area);
  return Float64Array.from({ length: area }, (_, at) => values[at * layout.channels + channel] ?? 0);
}

function drawnPixels({ values, layout, range = 'own', colours = 'RGB' }: PictureProps) {
  if (colours === 'classes') return maskPixels(values, layout.width * layout.height);
  if (colours === 'RGB' || colours === 'BGR') return pixelsOf(values, layout, { range, colours });
  const one = channelOf(values, layout, Number(colours));
  return pixelsOf(one, { ...layout, channels: 1, order: 'NCHW' }, { range, colours: 'RGB' });
}

function draw(context: CanvasRenderingContext2D, props: PictureProps): void {
  const { width, height } = props.layout;
  const pixels = drawnPixels(props);
  if (props.isHeat) tint(pixels, context);
  context.putImageData(new ImageData(pixels, width, height), 0, 0);
}

/** One canvas pixel for each element. */
export function Picture(props: PictureProps) {
  const { values, layout, isHeat, name, range, colours, unit = '', caption, isWide = false, whole } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = layout;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context === null || context === undefined) return;
    draw(context, { values, layout, isHeat, name, ...(range && { range }), ...(colours && { colours }) });
  }, [values, layout, isHeat, name, range, colours]);
  const [isByPixel, setIsByPixel] = useState(false);
  const canReduce = !isWide && isReducible(layout);
  const isReduced = canReduce && !isByPixel;
  const scale = enlargement(layout);
  return (
    <figure className="flex flex-col gap-2">
      <div className="max-h-96 overflow-auto">
        <canvas
          ref={canvas}
          width={width}
          height={height}
          role="img"
          {...(whole === undefined && dragOutProps((element: HTMLCanvasElement) => pngFile(element, name)))}
          aria-label={t('playground.picture', { name, width, height })}
          data-testid={`pg-picture-${name}`}
          className={cx('rounded border border-line', !isReduced && '[image-rendering:pixelated]')}
          style={
            isReduced
              ? reducedStyle(layout)
              : {
                  width: isWide || (isHeat && height === 1) ? '100%' : width * scale,
                  height: Math.max(24, height * scale),
                }
          }
        />
      </div>
      <figcaption className="flex flex-wrap items-center gap-2 text-sm text-faint">
        {colours !== 'classes' && <Scale values={values} isHeat={isHeat} unit={unit} />}
        <span>{caption ?? `${whole?.layout.width ?? width} × ${whole?.layout.height ?? height}`}</span>
        {whole !== undefined && (
          <span data-testid={`tensor-reduced-${name}`}>{t('tensor.reduced', { step: whole.step })}</span>
        )}
        {canReduce && (
          <Button
            size="sm"
            variant="ghost"
            worksOffline
            aria-pressed={isByPixel}
            data-testid={`tensor-by-pixel-${name}`}
            onClick={() => setIsByPixel(!isByPixel)}
          >
            {t('tensor.byPixel')}
          </Button>
        )}
        {whole === undefined ? (
          <SavePicture canvas={canvas} name={name} />
        ) : (
          <SaveWhole
            name={name}
            whole={whole}
            draw={(context, all, extent) => draw(context, { ...props, values: all, layout: extent })}
          />
        )}
      </figcaption>
    </figure>
  );
}

function Scale({
  values,
  isHeat,
  unit,
}: {
  readonly values: Float64Array;
  readonly isHeat: boolean;
  readonly unit: string;
}) {
  const extent = extentOf(values);
  if (extent === undefined) return null;
  return (
    <>
      <span>{valueText(extent.min, 3)}</span>
      <span
        aria-hidden="true"
        className="h-2 w-32 rounded-full border border-line forced-color-adjust-none"
        style={{
          background: isHeat
            ? 'linear-gradient(to right, var(--surface), var(--c1))'
            : 'linear-gradient(to right, black, white)',
        }}
      />
      <span>
        {valueText(extent.max, 3)} {unit}
      </span>
    </>
  );
}

/** Shades between the surface and the first chart colour of the theme. */
function tint(pixels: Uint8ClampedArray, context: CanvasRenderingContext2D): void {
  const low = themeColor(context, '--surface');
  const high = themeColor(context, '--c1');
  for (let at = 0; at < pixels.length; at += 4) {
    const share = (pixels[at] ?? 0) / 255;
    for (let channel = 0; channel < 3; channel += 1) {
      pixels[at + channel] = (low[channel] ?? 0) * (1 - share) + (high[channel] ?? 0) * share;
    }
  }
}

/** However the style sheet writes the colour: a canvas gives it back as #rrggbb. */
function themeColor(context: CanvasRenderingContext2D, role: string): readonly number[] {
  context.fillStyle = getComputedStyle(context.canvas).getPropertyValue(role);
  return colourChannels(context.fillStyle);
}
