// Random and zero inputs, made once and sent again and again. Random numbers stay small and finite, so that models that
// look things up by index get indexes they know.

import type { PerfData } from '../../../src-shared/contract/perf-plan.ts';
import { elementByteSize } from '../../../src-shared/datatypes.ts';
import { seededRandom } from '../../onnx/seeded-random.ts';
import { encodeTexts, encodeValues } from '../../tensor/value-codec.ts';
import { perfDataErrors } from './data-errors.ts';
import type { DataSet, DataTensor } from './data-set.ts';
import type { LoadModel, LoadTensor } from './load-model.ts';

const SEED = 1;
const MAX_INTEGER = 100;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Sizes a request has: the configuration's, with variable ones from the plan. */
export function shapeOf(input: LoadTensor, shapes: PerfData['shapes']): readonly number[] {
  const given = shapes[input.name];
  if (given === undefined) {
    if (!input.dims.includes(-1)) return input.dims;
    throw perfDataErrors.shapeOpen({
      name: input.name,
      dims: input.dims.join(','),
      example: input.dims.map((dim) => (dim < 0 ? 'N' : dim)).join(','),
    });
  }
  const fits =
    given.length === input.dims.length && input.dims.every((dim, axis) => dim === -1 || dim === given[axis]);
  if (!fits) {
    throw perfDataErrors.shapeUnfit({
      shape: given.join(','),
      name: input.name,
      dims: input.dims.join(','),
    });
  }
  return given;
}

/** One tensor for each input that is sent, -1 in its shape replaced; the same values at each start. */
export function generatedData(model: LoadModel, data: PerfData): DataSet {
  const random = seededRandom(SEED);
  const inputs = new Map<string, DataTensor>();
  for (const input of model.inputs) {
    const isLeftOut = input.isOptional && input.dims.includes(-1) && data.shapes[input.name] === undefined;
    if (!isLeftOut) inputs.set(input.name, generated(input, data, random));
  }
  return { streams: [[{ inputs, expected: undefined, timestampMs: undefined }]], isGiven: false };
}

function generated(input: LoadTensor, data: PerfData, random: () => number): DataTensor {
  const shape = shapeOf(input, data.shapes);
  const count = shape.reduce((product, dim) => product * dim, 1);
  const { datatype } = input;
  const isZero = data.source.kind === 'zero';
  if (datatype === 'BYTES') {
    const text = (): string => {
      if (data.stringData !== '') return data.stringData;
      return isZero ? '0' : randomText(data.stringLength, random);
    };
    return { datatype, shape, bytes: encodeTexts(Array.from({ length: count }, text)) };
  }
  if (isZero) return { datatype, shape, bytes: new Uint8Array(count * elementByteSize(datatype)) };
  const element = (): string => {
    const value = random();
    if (datatype === 'BOOL') return value < 0.5 ? '0' : '1';
    const isFloat = datatype.startsWith('FP') || datatype === 'BF16';
    return isFloat ? String(value) : String(Math.floor(value * (MAX_INTEGER + 1)));
  };
  return { datatype, shape, bytes: encodeValues(Array.from({ length: count }, element), datatype) };
}

function randomText(length: number, random: () => number): string {
  return Array.from({ length }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('');
}
