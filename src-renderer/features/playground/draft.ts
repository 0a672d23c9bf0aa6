// A request while it is being put together: one draft per input with everything its ways of filling need, so that
// switching between them loses nothing. Pure; the store keeps drafts, `draft-request` turns them into calls.

import type {
  ModelInterface,
  PlaygroundInput,
  PlaygroundRequest,
} from '../../../src-shared/contract/inference-calls.ts';
import type { DataType } from '../../../src-shared/datatypes.ts';
import { isPictureInput, mayBePixels } from '../../tensors/output-kind.ts';
import { elementCountOf, squeezed } from '../../tensors/tensor-slices.ts';
import { isSoundShaped } from './sound-input.ts';
import { tokenFill } from './token-fill.ts';

/** The ways to fill an input. */
export type FillMode =
  | 'values'
  | 'zeros'
  | 'ones'
  | 'constant'
  | 'random'
  | 'range'
  | 'file'
  | 'image'
  | 'sound';

/** How a request is sent. */
export type Protocol = PlaygroundRequest['protocol'];
/** How a picture becomes a tensor, as the engine is told. */
export type ImageSource = Extract<PlaygroundInput['source'], { kind: 'image' }>;
/** The same as far as the form has it: `mean` and `std` one number for each colour. */
export type ImageOptions = Omit<ImageSource, 'kind' | 'blob' | 'mean' | 'std'> & {
  readonly mean: readonly number[];
  readonly std: readonly number[];
};
/** What the bytes of a file are. */
export type FileFormat = Extract<PlaygroundInput['source'], { kind: 'blob' }>['format'];

