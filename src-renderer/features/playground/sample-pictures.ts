// The pictures that come with the app: a photo, and two drawings whose colours are plain enough for the smallest model.

import type { EngineClient } from '../../engine/engine-client.ts';
import { t } from '../../texts/translate.ts';
import type { InputDraft } from './draft.ts';
import type { IsWanted } from './file-actions.ts';
import { takeSample } from './file-actions.ts';
// Never as a data: address, which the page may not fetch.
import cat from './pictures/cat.jpg?no-inline';
import lagoon from './pictures/lagoon.jpg?no-inline';
import sunset from './pictures/sunset.jpg?no-inline';
import type { PlaygroundStore } from './playground-store.ts';

/** `address`: where the page fetches the picture from. */
export const SAMPLE_PICTURES = [
  { id: 'sunset', address: sunset },
  { id: 'lagoon', address: lagoon },
  { id: 'cat', address: cat },
] as const;
/** The pictures by their ids. */
export type SamplePicture = (typeof SAMPLE_PICTURES)[number]['id'];

/** In fewer pixels than this an animal is a blot. */
const SMALLEST_PHOTO = 64;

/** Fills the input with a picture that comes with the app. Rejects when that cannot be fetched. */
export async function takeSamplePicture(
  client: EngineClient,
  store: PlaygroundStore,
  name: string,
  { id, isWanted }: { readonly id: SamplePicture; readonly isWanted?: IsWanted },
): Promise<void> {
  const input = store.getState().draft?.inputs.find((one) => one.name === name);
  const picture = SAMPLE_PICTURES.find((one) => one.id === id);
  if (input === undefined || picture === undefined) return;
  const answer = await fetch(picture.address);
  const file = new File([await answer.blob()], t(`playground.image.${id}`), { type: 'image/jpeg' });
  await takeSample(client, store, input, { file, isWanted });
}

/** Fills every input that is a picture and has none yet. */
export async function takeSamplePictures(client: EngineClient, store: PlaygroundStore): Promise<void> {
  for (const input of store.getState().draft?.inputs.filter(isWithoutPicture) ?? []) {
    const now = store.getState().draft?.inputs.find(({ name }) => name === input.name);
    if (now !== undefined && isWithoutPicture(now)) {
      const id = isSmall(now) ? 'sunset' : 'cat';
      await takeSamplePicture(client, store, now.name, { id, isWanted: isWithoutPicture });
    }
  }
}

/** It is sent as a picture, and none was chosen yet. */
export function isWithoutPicture({ mode, image, isSent }: InputDraft): boolean {
  return mode === 'image' && image === undefined && isSent;
}

function isSmall({ template }: Pick<InputDraft, 'template'>): boolean {
  return template.slice(-3).every((dim) => dim !== -1 && dim < SMALLEST_PHOTO);
}
