// Tensors whose shapes, sizes and bytes do not fit each other, in every way that a tensor travels. Where they do fit,
// the answer has to be the same bytes; where they do not, an error and nothing else.

import { closeSync, openSync, rmSync, writeSync } from 'node:fs';

import type { Random } from '../../../src-main/testing/http-fuzz.ts';
import { attackClass } from '../attack-class.ts';
import type { Victim } from '../victim.ts';
import type { TensorType } from '../victim-models.ts';
import { TENSOR_TYPES } from '../victim-models.ts';

const WAYS = ['json', 'binary', 'raw', 'typed', 'shared'] as const;
const SIZES: Readonly<Record<TensorType, number>> = {
  INT32: 4,
  INT8: 1,
  UINT8: 1,
  INT64: 8,
  FP32: 4,
  FP64: 8,
  BOOL: 1,
  FP16: 2,
  BYTES: 0,
};
const DIMS = [0, 1, 1, 2, 2, 3, 4, 7, 16, 33];
const LYING_DIMS = [-1, -2, 2 ** 31, 2 ** 32, 2 ** 53, 0.5, 9_999_999, 65_536, 1_000_000_007];
const REGION_BYTES = 4096;
const KEY = `conch-attack-${process.pid}`;

interface Sizes {
  readonly way: (typeof WAYS)[number];
  readonly type: TensorType;
  readonly shape: readonly number[];
  readonly bytes: Buffer;
  /** Told besides: of the binary part, of the header, of the region. */
  readonly toldBytes: number;
  readonly toldHead: number | undefined;
  readonly offset: number;
}

function make(random: Random): Sizes {
  const type = random.pick(TENSOR_TYPES);
  const dim = (): number => (random.below(5) === 0 ? random.pick(LYING_DIMS) : random.pick(DIMS));
  const shape = Array.from({ length: random.below(12) === 0 ? random.below(5) : 2 }, dim);
  const count = shape.reduce((product, size) => product * size, 1);
  const isSmall = Number.isInteger(count) && count >= 0 && count <= 2000;
  const bytes = valueBytes(type, isSmall ? count : random.below(20), random);
  const bent = random.below(3) === 0 ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes;
  const toldBytes =
    random.below(4) === 0 ? random.pick([0, -1, 1, bent.length + 1, 2 ** 31, 2 ** 53, 2 ** 63]) : bent.length;
  return {
    way: random.pick(WAYS),
    type,
    shape,
    bytes: bent,
    toldBytes,
    toldHead: random.below(8) === 0 ? random.pick([0, 1, 5, 99_999, -1, 2 ** 40]) : undefined,
    offset:
      random.below(3) === 0 ? random.pick([-1, 1, 3, REGION_BYTES, REGION_BYTES - 1, 2 ** 40, 2 ** 63]) : 0,
  };
}

/** `count` valid elements. */
function valueBytes(type: TensorType, count: number, random: Random): Buffer {
  if (type !== 'BYTES') {
    const bytes = Buffer.from(Array.from({ length: count * SIZES[type] }, () => random.below(128)));
    return type === 'BOOL' ? Buffer.from(bytes.map((byte) => byte & 1)) : bytes;
  }
  return Buffer.concat(
    Array.from({ length: count }, () => {
      const text = 'x'.repeat(random.below(9));
      const head = Buffer.alloc(4);
      head.writeUInt32LE(random.below(60) === 0 ? random.pick([2 ** 32 - 1, 100, 2 ** 31]) : text.length);
      return Buffer.concat([head, Buffer.from(text)]);
    }),
  );
}

/** Whether the shape and the bytes say the same. */
function fits({ type, shape, bytes }: Sizes): boolean {
  if (shape.length !== 2 || shape.some((size) => !Number.isInteger(size) || size < 0)) return false;
  const count = shape.reduce((product, size) => product * size, 1);
  if (type !== 'BYTES') return bytes.length === count * SIZES[type];
  let elements = 0;
  for (let at = 0; at < bytes.length; elements += 1) {
    if (at + 4 > bytes.length) return false;
    at += 4 + bytes.readUInt32LE(at);
    if (at > bytes.length) return false;
  }
  return elements === count;
}

function wholeNumber(value: number): string {
  return Number.isInteger(value) ? String(BigInt(value)) : '7';
}

async function overJson({ type, shape, bytes }: Sizes, victim: Victim): Promise<string | undefined> {
  if (type === 'BYTES' || type === 'FP16') return undefined;
  const element = SIZES[type];
  const values = Array.from({ length: Math.floor(bytes.length / element) }, (_, at) =>
    type === 'BOOL' ? bytes[at * element] === 1 : (bytes[at * element] ?? 0),
  );
  const input = { name: 'INPUT0', datatype: type, shape, data: values };
  const { status, text } = await victim.http.post(
    `/v2/models/t_${type}/infer`,
    JSON.stringify({ inputs: [input] }),
  );
  const count = shape.reduce((product, size) => product * size, 1);
  const isRight =
    shape.length === 2 &&
    shape.every((size) => Number.isInteger(size) && size >= 0) &&
    count === values.length;
  if (!isRight)
    return status === 200 ? `${status} for a tensor that does not fit: ${text.slice(0, 200)}` : undefined;
  const answered =
    status === 200 ? (JSON.parse(text) as { outputs: [{ data: unknown[] }] }).outputs[0].data : text;
  return JSON.stringify(answered) === JSON.stringify(values) ? undefined : `${status} ${text.slice(0, 200)}`;
}

