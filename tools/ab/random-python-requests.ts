// Random requests to random Python models: over HTTP, over gRPC and streamed.

import type { PlainMessage } from '../../src-main/grpc-wire/messages.ts';
import type { RandomChoice } from './random-choice.ts';
import type { ModelRequest } from './random-models.ts';

/** Drawn from as a list: what stands in it twice is drawn twice as often. */
export const TYPES = [
  'FP32',
  'FP32',
  'INT32',
  'INT32',
  'BYTES',
  'BYTES',
  'BOOL',
  'UINT8',
  'INT8',
  'INT16',
  'UINT16',
  'UINT32',
  'INT64',
  'UINT64',
  'FP16',
  'FP64',
  'BF16',
] as const;

/** What a model takes and gives. */
export interface PythonFace {
  readonly inputType: string;
  readonly outputType: string;
  /** 0: none. */
  readonly batchSize: number;
  readonly isDecoupled: boolean;
  readonly hasSecondInput: boolean;
  readonly isSequence: boolean;
  /** As a configuration writes them. */
  readonly dims: string;
}

interface Input {
  name: string;
  datatype: string;
  shape: number[];
  bytes: Buffer;
}

interface Draft {
  readonly id: string;
  readonly inputs: Input[];
  readonly outputs: readonly string[];
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
}

const SIZES: Readonly<Record<string, number>> = {
  BOOL: 1,
  UINT8: 1,
  INT8: 1,
  INT16: 2,
  UINT16: 2,
  FP16: 2,
  BF16: 2,
  INT32: 4,
  UINT32: 4,
  FP32: 4,
  INT64: 8,
  UINT64: 8,
  FP64: 8,
};

/** A request for the thing that a model does by this number; one in eight is spoilt. */
export function pythonRequest(choice: RandomChoice, face: PythonFace, act: number): ModelRequest {
  const draft = drafted(choice, face, act);
  if (choice.chance(0.12)) spoil(choice, draft);
  const how = choice.next();
  if (face.isDecoupled ? how < 0.8 : how < 0.15) {
    const wantsFinal = choice.chance(0.4) ? { triton_enable_empty_final_response: { bool_param: true } } : {};
    const message = overGrpc(draft);
    const more = choice.chance(0.2) && !face.isDecoupled ? [overGrpc({ ...draft, id: 'again' })] : [];
    const parameters = { ...(message['parameters'] as PlainMessage), ...wantsFinal };
    return { protocol: 'stream', messages: [{ ...message, parameters }, ...more] };
  }
  if (how < 0.55) return { protocol: 'grpc', message: overGrpc(draft) };
  return overHttp(choice, draft);
}

function drafted(choice: RandomChoice, face: PythonFace, act: number): Draft {
  const leading = face.batchSize > 0 ? [choice.one([1, 1, 1, 2, 3])] : [];
  const dims = face.dims === '' ? [] : face.dims.split(', ').map(Number);
  const shape = [...leading, ...dims.map((dim) => (dim === -1 ? choice.one([0, 1, 2, 4, 4]) : dim))];
  const inputs = [tensor(choice, 'INPUT0', face.inputType, shape)];
  if (face.hasSecondInput && choice.chance(0.5)) inputs.push(tensor(choice, 'INPUT1', 'INT32', shape));
  return {
    id: choice.chance(0.4) ? choice.one(['a', '42', 'ü"\\']) : '',
    inputs,
    outputs: choice.chance(0.3) ? [choice.one(['OUTPUT0', 'OUTPUT0', 'OUTPUT1'])] : [],
    parameters: {
      act,
      ...(choice.chance(0.15) ? { text: choice.one(['x', '', 'ü"']) } : {}),
      ...(choice.chance(0.15) ? { flag: choice.chance(0.5) } : {}),
      ...(choice.chance(0.15) ? { number: choice.one([0, -1, 2 ** 40]) } : {}),
      ...(choice.chance(0.15) ? { timeout: 60_000_000 } : {}),
      ...(choice.chance(0.1) ? { priority: choice.one([0, 1, 2]) } : {}),
      ...(face.isSequence && choice.chance(0.95) ? sequence(choice, face) : {}),
      ...(!face.isSequence && choice.chance(0.1) ? sequence(choice, face) : {}),
    },
  };
}

