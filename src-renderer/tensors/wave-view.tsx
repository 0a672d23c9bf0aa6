// Sound: its waveform, its spectrogram, and a way to hear it. How many samples make a second is the user's to say: a
// tensor does not know.

import { Play } from 'lucide-react';
import { useMemo, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { readBlob } from '../actions/blobs.ts';
import { saveBytes } from '../actions/save-bytes.ts';
import { useClient } from '../engine/engine-context.tsx';
import { toastThrown } from '../engine/toast-thrown.ts';
import { threeDigits } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { vectorsOf } from './output-kind.ts';
import { unitSamples } from './sound.ts';
import { wavFile } from './tensor-files.ts';
import { byteSizeOf, decodeNumbers, isFixedSize } from './tensor-slices.ts';
import { SlicePicker } from './tensor-table.tsx';
import { useNumbers } from './use-elements.ts';
import type { SampleRate } from './wave-picture.tsx';
import { playSamples, SAMPLE_RATES, Spectrum, Wave } from './wave-picture.tsx';

/** Half a minute at the highest rate. */
const MAX_SAMPLES = 1_500_000;

/** Of a batch one item is shown at a time. */
export function WaveView({ output }: { readonly output: PlaygroundOutput }) {
  const { length, count } = vectorsOf(output.shape);
  const [item, setItem] = useState(0);
  const [rate, setRate] = useState<SampleRate>('16000');
  const { values, error } = useNumbers(output, item * length, Math.min(length, MAX_SAMPLES));
  const samples = useMemo(
    () => (values === undefined ? undefined : unitSamples(values, output.datatype)),
    [values, output.datatype],
  );
  const client = useClient();
  const { name, blob, datatype } = output;
  // All of it, also what is not shown.
  const save = async (): Promise<void> => {
    if (!isFixedSize(datatype)) return;
    const size = length * byteSizeOf(datatype);
    const bytes = await readBlob(client, blob, { offset: item * size, byteSize: size });
    saveBytes(`${name}.wav`, wavFile(unitSamples(decodeNumbers(bytes, datatype), datatype), Number(rate)));
  };
  if (samples === undefined)
    return error === undefined ? <Skeleton rows={3} /> : <p className="p-3 text-bad">{error}</p>;
  return (
    <>
      <SlicePicker picked={[count]} positions={[item]} onChange={([next = 0]) => setItem(next)} />
      <div className="flex flex-col gap-2 p-3">
        <div className="flex flex-wrap items-center gap-2">
          <Select
            aria-label={t('tensor.rate')}
            value={rate}
            options={SAMPLE_RATES.map((value) => ({ value, label: t('tensor.rateOf', { rate: value }) }))}
            onChange={setRate}
          />
          <Button size="sm" icon={Play} worksOffline onClick={() => playSamples(samples, Number(rate))}>
            {t('tensor.play')}
          </Button>
          <Button
            size="sm"
            variant="ghost"
            worksOffline
            data-testid={`tensor-wav-${name}`}
            onClick={() => void save().catch(toastThrown)}
          >
            {t('tensor.saveWav')}
          </Button>
          <span className="text-sm text-faint" data-testid={`tensor-seconds-${name}`}>
            {samples.length < length
              ? t('tensor.secondsOf', {
                  shown: threeDigits(samples.length / Number(rate)),
                  seconds: threeDigits(length / Number(rate)),
                })
              : t('tensor.seconds', { seconds: threeDigits(length / Number(rate)) })}
          </span>
        </div>
        <Wave samples={samples} name={output.name} />
        <Spectrum samples={samples} name={output.name} rate={Number(rate)} />
      </div>
    </>
  );
}