async function overBinary(sizes: Sizes, victim: Victim): Promise<string | undefined> {
  const { type, shape, bytes, toldBytes, toldHead } = sizes;
  const told = Math.abs(toldBytes) > 2 ** 53 ? '9223372036854775808' : String(toldBytes);
  const head = `{"inputs":[{"name":"INPUT0","datatype":"${type}","shape":${JSON.stringify(shape)},"parameters":{"binary_data_size":${told}}}],"outputs":[{"name":"OUTPUT0","parameters":{"binary_data":true}}]}`;
  const reply = await victim.http.post(
    `/v2/models/t_${type}/infer`,
    Buffer.concat([Buffer.from(head), bytes]),
    {
      'Inference-Header-Content-Length': toldHead ?? head.length,
    },
  );
  const isTrue = fits(sizes) && toldBytes === bytes.length && toldHead === undefined;
  if (!isTrue)
    return reply.status === 200 && toldHead !== 0 ? `200 for a tensor that does not fit` : undefined;
  const length = Number(reply.headers['inference-header-content-length'] ?? reply.body.length);
  const isSame = reply.status === 200 && reply.body.subarray(length).equals(bytes);
  return isSame ? undefined : `${reply.status} ${reply.text.slice(0, 300)}`;
}

function int64Texts(shape: readonly number[]): string[] {
  return shape.map(wholeNumber);
}

async function overGrpc(sizes: Sizes, victim: Victim): Promise<string | undefined> {
  const { type, shape, bytes, way } = sizes;
  const contents = way === 'typed' ? { contents: { int_contents: [...bytes] } } : {};
  const { code, details, response } = await victim.grpc.call('ModelInfer', {
    model_name: `t_${type}`,
    inputs: [{ name: 'INPUT0', datatype: type, shape: int64Texts(shape), ...contents }],
    ...(way === 'raw' ? { raw_input_contents: [bytes] } : {}),
  });
  if (way === 'typed') return undefined;
  const isTrue = fits({ ...sizes, shape: int64Texts(shape).map(Number) });
  if (!isTrue) return code === 0 ? 'OK for a tensor that does not fit' : undefined;
  const raw = (response?.['raw_output_contents'] as readonly Buffer[] | undefined)?.[0] ?? Buffer.alloc(0);
  return code === 0 && raw.equals(bytes) ? undefined : `${code} ${details.slice(0, 300)}`;
}

async function overSharedMemory(sizes: Sizes, victim: Victim): Promise<string | undefined> {
  const { type, shape, toldBytes, offset } = sizes;
  const number = (value: number): string =>
    Math.abs(value) > 2 ** 53 ? '9223372036854775808' : String(value);
  const parameters = `{"shared_memory_region":"attack","shared_memory_byte_size":${number(toldBytes)},"shared_memory_offset":${number(offset)}}`;
  const body = `{"inputs":[{"name":"INPUT0","datatype":"${type}","shape":${JSON.stringify(shape)},"parameters":${parameters}}]}`;
  const { status, text } = await victim.http.post(`/v2/models/t_${type}/infer`, body);
  const count = shape.reduce((product, size) => product * size, 1);
  const isInside = offset >= 0 && toldBytes >= 0 && offset + toldBytes <= REGION_BYTES;
  const hasSize = type === 'BYTES' || toldBytes === count * SIZES[type];
  if (status === 200 && !(isInside && hasSize && shape.length === 2))
    return `200 for a region that does not fit: ${text.slice(0, 200)}`;
  return [200, 400, 500].includes(status) ? undefined : `${status} ${text.slice(0, 300)}`;
}

export const tensorSizes = attackClass<Sizes>({
  name: 'tensor-sizes',
  sends: 'tensors whose sizes lie: JSON, binary, gRPC raw and typed, shared memory',
  inputs: 60_000,
  width: 16,
  prepare: async ({ http }) => {
    const file = openSync(`/dev/shm/${KEY}`, 'w');
    writeSync(file, Buffer.alloc(REGION_BYTES, 1));
    closeSync(file);
    const region = '/v2/systemsharedmemory/region/attack';
    const body = JSON.stringify({ key: KEY, offset: 0, byte_size: REGION_BYTES });
    const { status, text } = await http.post(`${region}/register`, body);
    if (status !== 200) throw new Error(text);
    return async () => {
      await http.post(`${region}/unregister`, '');
      rmSync(`/dev/shm/${KEY}`);
    };
  },
  make,
  send: (sizes, victim) => {
    if (sizes.way === 'json') return overJson(sizes, victim);
    if (sizes.way === 'binary') return overBinary(sizes, victim);
    return sizes.way === 'shared' ? overSharedMemory(sizes, victim) : overGrpc(sizes, victim);
  },
});
