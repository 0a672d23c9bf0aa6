// A file that was dropped, picked or pasted on an input: found out what it is, uploaded with progress, put into the
// draft. A file that does not fit the input is refused with a sentence.

import type { EngineClient } from '../../engine/engine-client.ts';
import { messageOf } from '../../engine/engine-client.ts';
import { formatBytes } from '../../lib/format.ts';
import { openFiles } from '../../lib/open-files.ts';
import { byteSizeOf, elementCountOf } from '../../tensors/tensor-slices.ts';
import { t } from '../../texts/translate.ts';
import { ask } from '../../ui/confirm.tsx';
import { toastError, toastWarning } from '../../ui/toast.tsx';
import type { InputDraft, UploadedFile } from './draft.ts';
import { withLines, withShape } from './draft.ts';
import type { FileKind } from './file-kind.ts';
import { fileKind, isModelFile, shapeOfBytes, whyUnusable } from './file-kind.ts';
import { npyFacts } from './npy-input.ts';
import type { PlaygroundStore } from './playground-store.ts';
import { editInput, setUpload } from './playground-store.ts';
import { lookAtPicture, rememberPicture } from './file-pictures.ts';
import { keepFile } from './kept-files.ts';
import { DEFAULT_RATE, takeSound } from './sound-actions.ts';
import { asUpload, isSampleWanted } from './uploads.ts';
import { releaseBlob, uploadBlob } from '../../actions/blobs.ts';

/** What the engine keeps at most. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
const MAX_TEXT_BYTES = 1024 * 1024;
/** Sending more takes long enough to be looked at before: smaller ones that do not fit can be corrected afterwards. */
const MOST_UNSEEN_BYTES = 8 * 1024 * 1024;

/**
 * Asked when the file has been sent: an input that something else has filled meanwhile, a captured request for one, is not
 * to be covered by a sample.
 */
export type IsWanted = (now: InputDraft) => boolean;

/**
 * Fills the input; the file that was taken last wins. One that looks like a model is asked about first. What goes wrong is
 * said here.
 */
export async function takeFile(
  client: EngineClient,
  store: PlaygroundStore,
  input: InputDraft,
  file: File,
): Promise<void> {
  if (file.size === 0) {
    toastWarning(t('playground.file.empty', { file: file.name }));
    return;
  }
  const meant = isModelFile(file) ? await askAboutModel(input, file) : 'value';
  if (meant === 'model') openFiles([file]);
  else if (meant === 'value') await take(client, store, input, { file });
}

function askAboutModel(input: InputDraft, file: File): Promise<'model' | 'value' | undefined> {
  return ask({
    title: t('playground.file.isModel', { file: file.name }),
    text: t('playground.file.isModelText', { input: input.name }),
    choices: [
      { value: 'value', label: t('playground.file.asValue') },
      { value: 'model', label: t('playground.file.asModel'), isPrimary: true },
    ],
    testId: 'pg-model-file',
  });
}

/** The same with a sample: it waits for a file that is on its way. */
export function takeSample(
  client: EngineClient,
  store: PlaygroundStore,
  input: InputDraft,
  sample: { readonly file: File; readonly isWanted?: IsWanted | undefined },
): Promise<void> {
  return take(client, store, input, sample);
}

async function take(
  client: EngineClient,
  store: PlaygroundStore,
  input: InputDraft,
  { file, isWanted }: { readonly file: File; readonly isWanted?: IsWanted | undefined },
): Promise<void> {
  const kind = fileKind(file, input);
  if (kind === undefined) {
    toastWarning(whyUnusable(file, input));
    return;
  }
  if (file.size > (kind === 'text' ? MAX_TEXT_BYTES : MAX_FILE_BYTES)) {
    toastWarning(t('playground.file.tooLarge', { file: file.name, size: formatBytes(file.size) }));
    return;
  }
  if (kind === 'raw' && file.size > Math.max(MOST_UNSEEN_BYTES, bytesOf(input, file))) {
    const size = formatBytes(file.size);
    const taken = formatBytes(bytesOf(input, file));
    toastWarning(t('playground.file.tooMuch', { file: file.name, size, input: input.name, taken }));
    return;
  }
  if (kind === 'sound') {
    const rate = input.sound?.rate ?? DEFAULT_RATE;
    await takeSound(client, store, input.name, { file, title: file.name, rate });
    return;
  }
  if (isWanted !== undefined && !(await isSampleWanted(store, input.name, isWanted))) return;
  await asUpload(store, input.name, async (signal) => {
    try {
      if (kind === 'text') await takeLines(store, input, file, signal);
      else await takeBytes(client, store, input, { file, kind, signal, isWanted: isWanted ?? (() => true) });
    } catch (thrown) {
      if (signal.aborted) return;
      toastError(t('playground.file.failed', { file: file.name, reason: messageOf(thrown) }));
    }
  });
}