/** A file whose bytes the engine holds. */
export interface UploadedFile {
  readonly blob: string;
  readonly name: string;
  readonly byteSize: number;
  /** Of a picture that was chosen here: one can see through parts of it. */
  readonly isTransparent?: boolean | undefined;
  /** Of a picture, in pixels: free dimensions that have it follow the next picture. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
}

/** A file with the values of an input. */
export interface ValueFile extends UploadedFile {
  readonly format: FileFormat;
  /** Of the numbers in a .npy file that was chosen here; they are converted where the input has another one. */
  readonly held?: DataType | undefined;
}

/** One input while it is put together, with the state of every way to fill it. */
export interface InputDraft {
  readonly name: string;
  readonly datatype: string;
  /** As the model says; -1 = any. */
  readonly template: readonly number[];
  /** The first dimension is the batch, and nothing of what is put in. */
  readonly isBatched: boolean;
  /** As it is sent. */
  readonly shape: readonly number[];
  /** What stands in the field of the shape and is none; undefined = the field and `shape` agree. */
  readonly badShape?: string | undefined;
  readonly isOptional: boolean;
  readonly isSent: boolean;
  readonly mode: FillMode;
  /** Row by row; one text per element. */
  readonly values: readonly string[];
  readonly constant: string;
  readonly random: { readonly seed: number; readonly min: number; readonly max: number };
  readonly range: { readonly start: number; readonly step: number };
  readonly file: ValueFile | undefined;
  readonly image: UploadedFile | undefined;
  readonly imageOptions: ImageOptions;
  readonly sound: (UploadedFile & { readonly rate: number }) | undefined;
}

/** Whether one output is asked for, and in which form. */
export interface OutputDraft {
  readonly name: string;
  readonly datatype: string;
  readonly isWanted: boolean;
  /** Top-k classes; 0 = the tensor. */
  readonly classification: number;
}

/** A parameter of the request. `value` is a text for every kind: "true", "1.5". */
export interface ParameterDraft {
  readonly key: string;
  readonly kind: 'text' | 'number' | 'boolean';
  readonly value: string;
}

/** Everything of a request, and how often it is sent. `timeoutUs` in microseconds, 0 = none. */
export interface RequestDraft {
  readonly protocol: Protocol;
  readonly id: string;
  readonly inputs: readonly InputDraft[];
  readonly outputs: readonly OutputDraft[];
  readonly priority: number;
  readonly timeoutUs: number;
  readonly parameters: readonly ParameterDraft[];
  readonly sequence: { readonly id: string; readonly start: boolean; readonly end: boolean };
  readonly repeat: { readonly count: number; readonly concurrency: number };
}

/** Elements that are typed in from the start; larger tensors begin with a generator. */
const TYPED_AT_FIRST = 32;
/** Classes asked for where an output has labels. */
export const DEFAULT_TOP_K = 5;
/** Numbers written out take several times the bytes, and the time to read them. */
const MOST_AS_JSON = 4096;
const HALF_TYPES: ReadonlySet<string> = new Set(['FP16', 'BF16']);

type InterfaceInput = ModelInterface['inputs'][number];

/** A draft that the model accepts as it is: batch 1, 1 for every size that is not fixed, believable values. */
export function newDraft(io: ModelInterface): RequestDraft {
  const outputs = io.outputs.map((output): OutputDraft => ({
    name: output.name,
    datatype: output.datatype,
    isWanted: true,
    classification: isOneVector(output, io.maxBatchSize > 0) ? DEFAULT_TOP_K : 0,
  }));
  const inputs = io.inputs.map((input, index) => newInput(input, index, io.maxBatchSize > 0));
  return {
    protocol: firstProtocol(io, inputs, outputs),
    id: '',
    inputs,
    outputs,
    priority: 0,
    timeoutUs: 0,
    parameters: [],
    sequence: { id: '1', start: true, end: false },
    repeat: { count: 1, concurrency: 1 },
  };
}

/** Whether labels name its elements: of places in a picture, and of boxes, the server would name the wrong ones. */
function isOneVector({ shape, hasLabels }: ModelInterface['outputs'][number], isBatched: boolean): boolean {
  const own = isBatched || shape[0] === -1 ? shape.slice(1) : shape;
  return hasLabels && squeezed(own).length <= 1;
}

function firstProtocol(
  io: ModelInterface,
  inputs: readonly InputDraft[],
  outputs: readonly OutputDraft[],
): Protocol {
  if (io.isDecoupled) return 'grpc';
  const isLarge =
    inputs.some(({ isSent, shape }) => isSent && elementCountOf(shape) > MOST_AS_JSON) ||
    io.outputs.some(({ shape, hasLabels }) => !hasLabels && leastCountOf(shape) > MOST_AS_JSON);
  return isLarge || hasHalfTypes({ inputs, outputs }) ? 'http-binary' : 'http-json';
}

/** Elements at least, with 1 for every size that is not fixed. */
function leastCountOf(shape: readonly number[]): number {
  return elementCountOf(shape.map((dim) => (dim === -1 ? 1 : dim)));
}

function newInput(input: InterfaceInput, index: number, isBatched: boolean): InputDraft {
  const { name, datatype, optional } = input;
  const shape = input.shape.map((dim) => (dim === -1 ? 1 : dim));
  const count = elementCountOf(shape);
  const isInteger = /^U?INT/.test(datatype);
  return {
    name,
    datatype,
    template: input.shape,
    isBatched,
    shape,
    isOptional: optional,
    isSent: !optional,
    mode: firstMode(input, isBatched, count),
    values: firstValues(input, Math.min(count, MAX_TYPED), index),
    constant: datatype === 'BYTES' ? '' : datatype === 'BOOL' ? 'true' : '1',
    random: {
      seed: 1,
      min: isInteger ? 0 : -1,
      max: datatype === 'UINT8' ? 255 : isInteger ? 9 : 1,
    },
    range: { start: 0, step: 1 },
    file: undefined,
    image: undefined,
    imageOptions: firstImageOptions(input),
    sound: undefined,
  };
}

function firstMode(input: InterfaceInput, isBatched: boolean, count: number): FillMode {
  const { name, datatype, shape } = input;
  if (isPictureShaped(input, isBatched)) return 'image';
  if (isSoundShaped({ name, datatype, template: shape, isBatched })) return 'sound';
  if (count <= TYPED_AT_FIRST || datatype === 'BYTES') return 'values';
  const fill = tokenFill(input);
  return fill === undefined ? 'random' : fill === '1' ? 'ones' : 'zeros';
}

function firstImageOptions({ shape, datatype, imageLayout }: InterfaceInput): ImageOptions {
  const isLast = shape.at(-1) === 3 || shape.at(-1) === 1;
  const isFirst = shape.at(-3) === 3 || shape.at(-3) === 1;
  const layout = imageLayout !== '' ? imageLayout : isLast && !isFirst ? 'NHWC' : 'NCHW';
  const channels = layout === 'NHWC' ? shape.at(-1) : shape.at(-3);
  return {
    resize: 'stretch',
    layout,
    channels: channels === 1 ? 'GRAY' : 'RGB',
    scaling: /INT/.test(datatype) ? 'NONE' : 'INCEPTION',
    mean: [123.675, 116.28, 103.53],
    std: [58.395, 57.12, 57.375],
  };
}

/** Whether an input is so likely a picture that it starts with one. */
function isPictureShaped(input: InterfaceInput, isBatched: boolean): boolean {
  const { shape, datatype, imageLayout } = input;
  if (!takesImage({ template: shape, isBatched, datatype })) return false;
  return imageLayout !== '' || (isPictureInput(input) && mayBePixels(input));
}

/** The first input counts up, further ones are ones, so that what a model does can be seen at a glance. */
function firstValues(input: InterfaceInput, count: number, index: number): readonly string[] {
  const { datatype } = input;
  const fill = tokenFill(input);
  return Array.from({ length: count }, (_, at) => {
    if (fill !== undefined) return fill;
    if (datatype === 'BYTES') return 'hello';
    if (datatype === 'BOOL') return 'true';
    return String(index === 0 && count > 1 ? at : 1);
  });
}

/** What a new element holds. */
export function emptyValue(datatype: string): string {
  if (datatype === 'BYTES') return '';
  return datatype === 'BOOL' ? 'false' : '0';
}

/** Elements that can be typed; more need a generator or a file. */
export const MAX_TYPED = 4096;

/** The draft with another shape; typed values are kept as far as they fit. */
export function withShape(input: InputDraft, shape: readonly number[]): InputDraft {
  const count = elementCountOf(shape);
  if (!Number.isSafeInteger(count) || count < 0 || count > MAX_TYPED) {
    return {
      ...input,
      shape,
      badShape: undefined,
      mode: input.mode === 'values' && count > MAX_TYPED ? 'zeros' : input.mode,
    };
  }
  const values = Array.from(
    { length: count },
    (_, at) => input.values[at] ?? tokenFill(input) ?? emptyValue(input.datatype),
  );
  return { ...input, shape, badShape: undefined, values };
}

/** Whether no more than one text can be put in: every dimension is fixed at 1, and so is the batch as it stands. */
export function takesOneText({ template, shape }: InputDraft, hasBatch: boolean): boolean {
  return elementCountOf(shape) === 1 && template.every((dim, at) => dim !== -1 || (hasBatch && at === 0));
}

/** Lines of text for a BYTES input; a single free dimension follows the number of lines. */
export function withLines(input: InputDraft, lines: readonly string[], hasBatch: boolean): InputDraft {
  const free = input.template.flatMap((dim, at) => (dim === -1 && !(hasBatch && at === 0) ? [at] : []));
  const [only] = free;
  if (free.length !== 1 || only === undefined) return { ...input, values: lines };
  const others = input.shape.reduce((product, dim, at) => (at === only ? product : product * dim), 1);
  if (others === 0 || lines.length % others !== 0) return { ...input, values: lines };
  return { ...input, values: lines, shape: input.shape.with(only, lines.length / others) };
}

/** Sets the batch dimension of every input. */
export function withBatchSize(draft: RequestDraft, batchSize: number): RequestDraft {
  return {
    ...draft,
    inputs: draft.inputs.map((input) =>
      input.shape.length === 0 ? input : withShape(input, input.shape.with(0, batchSize)),
    ),
  };
}

/** Whether an input or output of the request is of a type that JSON cannot carry. */
export function hasHalfTypes(draft: Pick<RequestDraft, 'inputs' | 'outputs'>): boolean {
  return halfTypeOf(draft) !== undefined;
}

/** The first type of the request that JSON cannot carry; undefined = none. */
export function halfTypeOf({
  inputs,
  outputs,
}: Pick<RequestDraft, 'inputs' | 'outputs'>): string | undefined {
  const used = [
    ...inputs.filter(({ isSent }) => isSent),
    ...outputs.filter(({ isWanted, classification }) => isWanted && classification === 0),
  ];
  return used.find(({ datatype }) => HALF_TYPES.has(datatype))?.datatype;
}

/** Of numbers that hold 0 to 255. */
const PIXEL_TYPES = /^(FP|BF|UINT8|U?INT(16|32|64))/;

/**
 * Images need three trailing dimensions, none of them the batch, of which one is 1 or 3 (or free), and numbers that
 * pixels can become.
 */
export function takesImage({
  template,
  isBatched,
  datatype,
}: Pick<InputDraft, 'template' | 'isBatched' | 'datatype'>): boolean {
  if (template.length < (isBatched ? 4 : 3) || !PIXEL_TYPES.test(datatype)) return false;
  return [template.at(-3), template.at(-1)].some((dim) => dim === 1 || dim === 3 || dim === -1);
}

/** Identifies an interface: a draft survives a reload of the model as long as this stays the same. */
export function signatureOf(io: ModelInterface): string {
  return JSON.stringify([
    io.inputs.map(({ name, datatype, shape }) => [name, datatype, shape]),
    io.outputs.map(({ name, datatype }) => [name, datatype]),
    io.maxBatchSize > 0,
    io.isSequence,
    io.isDecoupled,
  ]);
}
