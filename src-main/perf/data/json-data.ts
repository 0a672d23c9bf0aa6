// Data files of perf_analyzer's JSON form. Every fault names stream and step, counted from 0 as the file's users do.

import type { PerfData } from '../../../src-shared/contract/perf-plan.ts';
import { elementByteSize } from '../../../src-shared/datatypes.ts';
import { encodeValues } from '../../tensor/value-codec.ts';
import { perfDataErrors } from './data-errors.ts';
import type { DataSet, DataStep, DataTensor } from './data-set.ts';
import { shapeOf } from './generated-data.ts';
import type { LoadModel, LoadTensor } from './load-model.ts';

type Json = Readonly<Record<string, unknown>>;

/** Members of a step that are no tensors. */
const SPECIAL_KEYS: ReadonlySet<string> = new Set(['timestamp', 'delay', 'session_id', 'model', 'payload']);

/** Throws INVALID_ARG for text that is no such file, or that does not fit the model. */
export function parseJsonData(text: string, model: LoadModel, shapes: PerfData['shapes']): DataSet {
  const root = parseExactly(text);
  const steps = streamsOf(root['data'], 'data');
  if (steps.length === 0 || steps.some(({ length }) => length === 0)) throw perfDataErrors.noSteps();
  const expected =
    root['validation_data'] === undefined ? undefined : streamsOf(root['validation_data'], 'validation_data');
  if (expected !== undefined && expected.length !== steps.length)
    throw perfDataErrors.validationStreams({ expected: expected.length, given: steps.length });
  const streams = steps.map((stream, streamIndex) =>
    stream.map((step, stepIndex): DataStep => {
      const place = `stream ${streamIndex}, step ${stepIndex}`;
      const check = expected?.[streamIndex]?.[stepIndex];
      if (expected !== undefined && check === undefined) throw perfDataErrors.validationStep({ place });
      return {
        inputs: inputsOf(step, model, shapes, place),
        expected: check === undefined ? undefined : outputsOf(check, model, shapes, place),
        timestampMs: timestampOf(step['timestamp'], place),
      };
    }),
  );
  return { streams, isGiven: true };
}

/** Alone or as a list of one, as trace converters write it. */
function timestampOf(value: unknown, place: string): number | undefined {
  if (value === undefined) return undefined;
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof only === 'number' && only >= 0) return only;
  throw perfDataErrors.timestamp({ place, value: JSON.stringify(value) });
}

