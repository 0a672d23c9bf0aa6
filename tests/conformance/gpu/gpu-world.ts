// A server process whose models run through the GPU provider that CONCH_GPU_PROVIDER names, and the same models on the
// CPU beside them, so that answers can be compared. `npm test -- --long` runs this with WebGPU on SwiftShader,
// `npm run gpu:proof` with the providers of the card that is there.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { DataType } from '../../../src-shared/datatypes.ts';
import { systemClock } from '../../../src-main/base/clock.ts';
import { GrpcInferClient } from '../../../src-main/client/grpc-client.ts';
import { HttpInferClient } from '../../../src-main/client/http-client.ts';
import type { ClientExchange, ClientTensor, InferClient } from '../../../src-main/client/infer-client.ts';
import { floatTensor } from '../../../src-main/onnx/onnx-writer.ts';
import { graphModel, value } from '../../../src-main/testing/onnx-test-models.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { conchProgram, ServerProcess } from '../../processes/served-process.ts';

/** "" = these tests are not asked for. */
export const provider = process.env['CONCH_GPU_PROVIDER'] ?? '';

/** Types of the arithmetic models, with the largest difference from the CPU's answer that counts as the same. */
export const TOLERANCES: readonly (readonly [DataType, number])[] = [
  ['FP32', 1e-4],
  ['FP16', 1e-2],
  ['FP64', 1e-4],
  ['INT32', 0],
  ['INT64', 0],
  ['INT8', 0],
  ['UINT8', 0],
];

const WIDTH = 8;
const GPU = 'instance_group [ { kind: KIND_GPU } ]';
const CPU = 'instance_group [ { kind: KIND_CPU count: 1 } ]';

/** OUTPUT = INPUT + INPUT, in each type. */
function sum(datatype: DataType): Uint8Array {
  return graphModel(
    [{ opType: 'Add', inputs: ['INPUT', 'INPUT'], outputs: ['OUTPUT'] }],
    [value('INPUT', datatype, ['n', WIDTH])],
    [value('OUTPUT', datatype, ['n', WIDTH])],
  );
}

/** Three layers with weights that never change. */
function layers(): Uint8Array {
  const weights = (name: string, seed: number) =>
    floatTensor(name, [WIDTH, WIDTH], Array.from({ length: WIDTH * WIDTH }, (_, at) => ((at * seed) % 17) / 17 - 0.5)); // prettier-ignore
  return graphModel(
    [
      { opType: 'MatMul', inputs: ['INPUT', 'w0'], outputs: ['a'] },
      { opType: 'Tanh', inputs: ['a'], outputs: ['b'] },
      { opType: 'MatMul', inputs: ['b', 'w1'], outputs: ['c'] },
      { opType: 'Softmax', inputs: ['c'], outputs: ['OUTPUT'], attributes: { axis: -1n } },
    ],
    [value('INPUT', 'FP32', ['n', WIDTH])],
    [value('OUTPUT', 'FP32', ['n', WIDTH])],
    { initializers: [weights('w0', 7), weights('w1', 5)] },
  );
}

/** Det is an operator that no GPU provider has; it stands between two that they have. */
function partly(): Uint8Array {
  return graphModel(
    [
      { opType: 'Mul', inputs: ['INPUT', 'INPUT'], outputs: ['a'] },
      { opType: 'Det', inputs: ['a'], outputs: ['b'] },
      { opType: 'Sqrt', inputs: ['b'], outputs: ['OUTPUT'] },
    ],
    [value('INPUT', 'FP32', [2, 2])],
    [value('OUTPUT', 'FP32', [])],
  );
}

function strings(): Uint8Array {
  return graphModel(
    [{ opType: 'Identity', inputs: ['INPUT'], outputs: ['OUTPUT'] }],
    [value('INPUT', 'BYTES', ['n', 2])],
    [value('OUTPUT', 'BYTES', ['n', 2])],
  );
}

const batched = `max_batch_size: 8\ndynamic_batching { max_queue_delay_microseconds: 200000 }`;
const warmUp = `model_warmup [ { name: "zero" batch_size: 1 inputs { key: "INPUT" value { data_type: TYPE_FP32 dims: [ ${WIDTH} ] zero_data: true } } } ]`;

function ensemble(): string {
  const step = (name: string, from: string, to: string): string =>
    `{ model_name: "${name}" model_version: -1 input_map { key: "INPUT" value: "${from}" } output_map { key: "OUTPUT" value: "${to}" } }`;
  return `platform: "ensemble"
    max_batch_size: 8
    input [ { name: "X" data_type: TYPE_FP32 dims: [ ${WIDTH} ] } ]
    output [ { name: "Y" data_type: TYPE_FP32 dims: [ ${WIDTH} ] } ]
    ensemble_scheduling { step [ ${step('layers', 'X', 'm')}, ${step('sum_FP32_cpu', 'm', 'Y')} ] }`;
}

