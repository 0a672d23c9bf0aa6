// Tensor datatypes: wire names ("FP32"), config names ("TYPE_FP32"), element sizes.
// BYTES is TYPE_STRING in a config. "INVALID" stands for TYPE_INVALID and never reaches the wire.

/** Wire names, in the order of the config enum (TYPE_BOOL = 1 ... TYPE_BF16 = 14). */
export const DATA_TYPES = [
  'BOOL',
  'UINT8',
  'UINT16',
  'UINT32',
  'UINT64',
  'INT8',
  'INT16',
  'INT32',
  'INT64',
  'FP16',
  'FP32',
  'FP64',
  'BYTES',
  'BF16',
] as const;

/** A datatype as it stands on the wire: "FP32". */
export type DataType = (typeof DATA_TYPES)[number];

/** Names of the config enum DataType; the index is the enum number. */
export const CONFIG_DATA_TYPES = [
  'TYPE_INVALID',
  'TYPE_BOOL',
  'TYPE_UINT8',
  'TYPE_UINT16',
  'TYPE_UINT32',
  'TYPE_UINT64',
  'TYPE_INT8',
  'TYPE_INT16',
  'TYPE_INT32',
  'TYPE_INT64',
  'TYPE_FP16',
  'TYPE_FP32',
  'TYPE_FP64',
  'TYPE_STRING',
  'TYPE_BF16',
] as const;

/** A datatype as it stands in configurations: "TYPE_FP32". */
export type ConfigDataType = (typeof CONFIG_DATA_TYPES)[number];

const BYTE_SIZES: Readonly<Record<DataType, number>> = {
  BOOL: 1,
  UINT8: 1,
  UINT16: 2,
  UINT32: 4,
  UINT64: 8,
  INT8: 1,
  INT16: 2,
  INT32: 4,
  INT64: 8,
  FP16: 2,
  FP32: 4,
  FP64: 8,
  BYTES: 0,
  BF16: 2,
};

/** Bytes of one element; 0 for BYTES, whose elements vary. */
export function elementByteSize(datatype: DataType): number {
  return BYTE_SIZES[datatype];
}

/** Bytes of the length in front of each element of a BYTES tensor. */
export const TEXT_LENGTH_BYTES = 4;

/** Bytes that one element has at least: those of BYTES are empty then, their length alone. */
export function smallestElementByteSize(datatype: DataType): number {
  return datatype === 'BYTES' ? TEXT_LENGTH_BYTES : BYTE_SIZES[datatype];
}

const DATA_TYPE_SET: ReadonlySet<string> = new Set(DATA_TYPES);

/** Whether a text is a wire name such as "FP32"; capitals matter. */
export function isDataType(text: string): text is DataType {
  return DATA_TYPE_SET.has(text);
}

/** "TYPE_STRING" -> "BYTES", "TYPE_FP32" -> "FP32"; undefined for TYPE_INVALID. */
export function dataTypeFromConfig(name: ConfigDataType): DataType | undefined {
  const index = CONFIG_DATA_TYPES.indexOf(name);
  return index > 0 ? DATA_TYPES[index - 1] : undefined;
}

/** "BYTES" -> "TYPE_STRING". */
export function dataTypeToConfig(datatype: DataType): ConfigDataType {
  return CONFIG_DATA_TYPES[DATA_TYPES.indexOf(datatype) + 1] ?? 'TYPE_INVALID';
}