/** JSON whose whole numbers keep all their digits: those beyond 2^53 become bigint. */
function parseExactly(text: string): Json {
  const exact = (_key: string, value: unknown, context?: { readonly source?: string }): unknown => {
    const isLossy = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
    return isLossy && /^-?\d+$/.test(context?.source ?? '') ? BigInt(context?.source ?? '0') : value;
  };
  let value: unknown;
  try {
    value = JSON.parse(text, exact);
  } catch (thrown) {
    throw perfDataErrors.noJson({ reason: (thrown as Error).message }, { cause: thrown });
  }
  if (!isObject(value)) throw perfDataErrors.noObject();
  return value;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function streamsOf(value: unknown, name: string): readonly (readonly Json[])[] {
  if (!Array.isArray(value)) throw perfDataErrors.noArray({ name });
  const entries: readonly unknown[] = value;
  const isNested = entries.some((entry) => Array.isArray(entry));
  const streams = isNested ? entries : [entries];
  return streams.map((stream, index) => {
    if (!Array.isArray(stream)) throw perfDataErrors.streamNoArray({ index, name });
    return (stream as readonly unknown[]).map((step, at) => {
      if (!isObject(step)) throw perfDataErrors.stepNoObject({ index, at, name });
      return step;
    });
  });
}

function inputsOf(
  step: Json,
  model: LoadModel,
  shapes: PerfData['shapes'],
  place: string,
): ReadonlyMap<string, DataTensor> {
  const known = new Set([...model.inputs, ...model.outputs].map(({ name }) => name));
  for (const key of Object.keys(step)) {
    if (!known.has(key) && !SPECIAL_KEYS.has(key)) throw perfDataErrors.unknownTensor({ name: key, place });
  }
  const inputs = new Map<string, DataTensor>();
  for (const input of model.inputs) {
    const value = step[input.name];
    if (value !== undefined) inputs.set(input.name, tensorOf(value, input, shapes, place));
    else if (!input.isOptional) throw perfDataErrors.inputMissing({ place, name: input.name });
  }
  return inputs;
}

function outputsOf(
  step: Json,
  model: LoadModel,
  shapes: PerfData['shapes'],
  place: string,
): ReadonlyMap<string, DataTensor> {
  const outputs = new Map<string, DataTensor>();
  for (const [name, value] of Object.entries(step)) {
    const output = model.outputs.find((candidate) => candidate.name === name);
    if (output === undefined) throw perfDataErrors.unknownTensor({ name, place });
    outputs.set(name, tensorOf(value, output, shapes, place));
  }
  return outputs;
}

function tensorOf(value: unknown, tensor: LoadTensor, shapes: PerfData['shapes'], place: string): DataTensor {
  const where = `${place}, tensor '${tensor.name}'`;
  const { content, shape: given } = contentOf(value, where);
  const { datatype } = tensor;
  if (isObject(content)) {
    const text = content['b64'];
    if (typeof text !== 'string') throw perfDataErrors.b64NoText({ where });
    const bytes = new Uint8Array(Buffer.from(text, 'base64'));
    const shape = given ?? shapeFor(tensor, shapes, undefined);
    checkByteSize(bytes, tensor, shape, where);
    return { datatype, shape, bytes };
  }
  if (!Array.isArray(content)) throw perfDataErrors.contentNoList({ where });
  const values = (content as unknown[]).flat(Infinity) as unknown[];
  const shape = given ?? shapeFor(tensor, shapes, values.length);
  const count = shape.reduce((product, dim) => product * dim, 1);
  if (values.length !== count)
    throw perfDataErrors.elementCount({
      where,
      shape: shape.join(','),
      expected: count,
      given: values.length,
    });
  const texts = values.map((element, index) => elementText(element, `${where}, element ${index}`));
  return { datatype, shape, bytes: encodeValues(texts, datatype) };
}

function contentOf(
  value: unknown,
  where: string,
): { readonly content: unknown; readonly shape: readonly number[] | undefined } {
  if (!isObject(value) || value['b64'] !== undefined) return { content: value, shape: undefined };
  const shape: unknown = value['shape'];
  if (shape === undefined) return { content: value['content'], shape: undefined };
  if (!Array.isArray(shape) || !shape.every((dim) => Number.isInteger(dim) && Number(dim) >= 0))
    throw perfDataErrors.shapeNoList({ where });
  return { content: value['content'], shape: shape as readonly number[] };
}

/** One variable dimension of a flat list is its length; more need a shape. */
function shapeFor(
  tensor: LoadTensor,
  shapes: PerfData['shapes'],
  elementCount: number | undefined,
): readonly number[] {
  const open = tensor.dims.filter((dim) => dim === -1).length;
  if (open !== 1 || elementCount === undefined || shapes[tensor.name] !== undefined)
    return shapeOf(tensor, shapes);
  const fixed = tensor.dims.reduce((product, dim) => (dim === -1 ? product : product * dim), 1);
  return tensor.dims.map((dim) => (dim === -1 ? Math.floor(elementCount / fixed) : dim));
}

function elementText(element: unknown, where: string): string {
  switch (typeof element) {
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(element);
    case 'string':
      return element;
    default:
      throw perfDataErrors.element({ where });
  }
}

function checkByteSize(
  bytes: Uint8Array,
  { datatype }: LoadTensor,
  shape: readonly number[],
  where: string,
): void {
  if (datatype === 'BYTES') return;
  const expected = shape.reduce((product, dim) => product * dim, 1) * elementByteSize(datatype);
  if (bytes.byteLength !== expected)
    throw perfDataErrors.b64ByteSize({
      where,
      shape: shape.join(','),
      datatype,
      expected,
      given: bytes.byteLength,
    });
}
