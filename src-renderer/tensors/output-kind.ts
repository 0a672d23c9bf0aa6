// What an output probably is, from its name, type and shape alone: which views it can be shown in, the best one first.
// Guesses only choose what is shown at first; every view stays one click away. Pure.

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { flowLayout, isFlow } from './flow.ts';
import { isClassMap } from './mask.ts';
import { seriesOf } from './series.ts';
import { elementCountOf, isFixedSize, pixelLayout, squeezed } from './tensor-slices.ts';

/** The views that an output can be shown in. */
export type ViewKind =
  | 'classes'
  | 'value'
  | 'ranked'
  | 'steps'
  | 'series'
  | 'table'
  | 'vector'
  | 'text'
  | 'image'
  | 'heat'
  | 'flow'
  | 'wave'
  | 'histogram';

type Described = Pick<PlaygroundOutput, 'name' | 'datatype' | 'shape'>;
/** With what is known of its values, where they were looked at. */
type Guessed = Described & Partial<Pick<PlaygroundOutput, 'stats'>>;

const CLASS_NAME = /prob|softmax|logit|score|class|label|categor/i;
/** A single vector of predictions is one of classes more often than of anything else; a table of them is not. */
const PREDICTION_NAME = /pred/i;
const CLASS_NUMBER_NAME = /class|label|pred|categor|argmax|top_?1/i;
const VECTOR_NAME = /embed|feature|vector|hidden|latent|pool|encod/i;
const HEAT_NAME = /heat|salien|attention|anomal|density|depth|disparity|grad_?cam/i;
const SOUND_NAME =
  /audio|wav|sound|speech|signal|pcm|voice|vocal|utterance|noisy|denois|enhanced|input_values|(^|_)mixture/i;
const PICTURE_NAME = /image|img|pixel|picture|photo/i;
/** Three dimensions of these fit a picture, but are places, frequencies or what another model made. */
const NO_PICTURE_NAME =
  /(^|_)mel|spectro|input_features|fbank|mfcc|points?(_|$)|xyz|cloud|coord|latent|noise|embed|hidden|(^|_)past/i;
/** Sizes of well-known lists of classes. */
const CLASS_COUNTS: ReadonlySet<number> = new Set([
  10, 80, 90, 91, 100, 521, 527, 1000, 1001, 21_841, 21_843,
]);
/** Vocabularies of language models among them. */
const MOST_CLASSES = 300_000;
/** Shorter vectors are seldom a sound. */
export const FEWEST_SAMPLES = 2000;
/** A fortieth of a second of what speech models take: enough where a sound went in. */
const SHORTEST_SOUND = 400;
/** Longer vectors are no strip of a pixel for each value. */
const LONGEST_STRIP = 16_384;
/** Shorter vectors are read as they are. */
const MOST_AT_A_GLANCE = 16;
/** Longer vectors are looked at in the table. */
export const MOST_RANKED = 512 * 1024;
/** Longer lists of classes are the tokens of a language. */
export const SHORTEST_VOCABULARY = 30_000;
/** More scores than this are not read to find the best of each step. */
const MOST_SCORES = 4 * 1024 * 1024;
const FORECAST_NAME = /forecast|horizon|future|time_?series|(^|_)trend/i;
/** As forecasting models call what they give for each step. */
const PREDICTIONS_NAME = /^(target_)?predict(ion|ions|ed)?(_(outputs?|values?|mean))?$|^y_?(hat|pred)$/i;
/** More values at each step are seldom lines to look at. */
const MOST_VARIABLES = 32;
/** Smaller sides are seldom those of a picture when nothing else says so. */
export const SMALLEST_PICTURE = 28;

/** Whether the last three dimensions are those of a picture: 1 or 3 channels, and two sides; -1 fits a side. */
function hasPictureSides(shape: readonly number[]): boolean {
  const [a, b, c] = shape.slice(-3);
  const isSide = (dim: number | undefined): boolean => dim === -1 || (dim ?? 0) >= SMALLEST_PICTURE;
  const isChannels = (dim: number | undefined): boolean => dim === 1 || dim === 3;
  return (isChannels(a) && isSide(b) && isSide(c)) || (isChannels(c) && isSide(a) && isSide(b));
}