/** Without batches there is one place: which of two sequences is idle first would be a matter of milliseconds. */
function sequence(choice: RandomChoice, { batchSize }: PythonFace): Record<string, number | boolean> {
  const id = choice.one([1, 2, 70_000]);
  return {
    sequence_id: batchSize > 0 ? id : 1,
    ...(choice.chance(0.7) ? { sequence_start: true } : {}),
    ...(choice.chance(0.3) ? { sequence_end: true } : {}),
  };
}

function tensor(choice: RandomChoice, name: string, datatype: string, shape: number[]): Input {
  const count = shape.reduce((product, dim) => product * dim, 1);
  return { name, datatype, shape, bytes: content(choice, datatype, count) };
}

function content(choice: RandomChoice, datatype: string, count: number): Buffer {
  if (datatype === 'BYTES') {
    const texts = Array.from({ length: count }, () => Buffer.from(choice.one(['', 'a', 'schön', 'x\0y'])));
    return Buffer.concat(
      texts.flatMap((text) => {
        const head = Buffer.alloc(4);
        head.writeUInt32LE(text.byteLength);
        return [head, text];
      }),
    );
  }
  const size = SIZES[datatype] ?? 4;
  const bytes = Buffer.alloc(count * size);
  for (let at = 0; at < count; at += 1) {
    const value = choice.below(datatype === 'BOOL' ? 2 : 100);
    if (datatype === 'FP32') bytes.writeFloatLE(value + 0.5, at * size);
    else if (datatype === 'FP64') bytes.writeDoubleLE(value + 0.25, at * size);
    else bytes.writeUInt8(value, at * size);
  }
  return bytes;
}

/** One thing wrong. */
function spoil(choice: RandomChoice, { inputs }: Draft): void {
  const input = inputs[0];
  if (input === undefined) return;
  const kinds: (() => void)[] = [
    () => (input.name = 'OTHER'),
    () => (input.datatype = choice.one(TYPES)),
    () => input.shape.push(1),
    () => input.shape.unshift(9),
    () => (input.bytes = Buffer.concat([input.bytes, Buffer.alloc(1)])),
    () => (input.bytes = input.bytes.subarray(1)),
    () => inputs.shift(),
    () => inputs.push({ ...input, name: 'EXTRA' }),
    () => inputs.push(input),
  ];
  choice.one(kinds)();
}

function overGrpc(draft: Draft): PlainMessage {
  const typed = Object.entries(draft.parameters).map(([key, value]) => {
    if (typeof value === 'boolean') return [key, { bool_param: value }];
    if (typeof value === 'string') return [key, { string_param: value }];
    return [key, key === 'priority' ? { uint64_param: String(value) } : { int64_param: String(value) }];
  });
  return {
    id: draft.id,
    parameters: Object.fromEntries(typed) as PlainMessage,
    inputs: draft.inputs.map(({ name, datatype, shape }) => ({
      name,
      datatype,
      shape: shape.map(BigInt),
    })),
    outputs: draft.outputs.map((name) => ({ name })),
    raw_input_contents: draft.inputs.map(({ bytes }) => bytes),
  };
}

function overHttp(choice: RandomChoice, draft: Draft): ModelRequest {
  const wantsBytes = choice.chance(0.4);
  const json = {
    ...(draft.id === '' ? {} : { id: draft.id }),
    parameters: { ...draft.parameters, ...(wantsBytes ? { binary_data_output: true } : {}) },
    inputs: draft.inputs.map(({ name, datatype, shape, bytes }) => ({
      name,
      datatype,
      shape,
      parameters: { binary_data_size: bytes.byteLength },
    })),
    ...(draft.outputs.length === 0 ? {} : { outputs: draft.outputs.map((name) => ({ name })) }),
  };
  const head = Buffer.from(JSON.stringify(json));
  return {
    protocol: 'http',
    headLength: head.byteLength,
    body: Buffer.concat([head, ...draft.inputs.map(({ bytes }) => bytes)]),
  };
}
