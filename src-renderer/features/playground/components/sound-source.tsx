// An input filled from a sound: chosen, recorded, or the one that comes with the app; drawn as the model gets it.

import { AudioLines, Mic, Play, Square } from 'lucide-react';
import { useEffect } from 'react';

import { useClient } from '../../../engine/engine-context.tsx';
import { threeDigits } from '../../../lib/format.ts';
import { playSamples, SAMPLE_RATES, Wave } from '../../../tensors/wave-picture.tsx';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import { toastWarning } from '../../../ui/toast.tsx';
import type { InputDraft } from '../draft.ts';
import type { PlaygroundStore } from '../playground-store.ts';
import type { HeldSound } from '../sound-actions.ts';
import { DEFAULT_RATE, soundOf, takeSampleSounds, takeSound } from '../sound-actions.ts';
import { sampleSound } from '../sound-input.ts';
import { useRecorder } from '../use-recorder.ts';
import { FileButton } from './file-button.tsx';
import { FileName } from './file-source.tsx';

interface SoundSourceProps {
  readonly store: PlaygroundStore;
  readonly input: InputDraft;
}

/** A sample sound is taken while there is none. Rates are samples per second. */
export function SoundSource({ store, input }: SoundSourceProps) {
  const client = useClient();
  const { name, sound } = input;
  const rate = sound?.rate ?? DEFAULT_RATE;
  const held = sound === undefined ? undefined : soundOf(sound.blob);
  const isEmpty = sound === undefined;
  useEffect(() => {
    if (isEmpty) void takeSampleSounds(client, store);
  }, [client, store, isEmpty]);
  const take = (file: Blob, title: string, at = rate): void =>
    void takeSound(client, store, name, { file, title, rate: at });
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <FileButton
          accept="audio/*"
          testId={`pg-sound-file-${name}`}
          onFile={(file) => take(file, file.name)}
        />
        <RecordButton name={name} onSound={(file) => take(file, t('playground.sound.recorded'))} />
        <Button
          icon={AudioLines}
          onClick={() => take(new Blob([sampleSound()], { type: 'audio/wav' }), t('playground.sound.sample'))}
        >
          {t('playground.sound.sample')}
        </Button>
      </div>
      {sound !== undefined && (
        <div className="flex flex-wrap items-center gap-2">
          <Select
            aria-label={t('tensor.rate')}
            data-testid={`pg-rate-${name}`}
            value={String(rate)}
            isDisabled={held === undefined}
            options={SAMPLE_RATES.map((value) => ({
              value: String(value),
              label: t('tensor.rateOf', { rate: value }),
            }))}
            onChange={(next) => held !== undefined && take(held.file, sound.name, Number(next))}
          />
          {held !== undefined && (
            <Button size="sm" icon={Play} worksOffline onClick={() => playSamples(held.samples, rate)}>
              {t('tensor.play')}
            </Button>
          )}
          <FileName file={sound} />
        </div>
      )}
      {held !== undefined && <Wave samples={held.samples} name={name} />}
      {held !== undefined && <Fit held={held} name={name} rate={rate} />}
    </>
  );
}

/** What of the sound is sent, where the input does not take it as it is. */
function Fit({
  held,
  name,
  rate,
}: {
  readonly held: HeldSound;
  readonly name: string;
  readonly rate: number;
}) {
  const { heardCount, sentCount } = held;
  if (heardCount === sentCount) return null;
  const seconds = (count: number): string => threeDigits(count / rate);
  return (
    <p className="text-sm text-soft" data-testid={`pg-sound-fit-${name}`}>
      {heardCount > sentCount
        ? t('playground.sound.cut', { sent: seconds(sentCount), whole: seconds(heardCount) })
        : t('playground.sound.filled', { sound: seconds(heardCount), whole: seconds(sentCount) })}
    </p>
  );
}

function RecordButton({ name, onSound }: { readonly name: string; readonly onSound: (sound: Blob) => void }) {
  const { isRecording, isPossible, start, stop } = useRecorder(onSound, (reason) =>
    toastWarning(t('playground.sound.noMicrophone', { reason })),
  );
  return (
    <Button
      icon={isRecording ? Square : Mic}
      variant={isRecording ? 'danger' : 'secondary'}
      disabledReason={isPossible ? undefined : t('playground.sound.notHere')}
      data-testid={`pg-record-${name}`}
      onClick={isRecording ? stop : start}
    >
      {t(isRecording ? 'playground.sound.stop' : 'playground.sound.record')}
    </Button>
  );
}