/** Whether an input of this name and shape is so likely a picture that it starts with one. */
export function isPictureInput({ name, shape }: Pick<Described, 'name' | 'shape'>): boolean {
  if (NO_PICTURE_NAME.test(name)) return false;
  if (hasPictureSides(shape)) return true;
  return PICTURE_NAME.test(name) && shape.length >= 3 && shape.slice(-3).every((dim) => dim === -1);
}

/** Whether numbers of this type are pixels when the shape is that of a picture; numbers of tokens have no colours. */
export function mayBePixels({ datatype, shape }: Pick<Described, 'datatype' | 'shape'>): boolean {
  if (/^(FP|BF)|^UINT8$/.test(datatype)) return true;
  return /^U?INT(16|32)$/.test(datatype) && (shape.at(-1) === 3 || shape.at(-3) === 3);
}

/** Whether the name of a tensor says that it is a sound. */
export function isSoundName(name: string): boolean {
  return SOUND_NAME.test(name);
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

/** How a tensor is rows of classes, one row for each step, in `items` of a batch. */
export function sequencesOf(shape: readonly number[]) {
  const dims = squeezed(shape);
  return { length: dims.at(-1) ?? 1, count: dims.at(-2) ?? 1, items: elementCountOf(dims.slice(0, -2)) };
}

/** A score of each class at each step, as recognisers of speech, of text and of names give them. */
function looksLikeSteps(output: Described, hasLabels: boolean): boolean {
  const rank = squeezed(output.shape).length;
  const { length } = vectorsOf(output.shape);
  // Two dimensions are a batch of answers.
  if (rank !== 2 || output.shape.length < 3 || length > SHORTEST_VOCABULARY) return false;
  return looksLikeClasses(output) || hasLabels;
}

/** Values for each of several steps in time. */
function looksLikeSeries({ name, datatype, shape }: Described): boolean {
  const { steps, lines } = seriesOf(shape);
  const rank = squeezed(shape).length;
  if (!isFloat(datatype) || rank > 2 || steps < 3 || lines > MOST_VARIABLES) return false;
  if (FORECAST_NAME.test(name)) return true;
  return (rank === 1 && isColumn(shape)) || (PREDICTIONS_NAME.test(name) && shape.length >= 3);
}

/** Whether the last dimension probably counts classes. */
export function looksLikeClasses({ name, datatype, shape }: Described): boolean {
  const dims = squeezed(shape);
  const { length, count } = vectorsOf(shape);
  const isCount = CLASS_COUNTS.has(length) && !VECTOR_NAME.test(name);
  // Bytes are what a quantised classifier gives; fewer of them are as often something else.
  if (/^U?INT8$/.test(datatype)) return dims.length === 1 && length >= 1000 && isCount;
  if (!isFloat(datatype) || dims.length > 2 || isPlane(shape)) return false;
  if (length < 2 || length > MOST_CLASSES || count > length * 1000) return false;
  if (CLASS_NAME.test(name) || isCount) return true;
  return PREDICTION_NAME.test(name) && dims.length === 1 && !isColumn(shape);
}

/** One number for each place of a picture, as its dimensions say. */
function isPlane(shape: readonly number[]): boolean {
  const [height = 0, width = 0] = shape.slice(-2);
  if (Math.min(height, width) < SMALLEST_PICTURE) return false;
  return shape.length >= 4 || height === width;
}

/** One number for each of many steps: a series of one variable. */
function isColumn(shape: readonly number[]): boolean {
  return shape.length >= 3 && shape.at(-1) === 1 && (shape.at(-2) ?? 1) > 1;
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

function looksLikeSound({ name, datatype, shape }: Described, fewest = FEWEST_SAMPLES): boolean {
  const isNumber = isFloat(datatype) || datatype === 'INT16';
  return isNumber && SOUND_NAME.test(name) && vectorsOf(shape).length >= fewest;
}

/** A single vector of so many numbers, on both sides of zero and none of them beyond 1, is seldom anything else. */
function isLongSound({ name, datatype, shape, stats }: Guessed): boolean {
  if (!isFloat(datatype) || VECTOR_NAME.test(name) || squeezed(shape).length !== 1) return false;
  const { min = 0, max = 0 } = stats ?? {};
  return vectorsOf(shape).length > LONGEST_STRIP && min < 0 && max > 0 && Math.max(-min, max) <= 1;
}

/** Whether the request gave a sound of this very length: what comes out of it is most likely one too, or several. */
function isShapedAsSound(output: Described, sounds: readonly Described[]): boolean {
  if (looksLikeClasses(output) || VECTOR_NAME.test(output.name)) return false;
  const { length } = vectorsOf(output.shape);
  return sounds.some(
    (sound) =>
      looksLikeSound(sound, SHORTEST_SOUND) &&
      sound.datatype === output.datatype &&
      vectorsOf(sound.shape).length === length,
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
  output: Guessed,
  { hasClasses, hasLabels, inputs = [] }: KnownOfOutput,
): readonly ViewKind[] {
  const { datatype, shape } = output;
  if (hasClasses) return ['classes'];
  if (datatype === 'BYTES') return ['text', 'table'];
  if (!isFixedSize(datatype)) return ['table'];
  const count = elementCountOf(shape);
  if (count === 1) return ['value'];
  const { length } = vectorsOf(shape);
  const { steps, lines } = seriesOf(shape);
  const isSteps = isFloat(datatype) && squeezed(shape).length >= 2 && length >= 2;
  const isSound = looksLikeSound(output) || isShapedAsSound(output, inputs) || isLongSound(output);
  const possible: ViewKind[] = [
    'table',
    ...(count > 1 && length <= MOST_RANKED && datatype !== 'BOOL' ? (['ranked'] as const) : []),
    ...(isSteps && vectorsOf(shape).count * length <= MOST_SCORES ? (['steps'] as const) : []),
    ...(isFloat(datatype) && steps >= 3 && steps * lines <= MOST_RANKED ? (['series'] as const) : []),
    ...(isFloat(datatype) && length >= 8 && length <= LONGEST_STRIP ? (['vector'] as const) : []),
    ...(pixelLayout(shape) !== undefined && count >= 64 ? (['image'] as const) : []),
    ...(count > 8 ? (['heat'] as const) : []),
    ...(isFloat(datatype) && flowLayout(shape) !== undefined ? (['flow'] as const) : []),
    ...(length >= FEWEST_SAMPLES || isSound ? (['wave'] as const) : []),
    ...(count > 8 && datatype !== 'BOOL' ? (['histogram'] as const) : []),
  ];
  const best = isSound ? 'wave' : firstView(output, hasLabels);
  return best === undefined || !possible.includes(best)
    ? possible
    : [best, ...possible.filter((kind) => kind !== best)];
}

/** The best guess for numbers that are no sound; undefined = a table. */
function firstView(output: Described, hasLabels: boolean): ViewKind | undefined {
  const { name, datatype, shape } = output;
  const { length, count } = vectorsOf(shape);
  const rank = squeezed(shape).length;
  const isVector = isFloat(datatype) && length >= 64 && rank <= 2;
  if (looksLikeSteps(output, hasLabels)) return 'steps';
  if (looksLikeClasses(output) || (hasLabels && rank <= 2)) return 'ranked';
  if (isVector && VECTOR_NAME.test(name)) return 'vector';
  if (looksLikeSeries(output)) return 'series';
  if (isFlow(output)) return 'flow';
  if (looksLikePicture(output) || isClassMap(output)) return isHeat(output) ? 'heat' : 'image';
  if (isVector && count < SMALLEST_PICTURE) return 'vector';
  const isLong = isFloat(datatype) && rank === 1 && length > MOST_AT_A_GLANCE;
  return isLong && !isColumn(shape) ? 'ranked' : undefined;
}

/** Which public list of names fits a number of classes; undefined = none that we have. */
export function namesFor(length: number): 'imagenet' | 'coco' | undefined {
  if (length === 1000 || length === 1001) return 'imagenet';
  return length === 80 || length === 90 || length === 91 ? 'coco' : undefined;
}
