// A sound that was chosen, recorded or comes with the app: decoded, put into the form of the input, uploaded.

import { releaseBlob, uploadBlob } from '../../actions/blobs.ts';
import type { EngineClient } from '../../engine/engine-client.ts';
import { messageOf } from '../../engine/engine-client.ts';
import { t } from '../../texts/translate.ts';
import { toastError } from '../../ui/toast.tsx';
import type { InputDraft } from './draft.ts';
import type { PlaygroundStore } from './playground-store.ts';
import { editInput, setUpload } from './playground-store.ts';
import { asUpload, isSampleWanted } from './uploads.ts';
import { keepFile } from './kept-files.ts';
import { decodeSound, sampleSound, soundBytes, soundShape } from './sound-input.ts';

/** Samples a second where the model does not say: what speech models take. */
export const DEFAULT_RATE = 16_000;

/** A sound that this window sent. */
export interface HeldSound {
  /** Before it was decoded: another rate is taken from here. */
  readonly file: Blob;
  readonly samples: Float64Array;
  /** Samples of the whole sound at its rate, and those that the input takes. */
  readonly heardCount: number;
  readonly sentCount: number;
}

/** Its bytes are no sound. */
class UnreadableSound extends Error {}

/** By blob, for drawing, playing and other rates. */
const sounds = new Map<string, HeldSound>();
const MAX_SOUNDS = 8;

/** The sound that was uploaded as this blob in this window; undefined for older and saved ones. */
export function soundOf(blob: string): HeldSound | undefined {
  return sounds.get(blob);
}

/**
 * Fills the input at `rate` samples per second; the sound that was taken last wins. What goes wrong is said here.
 */
export async function takeSound(
  client: EngineClient,
  store: PlaygroundStore,
  name: string,
  {
    file,
    title,
    rate,
    isWanted,
  }: {
    readonly file: Blob;
    readonly title: string;
    readonly rate: number;
    /** It is a sample: whether the input is still to be filled when nothing else is on its way to it. */
    readonly isWanted?: (now: InputDraft) => boolean;
  },
): Promise<void> {
  if (isWanted !== undefined && !(await isSampleWanted(store, name, isWanted))) return;
  const input = store.getState().draft?.inputs.find((one) => one.name === name);
  if (input === undefined) return;
  await asUpload(store, name, async (signal) => {
    setUpload(store, name, 0);
    try {
      const samples = await decodeSound(file, rate).catch((thrown: unknown) => {
        throw new UnreadableSound(messageOf(thrown));
      });
      signal.throwIfAborted();
      const shape = soundShape(input, samples.length);
      const bytes = soundBytes(samples, { shape, datatype: input.datatype });
      const onProgress = (share: number): void => setUpload(store, name, share);
      const blob = await uploadBlob(client, bytes, { signal, onProgress });
      if (signal.aborted) return releaseBlob(client, blob);
      keepFile(blob, new Blob([bytes]));
      remember(blob, {
        file,
        samples: Float64Array.from(samples.subarray(0, shape.at(-1))),
        heardCount: samples.length,
        sentCount: shape.at(-1) ?? samples.length,
      });
      const sound = { blob, name: title, byteSize: bytes.byteLength, rate };
      editInput(store, name, (now) =>
        isWanted?.(now) === false ? now : { ...now, shape, isSent: true, mode: 'sound', sound },
      );
    } catch (thrown) {
      if (signal.aborted) return;
      const told = { file: title, reason: messageOf(thrown) };
      toastError(
        thrown instanceof UnreadableSound
          ? t('playground.sound.unreadable', told)
          : t('playground.file.failed', told),
      );
    }
  });
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

/** It was sent again, as another blob. */
export function renameSound(before: string, blob: string): void {
  const sound = sounds.get(before);
  if (sound === undefined) return;
  sounds.delete(before);
  sounds.set(blob, sound);
}

function remember(blob: string, sound: HeldSound): void {
  sounds.set(blob, sound);
  const [oldest] = sounds.keys();
  if (sounds.size > MAX_SOUNDS && oldest !== undefined) sounds.delete(oldest);
}