/** What the input takes in the shape that these raw bytes give it; Infinity for BYTES, which take any. */
function bytesOf(input: InputDraft, { size }: File): number {
  const elementSize = byteSizeOf(input.datatype);
  if (elementSize === 0) return Infinity;
  return elementCountOf(shapeOfBytes(input, { byteSize: size, elementSize })) * elementSize;
}

async function takeLines(
  store: PlaygroundStore,
  { name }: InputDraft,
  file: File,
  signal: AbortSignal,
): Promise<void> {
  const lines = (await file.text()).replace(/\r?\n$/, '').split(/\r?\n/);
  signal.throwIfAborted();
  const hasBatch = (store.getState().io?.maxBatchSize ?? 0) > 0;
  editInput(store, name, (input) => withLines({ ...input, isSent: true, mode: 'values' }, lines, hasBatch));
}

async function takeBytes(
  client: EngineClient,
  store: PlaygroundStore,
  { name }: InputDraft,
  {
    file,
    kind,
    signal,
    isWanted,
  }: {
    readonly file: File;
    readonly kind: Exclude<FileKind, 'text' | 'sound'>;
    readonly signal: AbortSignal;
    readonly isWanted: IsWanted;
  },
): Promise<void> {
  setUpload(store, name, 0);
  const content = new Uint8Array(await file.arrayBuffer());
  const bytes = kind === 'element' ? prefixed(content) : content;
  const blob = await uploadBlob(client, bytes, {
    signal,
    onProgress: (share) => setUpload(store, name, share),
  });
  if (signal.aborted) return releaseBlob(client, blob);
  keepFile(blob, kind === 'element' ? new Blob([bytes]) : file);
  const uploaded = {
    blob,
    name: file.name === '' ? t('playground.file.pasted') : file.name,
    byteSize: file.size,
  };
  if (kind !== 'image') {
    const format = kind === 'element' ? 'raw' : kind;
    editInput(store, name, (input) => {
      if (!isWanted(input)) return input;
      const sizes = { byteSize: bytes.byteLength, elementSize: byteSizeOf(input.datatype) };
      const { shape, ...held } =
        kind === 'npy'
          ? npyFacts(input, bytes)
          : { shape: kind === 'raw' ? shapeOfBytes(input, sizes) : input.shape };
      const filled = { isSent: true, mode: 'file', file: { ...uploaded, ...held, format } } as const;
      return { ...withShape(input, shape), ...filled };
    });
    return;
  }
  const seen = await lookAtPicture(file);
  if (signal.aborted) return releaseBlob(client, blob);
  rememberPicture(blob, file);
  const size = seen === undefined ? undefined : { width: seen.width, height: seen.height };
  const image = { ...uploaded, isTransparent: seen?.isTransparent, size };
  editInput(store, name, (input) =>
    isWanted(input)
      ? fitted({ ...input, isSent: true, mode: 'image', image }, size, input.image?.size)
      : input,
  );
}

/** One element of BYTES: its length in front. */
function prefixed(content: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const element = new Uint8Array(4 + content.byteLength);
  new DataView(element.buffer).setUint32(0, content.byteLength, true);
  element.set(content, 4);
  return element;
}

type Size = NonNullable<UploadedFile['size']>;

/**
 * Free heights and widths that were never set, or that a picture before this one set, take the size of the picture;
 * free channels what is sent.
 */
function fitted(input: InputDraft, size: Size | undefined, before: Size | undefined): InputDraft {
  const { layout, channels } = input.imageOptions;
  const rank = input.shape.length;
  const [channelAt, heightAt, widthAt] =
    layout === 'NCHW' ? [rank - 3, rank - 2, rank - 1] : [rank - 1, rank - 3, rank - 2];
  const isOfBefore =
    input.shape[heightAt ?? -1] === before?.height && input.shape[widthAt ?? -1] === before?.width;
  const shape = input.shape.map((dim, at) => {
    if (input.template[at] !== -1) return dim;
    if (at === channelAt) return dim !== 1 ? dim : channels === 'GRAY' ? 1 : 3;
    if (at === heightAt) return dim === 1 || isOfBefore ? (size?.height ?? dim) : dim;
    return at === widthAt && (dim === 1 || isOfBefore) ? (size?.width ?? dim) : dim;
  });
  return { ...withShape(input, shape), mode: 'image' };
}
