// Sound: its waveform, its spectrogram, and a way to hear it. How many samples make a second is the user's to say: a
// tensor does not know.

import { Play } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/inference-calls.ts';
import { saveBytes } from '../actions/save-bytes.ts';
import { threeDigits } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { vectorsOf } from './output-kind.ts';
import { Picture } from './picture-view.tsx';
import { peaksOf, spectrogram } from './sound.ts';
import { wavFile } from './tensor-files.ts';
import { SlicePicker } from './tensor-table.tsx';
import { useNumbers } from './use-elements.ts';

/** Half a minute at the highest rate. */
const MAX_SAMPLES = 1_500_000;
const COLUMNS = 480;
const HEIGHT = 96;
const RATES = ['8000', '16000', '22050', '24000', '44100', '48000'] as const;

export function WaveView({ output }: { readonly output: PlaygroundOutput }) {
  const { length, count } = vectorsOf(output.shape);
  const [item, setItem] = useState(0);
  const [rate, setRate] = useState<(typeof RATES)[number]>('16000');
  const { values, error } = useNumbers(output, item * length, Math.min(length, MAX_SAMPLES));
  const samples = useMemo(
    () => (values === undefined ? undefined : unitSamples(values, output.datatype)),
    [values, output.datatype],
  );
  if (samples === undefined)
    return error === '' ? <Skeleton rows={3} /> : <p className="p-3 text-bad">{error}</p>;
  return (
    <>
      <SlicePicker picked={[count]} positions={[item]} onChange={([next = 0]) => setItem(next)} />
      <div className="flex flex-col gap-2 p-3">
        <div className="flex flex-wrap items-center gap-2">
          <Select
            aria-label={t('tensor.rate')}
            value={rate}
            options={RATES.map((value) => ({ value, label: t('tensor.rateOf', { rate: value }) }))}
            onChange={setRate}
          />
          <Button size="sm" icon={Play} worksOffline onClick={() => play(samples, Number(rate))}>
            {t('tensor.play')}
          </Button>
          <Button
            size="sm"
            variant="ghost"
            worksOffline
            onClick={() => saveBytes(`${output.name}.wav`, wavFile(samples, Number(rate)))}
          >
            {t('tensor.saveWav')}
          </Button>
          <span className="text-sm text-faint">
            {t('tensor.seconds', { seconds: threeDigits(samples.length / Number(rate)) })}
          </span>
        </div>
        <Wave samples={samples} name={output.name} />
        <Spectrum samples={samples} name={output.name} />
      </div>
    </>
  );
}

/** Whole numbers are 16-bit samples; numbers beyond -1..1 are brought into it. */
function unitSamples(values: Float64Array, datatype: string): Float64Array {
  const loudest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scale = datatype === 'INT16' ? 32_768 : Math.max(1, loudest);
  return values.map((value) => value / scale);
}

function play(samples: Float64Array, rate: number): void {
  const context = new AudioContext();
  const buffer = context.createBuffer(1, samples.length, rate);
  buffer.copyToChannel(Float32Array.from(samples), 0);
  const node = context.createBufferSource();
  node.buffer = buffer;
  node.connect(context.destination);
  node.addEventListener('ended', () => void context.close());
  node.start();
}

function Wave({ samples, name }: { readonly samples: Float64Array; readonly name: string }) {
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

function Spectrum({ samples, name }: { readonly samples: Float64Array; readonly name: string }) {
  const { rows, values } = useMemo(() => spectrogram(samples, COLUMNS), [samples]);
  return (
    <Picture
      values={values}
      layout={{ width: COLUMNS, height: rows, channels: 1, order: 'NCHW' }}
      isHeat
      name={t('tensor.spectrumOf', { name })}
    />
  );
}
