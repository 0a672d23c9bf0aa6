// A seeded fuzzer of the gRPC port: encoded messages of every rpc, bent in random places, sent as raw bytes. Whatever
// is sent, the call must end with a status of the protocol and the server must go on.

import type { Client } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';

import { encodeGrpcRequest } from '../client/grpc-client.ts';
import type { MethodDescription } from '../grpc-wire/messages.ts';
import { messageCodec, serviceMethods } from '../grpc-wire/messages.ts';
import { Random } from './http-fuzz.ts';

const CALL_LIMIT_MS = 20_000;

/** Statuses that the service may answer; the rest would be faults of ours. */
export const FUZZ_STATUSES: ReadonlySet<number> = new Set([
  status.OK,
  status.CANCELLED,
  status.UNKNOWN,
  status.INVALID_ARGUMENT,
  status.NOT_FOUND,
  status.ALREADY_EXISTS,
  status.UNIMPLEMENTED,
  status.INTERNAL,
  status.UNAVAILABLE,
  status.RESOURCE_EXHAUSTED,
]);

/** What a run of the fuzzer came to. */
export interface GrpcFuzzReport {
  readonly calls: number;
  readonly byCode: Readonly<Record<string, number>>;
  /** Calls that ended in another way, with the bytes that did it. */
  readonly faults: readonly string[];
}

/** Encoded requests to start from, by rpc. */
export function fuzzSeeds(): readonly (readonly [rpc: string, bytes: Buffer])[] {
  const input = {
    name: 'INPUT',
    datatype: 'INT32',
    shape: [1, 2],
    bytes: new Uint8Array(8),
    parameters: new Map(),
  };
  const base = {
    model: 'echo',
    version: '1',
    id: 'x',
    inputs: [input],
    outputs: [{ name: 'INPUT', classCount: 2 }],
  };
  const request = encodeGrpcRequest({ ...base, parameters: new Map([['sequence_id', 5n]]) });
  const typed = messageCodec('inference.ModelInferRequest').encode({
    model_name: 'echo',
    inputs: [{ name: 'INPUT', datatype: 'INT32', shape: ['1', '2'], contents: { int_contents: [1, -2] } }],
  });
  const texts = messageCodec('inference.ModelInferRequest').encode({
    model_name: 'echo',
    inputs: [
      {
        name: 'INPUT',
        datatype: 'BYTES',
        shape: ['2'],
        contents: { bytes_contents: [Buffer.from('ab'), Buffer.alloc(3)] },
      },
    ],
  });
  const load = messageCodec('inference.RepositoryModelLoadRequest').encode({
    model_name: 'echo',
    parameters: { config: { string_param: '{}' }, 'file:1/model.onnx': { bytes_param: Buffer.alloc(9) } },
  });
  const trace = messageCodec('inference.TraceSettingRequest').encode({
    settings: { trace_rate: { value: ['5'] } },
  });
  return [
    ['ModelInfer', request],
    ['ModelInfer', typed],
    ['ModelInfer', texts],
    ['RepositoryModelLoad', load],
    ['TraceSetting', trace],
    ['ModelStatistics', messageCodec('inference.ModelStatisticsRequest').encode({ name: 'echo' })],
    [
      'SystemSharedMemoryRegister',
      messageCodec('inference.SystemSharedMemoryRegisterRequest').encode({
        name: 'r',
        key: '/r',
        byte_size: 8,
      }),
    ],
  ];
}

/** One to eight changes: flipped bits, cut ends, repeated runs, random bytes, huge lengths. */
export function bendMessage(bytes: Buffer, random: Random): Buffer {
  let bent = Buffer.from(bytes);
  for (let change = random.below(8); change >= 0; change -= 1) {
    const at = random.below(Math.max(1, bent.length));
    switch (random.below(6)) {
      case 0:
        if (bent.length > 0) bent[at] = (bent[at] ?? 0) ^ (1 << random.below(8));
        break;
      case 1:
        bent = bent.subarray(0, at);
        break;
      case 2:
        bent = Buffer.concat([bent, bent.subarray(at, at + random.below(64))]);
        break;
      case 3:
        if (bent.length > 0) bent[at] = random.below(256);
        break;
      case 4:
        bent = Buffer.concat([
          bent.subarray(0, at),
          Buffer.from([0xff, 0xff, 0xff, 0xff, 0x7f]),
          bent.subarray(at),
        ]);
        break;
      default:
        bent = Buffer.concat([
          bent.subarray(0, at),
          Buffer.from([random.below(256), random.below(256)]),
          bent.subarray(at),
        ]);
    }
  }
  return bent;
}

/** Resolves with the status code. */
export function rawCall(client: Client, method: MethodDescription, bytes: Buffer): Promise<number> {
  const asIs = (raw: Buffer): Buffer => raw;
  return new Promise((resolve) => {
    const deadline = new Date(Date.now() + CALL_LIMIT_MS);
    client.makeUnaryRequest(method.path, asIs, asIs, bytes, { deadline }, (error) =>
      resolve(error?.code ?? status.OK),
    );
  });
}

/** Sends `count` bent messages, some at a time. */
export async function fuzzGrpc(client: Client, count: number, seed: number): Promise<GrpcFuzzReport> {
  const random = new Random(seed);
  const methods = serviceMethods('inference.GRPCInferenceService');
  const samples = fuzzSeeds();
  const byCode: Record<string, number> = {};
  const faults: string[] = [];
  const lane = async (calls: number): Promise<void> => {
    for (let sent = 0; sent < calls; sent += 1) {
      const [rpc, bytes] = random.pick(samples);
      const method = methods.get(rpc);
      if (method === undefined) throw new Error(`no rpc ${rpc}`);
      const bent = bendMessage(bytes, random);
      const code = await rawCall(client, method, bent);
      const name = status[code] ?? String(code);
      byCode[name] = (byCode[name] ?? 0) + 1;
      if (!FUZZ_STATUSES.has(code)) faults.push(`${rpc} ${name} ${bent.toString('hex')}`);
    }
  };
  const lanes = 8;
  await Promise.all(Array.from({ length: lanes }, () => lane(Math.ceil(count / lanes))));
  return { calls: Math.ceil(count / lanes) * lanes, byCode, faults };
}
