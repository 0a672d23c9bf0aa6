// The implicit state tensors a model declares, with the value each has when a sequence starts: read and checked once
// when the model loads. (docs/reference/sequences.md#state)

import type {
  ModelConfig,
  SequenceInitialState,
  SequenceState,
} from '../../src-shared/config/model-config.ts';
import { dataTypeFromConfig, elementByteSize, type DataType } from '../../src-shared/datatypes.ts';
import { readError } from '../base/read-error.ts';
import { readRegularFile } from '../base/regular-file.ts';
import type { ModelFiles } from '../inference/model-files.ts';
import { dataFile, MAX_DATA_BYTES } from '../inference/model-files.ts';
import { stateErrors } from './state-errors.ts';

/** One entry of `sequence_batching.state` with what it begins with. */
export interface StateSpec {
  readonly inputName: string;
  readonly outputName: string;
  readonly datatype: DataType;
  /** Shape at the start of a sequence, wildcards as 1, without batch dimension. */
  readonly initialShape: readonly number[];
  /** Wire bytes that fit `initialShape`; shared, never written to. */
  readonly initialBytes: Uint8Array;
  /** One buffer for input and output: its size never changes. */
  readonly usesSameBuffer: boolean;
}

type ModelPlace = Pick<ModelFiles, 'modelName' | 'modelDir'>;

/** The states of a sequence model by the names of their inputs, as a model finds them. Throws INVALID_ARG with the reason a model with such states cannot load. */
export async function loadInitialStates(
  config: ModelConfig,
  modelDir: string,
): Promise<readonly StateSpec[]> {
  const states = config.sequenceBatching?.state ?? [];
  const seen = new Set<string>();
  const specs: StateSpec[] = [];
  for (const state of states) {
    if (seen.has(state.inputName)) {
      throw stateErrors.repeatedInput({ input: state.inputName });
    }
    seen.add(state.inputName);
    specs.push(await loadState(state, { modelName: config.name, modelDir }));
  }
  return specs.sort((a, b) => (a.inputName < b.inputName ? -1 : 1));
}

async function loadState(state: SequenceState, model: ModelPlace): Promise<StateSpec> {
  if (state.initialState.length > 1) {
    throw stateErrors.severalInitial({ input: state.inputName, count: state.initialState.length });
  }
  const datatype = dataTypeFromConfig(state.dataType);
  if (datatype === undefined) {
    throw stateErrors.withoutType({ input: state.inputName });
  }
  const [initial] = state.initialState;
  if (initial !== undefined) checkInitial(state, initial);
  const initialShape = state.dims.map((dim) => (dim === -1 ? 1 : dim));
  const needed = elementCount(initialShape);
  if (needed * Math.max(1, elementByteSize(datatype)) > MAX_DATA_BYTES) {
    throw stateErrors.tooLarge({ input: state.inputName, count: needed, datatype, limit: MAX_DATA_BYTES });
  }
  const file =
    initial?.dataFile === undefined
      ? undefined
      : await readDataFile(initial, initial.dataFile, datatype, model);
  return {
    inputName: state.inputName,
    outputName: state.outputName,
    datatype,
    initialShape,
    initialBytes:
      datatype === 'BYTES'
        ? firstStrings(file, needed)
        : firstBytes(file, needed * elementByteSize(datatype)),
    usesSameBuffer: state.useSameBufferForInputOutput,
  };
}

function checkInitial(state: SequenceState, initial: SequenceInitialState): void {
  const input = state.inputName;
  if (initial.dataType !== state.dataType) {
    throw stateErrors.otherType({ input });
  }
  if (initial.name === '') {
    throw stateErrors.initialWithoutName({ input });
  }
  if (initial.dims.length !== state.dims.length) {
    throw stateErrors.otherRank({ input, seen: initial.dims.length, expected: state.dims.length });
  }
  initial.dims.forEach((dim, index) => {
    const stateDim = state.dims[index];
    if (dim < 0) {
      throw stateErrors.variableInitial({ input });
    }
    if (stateDim !== undefined && stateDim !== -1 && stateDim !== dim) {
      throw stateErrors.otherDim({ input, seen: dim, expected: stateDim });
    }
  });
  if (initial.zeroData === undefined && initial.dataFile === undefined) {
    throw stateErrors.withoutInitialData({ input });
  }
}

async function readDataFile(
  initial: SequenceInitialState,
  name: string,
  datatype: DataType,
  model: ModelPlace,
): Promise<Uint8Array> {
  const file = await dataFile(name, 'initial_state', `initial_state '${initial.name}'`, model);
  let bytes: Uint8Array;
  try {
    bytes = await readRegularFile(file, MAX_DATA_BYTES);
  } catch (thrown) {
    throw readError(file, thrown);
  }
  const expected = elementCount(initial.dims) * elementByteSize(datatype);
  if (bytes.byteLength < expected) {
    throw stateErrors.shortFile({ expected, file: name, seen: bytes.byteLength });
  }
  return bytes;
}

/** What a backend that trusts the shape would see: the beginning of the data, zeros where there is none. */
function firstBytes(data: Uint8Array | undefined, byteSize: number): Uint8Array {
  const bytes = new Uint8Array(byteSize);
  if (data !== undefined) bytes.set(data.subarray(0, byteSize));
  return bytes;
}

/** The first `count` length-prefixed strings of the data, empty strings where there is none. */
function firstStrings(data: Uint8Array | undefined, count: number): Uint8Array {
  let end = 0;
  let found = 0;
  if (data !== undefined) {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    while (found < count && end + 4 <= data.byteLength) {
      const next = end + 4 + view.getUint32(end, true);
      if (next > data.byteLength) break;
      end = next;
      found += 1;
    }
  }
  const bytes = new Uint8Array(end + 4 * (count - found));
  if (data !== undefined) bytes.set(data.subarray(0, end));
  return bytes;
}

function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, dim) => product * dim, 1);
}
