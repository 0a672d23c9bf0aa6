// A sound that was chosen, recorded or comes with the app: decoded, put into the form of the input, uploaded.

import { uploadBlob } from '../../actions/blobs.ts';
import type { EngineClient } from '../../engine/engine-client.ts';
import { messageOf } from '../../engine/engine-client.ts';
import { t } from '../../texts/translate.ts';
import { toastError } from '../../ui/toast.tsx';
import type { InputDraft } from './draft.ts';
import type { PlaygroundStore } from './playground-store.ts';
import { editInput, setUpload } from './playground-store.ts';
import { decodeSound, sampleSound, soundBytes, soundShape } from './sound-input.ts';

export const DEFAULT_RATE = 16_000;

interface HeldSound {
  /** Before it was decoded: another rate is taken from here. */
  readonly file: Blob;
  readonly samples: Float64Array;
}

/** By blob, for drawing, playing and other rates. */
const sounds = new Map<string, HeldSound>();
const MAX_SOUNDS = 8;

export function soundOf(blob: string): HeldSound | undefined {
  return sounds.get(blob);
}

/** Fills the input; what goes wrong is said here. */
export async function takeSound(
  client: EngineClient,
  store: PlaygroundStore,
  name: string,
  {
    file,
    title,
    rate,
    isWanted = () => true,
  }: {
    readonly file: Blob;
    readonly title: string;
    readonly rate: number;
    /** Whether the input is still to be filled when the sound has been sent. */
    readonly isWanted?: (now: InputDraft) => boolean;
  },
): Promise<void> {
  const input = store.getState().draft?.inputs.find((one) => one.name === name);
  if (input === undefined) return;
  setUpload(store, name, 0);
  try {
    const samples = await decodeSound(file, rate);
    const shape = soundShape(input, samples.length);
    const bytes = soundBytes(samples, { shape, datatype: input.datatype });
    const blob = await uploadBlob(client, bytes, { onProgress: (share) => setUpload(store, name, share) });
    remember(blob, { file, samples: Float64Array.from(samples.subarray(0, shape.at(-1))) });
    const sound = { blob, name: title, byteSize: bytes.byteLength, rate };
    editInput(store, name, (now) =>
      isWanted(now) ? { ...now, shape, isSent: true, mode: 'sound', sound } : now,
    );
  } catch (thrown) {
    toastError(t('playground.file.failed', { file: title, reason: messageOf(thrown) }));
  } finally {
    setUpload(store, name, undefined);
  }
}

/** Fills every input that is a sound and has none yet with the one that comes with the app. */
export async function takeSampleSounds(client: EngineClient, store: PlaygroundStore): Promise<void> {
  const isWanted = ({ mode, sound, isSent }: InputDraft): boolean =>
    mode === 'sound' && sound === undefined && isSent;
  for (const { name } of store.getState().draft?.inputs.filter(isWanted) ?? []) {
    const file = new Blob([sampleSound(DEFAULT_RATE)], { type: 'audio/wav' });
    const title = t('playground.sound.sample');
    await takeSound(client, store, name, { file, title, rate: DEFAULT_RATE, isWanted });
  }
}

function remember(blob: string, sound: HeldSound): void {
  sounds.set(blob, sound);
  const [oldest] = sounds.keys();
  if (sounds.size > MAX_SOUNDS && oldest !== undefined) sounds.delete(oldest);
}
