// Field tables of the small messages of the ONNX format: entries, tensors and value types. Weight bytes have no entry,
// only their length is noted, so the reader passes over them.

import type {
  OnnxDim,
  OnnxExternalData,
  OnnxStoredValues,
  OnnxTensorInfo,
  OnnxValue,
  OnnxValueType,
} from './onnx-model.ts';
import { elementsByteSize } from './onnx-types.ts';
import { nested, packed, text } from './wire-cursor.ts';
import type { MessageTable, WireCursor } from './wire-cursor.ts';

/** A value of the model while its fields are being read. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] };

/** Reads a field that is a number. */
export const asVarint = (cursor: WireCursor): number => cursor.varint();

// --- key/value entries -----------------------------------------------------------------------------------------------

/** StringStringEntryProto: one pair of the file's metadata, or of the place where an external tensor lies. */
export interface Entry {
  key: string;
  value: string;
}

/** Fields of StringStringEntryProto, by field number. */
export const ENTRY: MessageTable<Entry> = {
  1: { name: 'key', block: text((into, value) => (into.key = value)) },
  2: { name: 'value', block: text((into, value) => (into.value = value)) },
};
/** An entry that says nothing yet. */
export const newEntry = (): Entry => ({ key: '', value: '' });

// --- tensors ---------------------------------------------------------------------------------------------------------

/**
 * A TensorProto as it is read, field by field. `inlineByteSize` adds up all fields that may hold values;
 * `entries` say in which file an external tensor lies.
 */
export interface TensorDraft {
  name: string;
  elementType: number;
  dims: number[];
  inlineByteSize: number;
  stored: OnnxStoredValues[];
  isExternal: boolean;
  entries: Record<string, string>;
}

/** A tensor that says nothing yet: no shape, and element type 0. */
export const newTensor = (): TensorDraft => ({
  name: '',
  elementType: 0,
  dims: [],
  inlineByteSize: 0,
  stored: [],
  isExternal: false,
  entries: {},
});

/** Texts are one field each: a list of a million is not noted in full. */
const MAX_NOTED_RUNS = 256;

function noteRun(into: TensorDraft, field: number, byteOffset: number, byteSize: number): void {
  if (into.stored.length < MAX_NOTED_RUNS) into.stored.push({ field, byteOffset, byteSize });
}

const countOnly = {
  block: (into: TensorDraft, cursor: WireCursor, end: number): undefined => {
    into.inlineByteSize += end - cursor.position;
    noteRun(into, TENSOR_FIELDS.raw, cursor.position, end - cursor.position);
  },
};

/** Values in a typed list of their own; only where they are is noted. */
const typedValues = (field: number, name: string) => ({
  name,
  block: (into: TensorDraft, cursor: WireCursor, end: number): undefined => {
    noteRun(into, field, cursor.position, end - cursor.position);
  },
});

/** Fields of a tensor that hold values. */
export const TENSOR_FIELDS = {
  floats: 4,
  int32s: 5,
  strings: 6,
  int64s: 7,
  raw: 9,
  doubles: 10,
  uint64s: 11,
} as const;

/** Fields of TensorProto, by field number. */
export const TENSOR: MessageTable<TensorDraft> = {
  1: {
    name: 'dims',
    block: packed(asVarint, (into, value) => into.dims.push(value)),
    scalar: (into, value) => into.dims.push(value),
  },
  2: { name: 'data_type', scalar: (into, value) => (into.elementType = value) },
  4: typedValues(TENSOR_FIELDS.floats, 'float_data'),
  5: typedValues(TENSOR_FIELDS.int32s, 'int32_data'),
  6: typedValues(TENSOR_FIELDS.strings, 'string_data'),
  7: typedValues(TENSOR_FIELDS.int64s, 'int64_data'),
  8: { name: 'name', block: text((into, value) => (into.name = value)) },
  9: { name: 'raw_data', ...countOnly },
  10: typedValues(TENSOR_FIELDS.doubles, 'double_data'),
  11: typedValues(TENSOR_FIELDS.uint64s, 'uint64_data'),
  13: {
    name: 'external_data',
    block: nested(
      newEntry,
      () => ENTRY,
      (into, entry) => (into.entries[entry.key] = entry.value),
    ),
  },
  14: { name: 'data_location', scalar: (into, value) => (into.isExternal = value === 1) },
};

function elementCount(dims: readonly number[]): number {
  return dims.reduce((count, dim) => count * dim, 1);
}

/** What was read of a tensor; where its data lie outside, their file, offset and length in bytes. */
export function finishTensor(draft: TensorDraft): OnnxTensorInfo {
  const { name, elementType, dims, entries } = draft;
  const external: OnnxExternalData | undefined = draft.isExternal
    ? {
        location: entries['location'] ?? '',
        byteOffset: Number(entries['offset'] ?? 0),
        byteSize: entries['length'] === undefined ? undefined : Number(entries['length']),
      }
    : undefined;
  const computed = elementsByteSize(elementType, elementCount(dims));
  const byteSize = external?.byteSize ?? (draft.inlineByteSize > 0 ? draft.inlineByteSize : computed);
  return { name, elementType, dims, byteSize, external, stored: draft.stored };
}

// --- value types -----------------------------------------------------------------------------------------------------

const DIMENSION: MessageTable<Draft<OnnxDim>> = {
  1: { name: 'dim_value', scalar: (into, value) => (into.size = value) },
  2: {
    name: 'dim_param',
    block: text((into, value) => (into.symbol = value === '' ? undefined : value)),
  },
};

const SHAPE: MessageTable<{ dims: OnnxDim[] }> = {
  1: {
    name: 'dim',
    block: nested(
      (): Draft<OnnxDim> => ({ size: -1, symbol: undefined }),
      () => DIMENSION,
      (into, dim) => into.dims.push(dim.size < 0 ? { ...dim, size: -1 } : dim),
    ),
  },
};

type TypeDraft = Draft<OnnxValueType>;

const TENSOR_TYPE: MessageTable<TypeDraft> = {
  1: { name: 'elem_type', scalar: (into, value) => (into.elementType = value) },
  2: {
    name: 'shape',
    block: nested(
      () => ({ dims: [] as OnnxDim[] }),
      () => SHAPE,
      (into, shape) => (into.dims = shape.dims),
    ),
  },
};

const ofKind = (kind: OnnxValueType['kind']) => ({
  name: `${kind}_type`,
  block: (into: TypeDraft): undefined => {
    into.kind = kind;
  },
});

const TYPE: MessageTable<TypeDraft> = {
  1: {
    name: 'tensor_type',
    block: nested(
      newType,
      () => TENSOR_TYPE,
      (into, type) => Object.assign(into, type, { kind: 'tensor' }),
    ),
  },
  4: ofKind('sequence'),
  5: ofKind('map'),
  7: ofKind('opaque'),
  8: ofKind('sparse_tensor'),
  9: ofKind('optional'),
};

function newType(): TypeDraft {
  return { kind: 'none', elementType: 0, dims: undefined };
}

/** Fields of ValueInfoProto, by field number. */
export const VALUE: MessageTable<Draft<OnnxValue>> = {
  1: { name: 'name', block: text((into, value) => (into.name = value)) },
  2: {
    name: 'type',
    block: nested(
      newType,
      () => TYPE,
      (into, type) => (into.type = type),
    ),
  },
};
/** An input or output that says nothing yet. */
export const newValue = (): Draft<OnnxValue> => ({ name: '', type: newType() });
