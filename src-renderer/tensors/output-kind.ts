// What an output probably is, from its name, type and shape alone: which views it can be shown in, the best one first.
// Guesses only choose what is shown at first; every view stays one click away. Pure.

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { isClassMap } from './mask.ts';
import { elementCountOf, isFixedSize, pixelLayout, squeezed } from './tensor-slices.ts';

/** The views that an output can be shown in. */
export type ViewKind =
  | 'classes'
  | 'value'
  | 'ranked'
  | 'table'
  | 'vector'
  | 'text'
  | 'image'
  | 'heat'
  | 'wave'
  | 'histogram';

type Described = Pick<PlaygroundOutput, 'name' | 'datatype' | 'shape'>;

const CLASS_NAME = /prob|softmax|logit|score|class|label|pred|categor/i;
const CLASS_NUMBER_NAME = /class|label|pred|categor|argmax|top_?1/i;
const VECTOR_NAME = /embed|feature|vector|hidden|latent|pool|encod/i;
const HEAT_NAME = /heat|salien|attention|anomal|density|depth|disparity|grad_?cam/i;
const SOUND_NAME = /audio|wav|sound|speech|signal|pcm/i;
/** Sizes of well-known lists of classes. */
const CLASS_COUNTS: ReadonlySet<number> = new Set([10, 80, 90, 91, 100, 1000, 1001, 21_841, 21_843]);
const MOST_CLASSES = 30_000;
/** Shorter vectors are seldom a sound. */
export const FEWEST_SAMPLES = 2000;
/** Longer vectors are no strip of a pixel for each value. */
const LONGEST_STRIP = 16_384;
/** Longer vectors are looked at in the table. */
export const MOST_RANKED = 512 * 1024;
/** Smaller sides are seldom those of a picture when nothing else says so. */
export const SMALLEST_PICTURE = 28;

/** Whether the last three dimensions are those of a picture: 1 or 3 channels, and two sides; -1 fits a side. */
export function hasPictureSides(shape: readonly number[]): boolean {
  const [a, b, c] = shape.slice(-3);
  const isSide = (dim: number | undefined): boolean => dim === -1 || (dim ?? 0) >= SMALLEST_PICTURE;
  const isChannels = (dim: number | undefined): boolean => dim === 1 || dim === 3;
  return (isChannels(a) && isSide(b) && isSide(c)) || (isChannels(c) && isSide(a) && isSide(b));
}

function isFloat(datatype: string): boolean {
  return /^(FP|BF)/.test(datatype);
}

/** How a tensor is a list of vectors: the last dimension that is not 1, and how many there are of them. */
export function vectorsOf(shape: readonly number[]): { readonly length: number; readonly count: number } {
  const dims = squeezed(shape);
  const length = dims.at(-1) ?? 1;
  return { length, count: elementCountOf(dims.slice(0, -1)) };
}

/** Whether the last dimension probably counts classes. */
export function looksLikeClasses({ name, datatype, shape }: Described): boolean {
  if (!isFloat(datatype) || squeezed(shape).length > 2) return false;
  const { length, count } = vectorsOf(shape);
  if (length < 2 || length > MOST_CLASSES || count > length * 1000) return false;
  return CLASS_NAME.test(name) || (CLASS_COUNTS.has(length) && !VECTOR_NAME.test(name));
}

/** Whether its elements probably are numbers of classes: what is left of a classifier that ends in an argmax. */
export function isClassNumber({ name, datatype }: Pick<Described, 'name' | 'datatype'>): boolean {
  return /^U?INT/.test(datatype) && CLASS_NUMBER_NAME.test(name);
}

function looksLikePicture({ datatype, shape }: Described): boolean {
  const layout = pixelLayout(shape);
  if (layout === undefined || !(isFloat(datatype) || datatype === 'UINT8')) return false;
  if (squeezed(shape).length < 2) return false;
  return Math.min(layout.width, layout.height) >= SMALLEST_PICTURE;
}

/** One number for each place of a picture, that means how much of something is there. */
function isHeat({ name, shape }: Described): boolean {
  return HEAT_NAME.test(name) && pixelLayout(shape)?.channels !== 3;
}

function looksLikeSound({ name, datatype, shape }: Described): boolean {
  const isNumber = isFloat(datatype) || datatype === 'INT16';
  return isNumber && SOUND_NAME.test(name) && vectorsOf(shape).length >= FEWEST_SAMPLES;
}

/** Whether the request gave a sound of this very shape: what comes out of it is most likely one too. */
function isShapedAsSound(output: Described, sounds: readonly Described[]): boolean {
  if (looksLikeClasses(output) || VECTOR_NAME.test(output.name)) return false;
  return sounds.some(
    (sound) =>
      looksLikeSound(sound) &&
      sound.datatype === output.datatype &&
      sound.shape.join() === output.shape.join(),
  );
}

/** What is known beside name, type and shape. */
export interface KnownOfOutput {
  /** The answer came as classes. */
  readonly hasClasses: boolean;
  /** The model names them. */
  readonly hasLabels: boolean;
  /** What the request sent, where that is known. */
  readonly inputs?: readonly Described[] | undefined;
}

/** Views that can show it, the best guess first. */
export function viewsOf(
  output: Described,
  { hasClasses, hasLabels, inputs = [] }: KnownOfOutput,
): readonly ViewKind[] {
  const { datatype, shape, name } = output;
  if (hasClasses) return ['classes'];
  if (datatype === 'BYTES') return ['text', 'table'];
  if (!isFixedSize(datatype)) return ['table'];
  const count = elementCountOf(shape);
  if (count === 1) return ['value'];
  const { length } = vectorsOf(shape);
  const isSound = looksLikeSound(output) || isShapedAsSound(output, inputs);
  const isLong = isFloat(datatype) && length >= 64 && !looksLikeClasses(output);
  const possible: ViewKind[] = [
    'table',
    ...(count > 1 && length <= MOST_RANKED && datatype !== 'BOOL' ? (['ranked'] as const) : []),
    ...(isFloat(datatype) && length >= 8 && length <= LONGEST_STRIP ? (['vector'] as const) : []),
    ...(pixelLayout(shape) !== undefined && count >= 64 ? (['image'] as const) : []),
    ...(count > 8 ? (['heat'] as const) : []),
    ...(length >= FEWEST_SAMPLES || isSound ? (['wave'] as const) : []),
    ...(count > 8 && datatype !== 'BOOL' ? (['histogram'] as const) : []),
  ];
  const best: ViewKind | undefined = isSound
    ? 'wave'
    : looksLikeClasses(output) || (hasLabels && count > 1)
      ? 'ranked'
      : looksLikePicture(output) || isClassMap(output)
        ? isHeat(output)
          ? 'heat'
          : 'image'
        : isLong && (VECTOR_NAME.test(name) || squeezed(shape).length === 1)
          ? 'vector'
          : undefined;
  return best === undefined || !possible.includes(best)
    ? possible
    : [best, ...possible.filter((kind) => kind !== best)];
}

/** Which public list of names fits a number of classes; undefined = none that we have. */
export function namesFor(length: number): 'imagenet' | 'coco' | undefined {
  if (length === 1000 || length === 1001) return 'imagenet';
  return length === 80 || length === 90 || length === 91 ? 'coco' : undefined;
}
