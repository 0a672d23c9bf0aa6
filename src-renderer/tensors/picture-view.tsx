// A tensor as a picture: the last two dimensions as a heat map, or the last three as pixels. What the values mean is
// guessed and can be chosen: their range, the order of colours, one channel alone, class numbers as colours.

import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import type { DraggedFile } from '../actions/drag-out.ts';
import { dragOutProps } from '../actions/drag-out.ts';
import { saveBytes } from '../actions/save-bytes.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { isClassMap } from './mask.ts';
import type { ColourOrder, ValueRange } from './pixels.ts';
import { colourChannels, extentOf, guessRange, maskPixels, pixelsOf } from './pixels.ts';
import type { PixelLayout } from './tensor-slices.ts';
import { pixelLayout, sliceShape, sliceStart, squeezed } from './tensor-slices.ts';
import { useNumbers } from './use-elements.ts';
import { SlicePicker } from './tensor-table.tsx';
import { valueText } from './value-text.ts';

/** Larger slices are cut: a picture of more pixels shows nothing more. */
const MAX_CELLS = 1024 * 1024;
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
  const height = Math.max(1, Math.min(rows, Math.floor(MAX_CELLS / Math.max(1, columns))));
  return { layout: { width: columns, height, channels: 1, order: 'NCHW' }, picked };
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
  const { values, error } = useNumbers(output, start, count);
  return (
    <>
      <SlicePicker picked={picked} positions={positions} onChange={setPositions} />
      <div className="p-3">
        {error !== undefined && <p className="text-sm text-bad">{error}</p>}
        {values === undefined ? (
          <Skeleton rows={3} />
        ) : kind === 'heat' ? (
          <Picture values={values} layout={layout} isHeat name={output.name} />
        ) : (
          <ChosenPicture values={values} layout={layout} output={output} />
        )}
      </div>
    </>
  );
}

function ChosenPicture({
  values,
  layout,
  output,
}: {
  readonly values: Float64Array;
  readonly layout: PixelLayout;
  readonly output: PlaygroundOutput;
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

/** One canvas pixel for each element. */
export function Picture(props: PictureProps) {
  const { values, layout, isHeat, name, range, colours, unit = '', caption, isWide = false } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = layout;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context === null || context === undefined) return;
    const pixels = drawnPixels({
      values,
      layout,
      isHeat,
      name,
      ...(range && { range }),
      ...(colours && { colours }),
    });
    if (isHeat) tint(pixels, context);
    context.putImageData(new ImageData(pixels, width, height), 0, 0);
  }, [values, layout, isHeat, width, height, name, range, colours]);
  const scale = Math.max(1, Math.min(24, Math.floor(360 / Math.max(width, height))));
  return (
    <figure className="flex flex-col gap-2">
      <div className="max-h-96 overflow-auto">
        <canvas
          ref={canvas}
          width={width}
          height={height}
          role="img"
          {...dragOutProps((element: HTMLCanvasElement) => pngFile(element, name))}
          aria-label={t('playground.picture', { name, width, height })}
          data-testid={`pg-picture-${name}`}
          className="rounded border border-line [image-rendering:pixelated]"
          style={{
            width: isWide || (isHeat && height === 1) ? '100%' : width * scale,
            height: Math.max(24, height * scale),
          }}
        />
      </div>
      <figcaption className="flex flex-wrap items-center gap-2 text-sm text-faint">
        {colours !== 'classes' && <Scale values={values} isHeat={isHeat} unit={unit} />}
        <span>{caption ?? `${width} × ${height}`}</span>
        <SavePicture canvas={canvas} name={name} />
      </figcaption>
    </figure>
  );
}

async function pngFile(canvas: HTMLCanvasElement, name: string): Promise<DraggedFile> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return { name: `${name}.png`, bytes: new Uint8Array((await blob?.arrayBuffer()) ?? []) };
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

function SavePicture({
  canvas,
  name,
}: {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly name: string;
}) {
  const save = (): void =>
    canvas.current?.toBlob((blob) => {
      if (blob === null) return;
      void blob.arrayBuffer().then((buffer) => saveBytes(`${name}.png`, new Uint8Array(buffer)));
    });
  return (
    <Button size="sm" variant="ghost" worksOffline className="ml-auto" onClick={save}>
      {t('tensor.savePng')}
    </Button>
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
