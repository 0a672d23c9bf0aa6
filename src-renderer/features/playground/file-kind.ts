// What a file is for an input, by its name and the kind that the browser gives it; and what is said of one that cannot
// fill it. Pure.

import { t } from '../../texts/translate.ts';
import type { FileFormat, InputDraft } from './draft.ts';
import { takesImage } from './draft.ts';
import { takesSound } from './sound-input.ts';

const FORMATS: Readonly<Record<string, FileFormat>> = {
  npy: 'npy',
  json: 'json',
  csv: 'csv',
  txt: 'csv',
  raw: 'raw',
  bin: 'raw',
  dat: 'raw',
};

/** Endings of files that hold a model. */
const MODEL_ENDINGS =
  /^(onnx|ort|pt|pth|pt2|torchscript|ckpt|plan|engine|trt|pb|graphdef|tflite|h5|keras|safetensors|gguf|dali|mlmodel)$/;

/** What a file was taken for: `element` is a text of BYTES that all of the file's bytes are. */
export type FileKind = 'image' | 'sound' | 'text' | 'element' | FileFormat;

type Named = Pick<File, 'name' | 'type'>;
type Formed = Pick<InputDraft, 'template' | 'isBatched' | 'datatype'>;

function endingOf({ name }: Pick<File, 'name'>): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** Whether its name says that it is a model, which is hardly meant as the value of an input. */
export function isModelFile(file: Pick<File, 'name'>): boolean {
  return MODEL_ENDINGS.test(endingOf(file));
}

function isPicture(file: Named): boolean {
  return file.type.startsWith('image/') || /^(png|jpe?g|webp|gif|tiff?|bmp|avif)$/.test(endingOf(file));
}

function isSound(file: Named): boolean {
  return file.type.startsWith('audio/') || /^(wav|mp3|ogg|flac|m4a|opus)$/.test(endingOf(file));
}

function isArchive(file: Named): boolean {
  return /^(npz|zip|gz|tgz|tar|xz|bz2|7z|rar)$/.test(endingOf(file));
}

/** Bytes of one free length: what models take that decode a picture or a sound themselves. */
function takesEncoded({ template, isBatched, datatype }: Formed): boolean {
  const own = isBatched ? template.slice(1) : template;
  return datatype === 'UINT8' && own.at(-1) === -1 && own.slice(0, -1).every((dim) => dim === 1);
}

/** What a file would be for an input; undefined = it cannot be used. */
export function fileKind(file: Named, input: Formed): FileKind | undefined {
  const [picture, sound] = [isPicture(file), isSound(file)];
  if (picture && takesImage(input)) return 'image';
  if (sound && takesSound(input)) return 'sound';
  if (picture || sound) {
    if (input.datatype === 'BYTES') return 'element';
    return takesEncoded(input) ? 'raw' : undefined;
  }
  if (isArchive(file)) return undefined;
  if (input.datatype === 'BYTES' && endingOf(file) === 'txt') return 'text';
  return FORMATS[endingOf(file)] ?? (input.datatype === 'BYTES' ? 'element' : 'raw');
}

/** Why a file of no kind cannot fill the input. */
export function whyUnusable(file: Named, { name: input }: Pick<InputDraft, 'name'>): string {
  const names = { file: file.name, input };
  if (isPicture(file)) return t('playground.file.noPicture', names);
  return isSound(file) ? t('playground.file.noSoundInput', names) : t('playground.file.archive', names);
}

/** The shape that raw bytes give an input with one free length: as many elements as they are. */
export function shapeOfBytes(
  { template, isBatched, shape }: Pick<InputDraft, 'template' | 'isBatched' | 'shape'>,
  { byteSize, elementSize }: { readonly byteSize: number; readonly elementSize: number },
): readonly number[] {
  const free = template.flatMap((dim, at) => (dim === -1 && !(isBatched && at === 0) ? [at] : []));
  const [only] = free;
  if (free.length !== 1 || only === undefined || elementSize === 0) return shape;
  const others = shape.reduce((product, dim, at) => (at === only ? product : product * dim), elementSize);
  return others > 0 && byteSize % others === 0 ? shape.with(only, byteSize / others) : shape;
}
