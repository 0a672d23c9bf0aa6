// Samples of a sound drawn: how loud it is over time, and which frequencies it has; and a way to hear them.

import { useEffect, useMemo, useRef } from 'react';

import { threeDigits } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { Picture } from './picture-view.tsx';
import { peaksOf, spectrogram } from './sound.ts';

const COLUMNS = 480;
const HEIGHT = 96;

/** Samples per second that are usual. */
export const SAMPLE_RATES = ['8000', '16000', '22050', '24000', '44100', '48000'] as const;
/** The rates that can be chosen, in samples per second. */
export type SampleRate = (typeof SAMPLE_RATES)[number];

/** Mono, values within -1..1. */
export function playSamples(samples: Float64Array, rate: number): void {
  const context = new AudioContext();
  const buffer = context.createBuffer(1, samples.length, rate);
  buffer.copyToChannel(Float32Array.from(samples), 0);
  const node = context.createBufferSource();
  node.buffer = buffer;
  node.connect(context.destination);
  node.addEventListener('ended', () => void context.close());
  node.start();
}

/** Loudness over time; `samples` are -1 to 1. */
export function Wave({ samples, name }: { readonly samples: Float64Array; readonly name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const peaks = useMemo(() => peaksOf(samples, COLUMNS), [samples]);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context === null || context === undefined) return;
    context.clearRect(0, 0, COLUMNS, HEIGHT);
    context.fillStyle = getComputedStyle(context.canvas).getPropertyValue('--c1');
    peaks.forEach(({ low, high }, column) => {
      const top = ((1 - high) * HEIGHT) / 2;
      context.fillRect(column, top, 1, Math.max(1, ((high - low) * HEIGHT) / 2));
    });
  }, [peaks]);
  return (
    <canvas
      ref={canvas}
      width={COLUMNS}
      height={HEIGHT}
      role="img"
      aria-label={t('tensor.waveOf', { name })}
      data-testid={`tensor-wave-${name}`}
      className="h-24 w-full rounded border border-line bg-sunken"
    />
  );
}

/** Frequencies up to half of `rate`. */
export function Spectrum({
  samples,
  name,
  rate,
}: {
  readonly samples: Float64Array;
  readonly name: string;
  /** Samples per second. */
  readonly rate: number;
}) {
  const { rows, values } = useMemo(() => spectrogram(samples, COLUMNS), [samples]);
  return (
    <Picture
      values={values}
      layout={{ width: COLUMNS, height: rows, channels: 1, order: 'NCHW' }}
      isHeat
      isWide
      name={t('tensor.spectrumOf', { name })}
      unit="dB"
      caption={t('tensor.spectrumAxes', {
        seconds: threeDigits(samples.length / rate),
        kilohertz: threeDigits(rate / 2000),
      })}
    />
  );
}
