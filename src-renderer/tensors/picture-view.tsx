// A tensor as a picture: the last two dimensions as a heat map, or the last three as pixels. Its own smallest and
// largest value are the ends of the scale.

import { useEffect, useRef, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/inference-calls.ts';
import { threeDigits } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import type { PixelLayout } from './tensor-slices.ts';
import { pixelLayout, pixelsOf, sliceShape, sliceStart } from './tensor-slices.ts';
import { useNumbers } from './use-elements.ts';
import { SlicePicker } from './tensor-table.tsx';

/** Larger slices are cut: a picture of more pixels shows nothing more. */
const MAX_CELLS = 1024 * 1024;

interface Plan {
  readonly layout: PixelLayout;
  /** Dimensions to pick before the picture. */
  readonly picked: readonly number[];
}

function planOf(shape: readonly number[], kind: 'heat' | 'image'): Plan {
  const pixels = kind === 'image' ? pixelLayout(shape) : undefined;
  if (pixels !== undefined)
    return { layout: pixels, picked: shape.slice(0, pixels.channels === 3 ? -3 : -2) };
  const { rows, columns, picked } = sliceShape(shape);
  const height = Math.max(1, Math.min(rows, Math.floor(MAX_CELLS / Math.max(1, columns))));
  return { layout: { width: columns, height, channels: 1, order: 'NCHW' }, picked };
}

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
  const start =
    kind === 'image' && channels === 3
      ? sliceStart({ rows: 1, columns: count, picked }, positions)
      : sliceStart({ ...sliceShape(output.shape), picked }, positions);
  const { values, error } = useNumbers(output, start, count);
  return (
    <>
      <SlicePicker picked={picked} positions={positions} onChange={setPositions} />
      <div className="p-3">
        {error !== '' && <p className="text-sm text-bad">{error}</p>}
        {values === undefined ? (
          <Skeleton rows={3} />
        ) : (
          <Picture values={values} layout={layout} isHeat={kind === 'heat'} name={output.name} />
        )}
      </div>
    </>
  );
}

interface PictureProps {
  readonly values: Float64Array;
  readonly layout: PixelLayout;
  readonly isHeat: boolean;
  readonly name: string;
}

function Picture({ values, layout, isHeat, name }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = layout;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context === null || context === undefined) return;
    const pixels = pixelsOf(values, layout);
    if (isHeat) tint(pixels, context.canvas);
    context.putImageData(new ImageData(pixels, width, height), 0, 0);
  }, [values, layout, isHeat, width, height]);
  const finite = values.filter(Number.isFinite);
  const min = finite.reduce((least, value) => Math.min(least, value), Infinity);
  const max = finite.reduce((most, value) => Math.max(most, value), -Infinity);
  const scale = Math.max(1, Math.min(24, Math.floor(360 / Math.max(width, height))));
  return (
    <figure className="flex flex-col gap-2">
      <div className="max-h-96 overflow-auto">
        <canvas
          ref={canvas}
          width={width}
          height={height}
          role="img"
          aria-label={t('playground.picture', { name, width, height })}
          data-testid={`pg-picture-${name}`}
          className="rounded border border-line [image-rendering:pixelated]"
          style={{
            width: isHeat && height === 1 ? '100%' : width * scale,
            height: Math.max(24, height * scale),
          }}
        />
      </div>
      {finite.length > 0 && (
        <figcaption className="flex items-center gap-2 text-sm text-faint">
          <span>{threeDigits(min)}</span>
          <span
            aria-hidden="true"
            className="h-2 w-32 rounded-full border border-line"
            style={{
              background: isHeat
                ? 'linear-gradient(to right, var(--surface), var(--c1))'
                : 'linear-gradient(to right, black, white)',
            }}
          />
          <span>{threeDigits(max)}</span>
        </figcaption>
      )}
    </figure>
  );
}

/** Shades between the surface and the first chart colour of the theme. */
function tint(pixels: Uint8ClampedArray, element: HTMLElement): void {
  const low = themeColor(element, '--surface');
  const high = themeColor(element, '--c1');
  for (let at = 0; at < pixels.length; at += 4) {
    const share = (pixels[at] ?? 0) / 255;
    for (let channel = 0; channel < 3; channel += 1) {
      pixels[at + channel] = (low[channel] ?? 0) * (1 - share) + (high[channel] ?? 0) * share;
    }
  }
}

/** Roles are written as #rrggbb. */
function themeColor(element: HTMLElement, role: string): readonly number[] {
  const text = getComputedStyle(element).getPropertyValue(role).trim().replace('#', '');
  return [0, 2, 4].map((from) => Number.parseInt(text.slice(from, from + 2), 16) || 0);
}