function files(): Record<string, string | Uint8Array> {
  const both = (
    name: string,
    model: Uint8Array,
    more = 'max_batch_size: 8',
  ): Record<string, string | Uint8Array> => ({
    [`${name}/1/model.onnx`]: model,
    [`${name}/config.pbtxt`]: `backend: "onnxruntime"\n${more}\n${GPU}\n`,
    [`${name}_cpu/1/model.onnx`]: model,
    [`${name}_cpu/config.pbtxt`]: `backend: "onnxruntime"\n${more}\n${CPU}\n`,
  });
  return {
    ...Object.assign({}, ...TOLERANCES.map(([datatype]) => both(`sum_${datatype}`, sum(datatype)))), // prettier-ignore
    ...both('layers', layers()),
    ...both('strings', strings()),
    ...both('partly', partly(), ''),
    'batched/1/model.onnx': layers(),
    'batched/config.pbtxt': `backend: "onnxruntime"\n${batched}\n${GPU}\n`,
    'twins/1/model.onnx': layers(),
    'twins/config.pbtxt': `backend: "onnxruntime"\nmax_batch_size: 8\n${warmUp}\ninstance_group [ { kind: KIND_GPU count: 2 } ]\n`,
    'both_sides/config.pbtxt': ensemble(),
    'both_sides/1/': '',
  };
}

/** All but those of FP16 arithmetic, which not every adapter has. */
const LOADED = Object.keys(files())
  .filter((name) => name.endsWith('config.pbtxt'))
  .map((name) => name.split('/')[0] ?? '')
  .filter((name) => name !== 'sum_FP16');

export class GpuWorld implements AsyncDisposable {
  readonly server: ServerProcess;
  readonly repository: TempRepository;
  readonly http: string;
  readonly clients: Readonly<Record<'HTTP' | 'gRPC', InferClient>>;
  readonly metrics: string;

  private constructor(
    server: ServerProcess,
    repository: TempRepository,
    at: { readonly http: string; readonly grpc: string; readonly metrics: string },
  ) {
    this.server = server;
    this.repository = repository;
    this.http = at.http;
    this.metrics = at.metrics;
    this.clients = {
      HTTP: new HttpInferClient(at.http, { clock: systemClock, encoding: 'binary' }),
      gRPC: new GrpcInferClient(at.grpc, { clock: systemClock }),
    };
  }

  static async start(...more: readonly string[]): Promise<GpuWorld> {
    const repository = await TempRepository.create(files());
    const server = ServerProcess.serve(
      `--model-repository=${repository.path}`,
      '--model-control-mode=explicit',
      ...LOADED.map((name) => `--load-model=${name}`),
      `--backend-config=onnxruntime,gpu-providers=${provider}`,
      // Each model would be run a few dozen times beside the tests.
      '--backend-config=onnxruntime,gpu-comparison=0',
      '--gpu-policy=strict',
      ...more,
    );
    const grpc = await server.printed(/Started GRPCInferenceService at ([^"\s]+)/);
    const metrics = await server.printed(/Started Metrics Service at ([^"\s]+)/);
    return new GpuWorld(server, repository, { http: await server.http(), grpc, metrics });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Object.values(this.clients).map((client) => client.close()));
    await this.server[Symbol.asyncDispose]();
    await this.repository.close();
  }

  /** `conch perf` over this server's HTTP port. */
  async perf(
    model: string,
    more: readonly string[],
  ): Promise<{ readonly code: number; readonly stdout: string }> {
    const args = [conchProgram, 'perf', '-m', model, '-u', this.http, ...more];
    try {
      const { stdout } = await promisify(execFile)(process.execPath, args);
      return { code: 0, stdout };
    } catch (thrown) {
      const { code, stdout, stderr } = thrown as { code: number; stdout: string; stderr: string };
      return { code, stdout: stdout + stderr };
    }
  }

  async get<T>(path: string): Promise<T> {
    const answer = await fetch(`http://${this.http}/v2/${path}`);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async post(path: string, body: object = {}): Promise<void> {
    const answer = await fetch(`http://${this.http}/v2/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  }

  /** Resident bytes of the server process. */
  async residentBytes(): Promise<number> {
    const text = await (await fetch(`http://${this.metrics}/metrics`)).text();
    return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
  }

  async infer(by: 'HTTP' | 'gRPC', model: string, ...inputs: readonly ClientTensor[]): Promise<ClientTensor> {
    const exchange: ClientExchange = await this.clients[by].infer({
      model,
      version: '',
      id: '',
      inputs,
      outputs: [],
      parameters: new Map(),
    });
    const output = exchange.responses[0]?.outputs[0];
    if (output === undefined) throw new Error(`${model}: ${exchange.error}`);
    return output;
  }
}

/** FP32 values as an input. */
export function floats(name: string, shape: readonly number[], values: readonly number[]): ClientTensor {
  return { name, datatype: 'FP32', shape, bytes: new Uint8Array(Float32Array.from(values).buffer) };
}
