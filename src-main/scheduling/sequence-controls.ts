// The control tensors of sequence models: START, END, READY and CORRID as extra inputs of a request. The tensors of
// the boolean kinds are built once per model and shared by all requests; only CORRID is made per request.
// (docs/reference/sequences.md#controls)

import type { ModelConfig, SequenceControl } from '../../src-shared/config/model-config.ts';
import { dataTypeFromConfig, elementByteSize, type DataType } from '../../src-shared/datatypes.ts';
import {
  InferInput,
  SEQUENCE_END,
  SEQUENCE_START,
  type CorrelationId,
} from '../inference/inference-request.ts';
import { bytesOf } from '../inference/tensor-bytes.ts';

/** In the order in which a request gets them, whatever that of the configuration is. */
const BOOLEAN_KINDS = ['CONTROL_SEQUENCE_START', 'CONTROL_SEQUENCE_END', 'CONTROL_SEQUENCE_READY'] as const;

interface BooleanControl {
  readonly kind: (typeof BOOLEAN_KINDS)[number];
  readonly whenFalse: InferInput;
  readonly whenTrue: InferInput;
}

interface IdControl {
  readonly name: string;
  readonly datatype: DataType;
}

/** Datatypes are those of the configuration; a correlation id without one is UINT64. */
export class SequenceControls {
  readonly #booleans: readonly BooleanControl[];
  readonly #ids: readonly IdControl[];
  readonly #batches: boolean;
  readonly #forNull: readonly InferInput[];

  constructor(config: ModelConfig) {
    this.#batches = config.maxBatchSize > 0;
    const booleans: BooleanControl[] = [];
    const ids: IdControl[] = [];
    for (const { name, control } of config.sequenceBatching?.controlInput ?? []) {
      for (const entry of control) {
        if (entry.kind === 'CONTROL_SEQUENCE_CORRID') {
          ids.push({ name, datatype: dataTypeFromConfig(entry.dataType) ?? 'UINT64' });
        } else {
          const [whenFalse, whenTrue] = this.#encodings(name, entry);
          booleans.push({ kind: entry.kind, whenFalse, whenTrue });
        }
      }
    }
    const rank = ({ kind }: BooleanControl): number => BOOLEAN_KINDS.indexOf(kind);
    const idNames = new Set(ids.map(({ name }) => name));
    this.#booleans = lastOfEachName(booleans.sort((a, b) => rank(a) - rank(b))).filter(
      ({ whenFalse }) => !idNames.has(whenFalse.name),
    );
    this.#ids = ids;
    this.#forNull = [
      ...this.#booleans.map((control) => control.whenFalse),
      ...ids.map(({ name, datatype }) => this.#tensor(name, datatype, encodeId('', datatype))),
    ];
  }

  /** The control inputs of a real request: READY true, the rest from its flags and correlation id. */
  forRequest(flags: number, id: CorrelationId): InferInput[] {
    const inputs = this.#booleans.map(({ kind, whenFalse, whenTrue }) => {
      if (kind === 'CONTROL_SEQUENCE_START') return (flags & SEQUENCE_START) !== 0 ? whenTrue : whenFalse;
      if (kind === 'CONTROL_SEQUENCE_END') return (flags & SEQUENCE_END) !== 0 ? whenTrue : whenFalse;
      return whenTrue;
    });
    for (const { name, datatype } of this.#ids)
      inputs.push(this.#tensor(name, datatype, encodeId(id, datatype)));
    return inputs;
  }

  /** The control inputs of a filler row: everything false, id 0 or empty. */
  forNull(): InferInput[] {
    return [...this.#forNull];
  }

  #encodings(name: string, control: SequenceControl): [InferInput, InferInput] {
    const make = (datatype: DataType, encode: (index: 0 | 1) => Uint8Array): [InferInput, InferInput] => [
      this.#tensor(name, datatype, encode(0)),
      this.#tensor(name, datatype, encode(1)),
    ];
    if (control.int32FalseTrue.length > 0) {
      return make('INT32', (index) => int32Bytes(control.int32FalseTrue[index] ?? index));
    }
    if (control.fp32FalseTrue.length > 0) {
      return make('FP32', (index) => fp32Bytes(control.fp32FalseTrue[index] ?? index));
    }
    return make('BOOL', (index) => Uint8Array.of((control.boolFalseTrue[index] ?? index === 1) ? 1 : 0));
  }

  #tensor(name: string, datatype: DataType, bytes: Uint8Array): InferInput {
    const input = new InferInput(name, datatype, this.#batches ? [1, 1] : [1], bytesOf(bytes));
    input.shape = [1];
    return input;
  }
}

/** Kinds that share a tensor write it one after the other: the last one stays, and an id comes after all of them. */
function lastOfEachName(controls: readonly BooleanControl[]): BooleanControl[] {
  return [...new Map(controls.map((control) => [control.whenFalse.name, control])).values()];
}

function int32Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, value, true);
  return bytes;
}

function fp32Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return bytes;
}

/** Numeric ids as 64-bit little-endian, cut to the type's size; text ids with a 4-byte length in front. */
function encodeId(id: CorrelationId, datatype: DataType): Uint8Array {
  if (datatype === 'BYTES') {
    const text = new TextEncoder().encode(typeof id === 'string' ? id : id === 0n ? '' : id.toString());
    const bytes = new Uint8Array(4 + text.byteLength);
    new DataView(bytes.buffer).setUint32(0, text.byteLength, true);
    bytes.set(text, 4);
    return bytes;
  }
  const whole = new Uint8Array(8);
  new DataView(whole.buffer).setBigUint64(0, BigInt.asUintN(64, typeof id === 'bigint' ? id : 0n), true);
  return whole.slice(0, elementByteSize(datatype));
}
