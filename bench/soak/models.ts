// The models of the soak: one for each thing that the traffic does, and requests to each with the values that have to
// come back.

import type { ClientExchange, ClientRequest, ClientResponse } from '../../src-main/client/infer-client.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';

const tensor = (kind: 'input' | 'output', name: string, type: string, dims: string): string =>
  `${kind} { name: "${name}" data_type: TYPE_${type} dims: [ ${dims} ] }`;

/** The configuration that is edited while it serves: `delayUs` changes nothing that an answer shows. */
export const queuedConfig = (
  delayUs: number,
  instances: number,
): string => `backend: "identity" max_batch_size: 8
${tensor('input', 'INPUT0', 'INT32', '4')} ${tensor('output', 'OUTPUT0', 'INT32', '4')}
dynamic_batching { max_queue_delay_microseconds: ${delayUs} priority_levels: 2 default_priority_level: 2
  default_queue_policy { max_queue_size: 64 default_timeout_microseconds: 2000000 allow_timeout_override: true } }
parameters { key: "execute_delay_ms" value { string_value: "1" } } instance_group { count: ${instances} kind: KIND_CPU }`;

const REPEAT = `backend: "repeat" max_batch_size: 0 model_transaction_policy { decoupled: true }
${tensor('input', 'IN', 'INT32', '-1')} ${tensor('input', 'DELAY', 'UINT32', '-1')} ${tensor('input', 'WAIT', 'UINT32', '1')}
${tensor('output', 'OUT', 'INT32', '1')} ${tensor('output', 'IDX', 'UINT32', '1')}`;

const CHAIN = `platform: "ensemble" max_batch_size: 8
${tensor('input', 'IN', 'INT32', '4')} ${tensor('output', 'OUT', 'INT32', '4')}
ensemble_scheduling {
  step { model_name: "queued" model_version: -1 input_map { key: "INPUT0" value: "IN" } output_map { key: "OUTPUT0" value: "MIDDLE" } }
  step { model_name: "queued" model_version: -1 input_map { key: "INPUT0" value: "MIDDLE" } output_map { key: "OUTPUT0" value: "OUT" } }
}`;

const DOUBLE = `import numpy as np
import triton_python_backend_utils as pb_utils

class TritonPythonModel:
    def execute(self, requests):
        return [
            pb_utils.InferenceResponse(
                [pb_utils.Tensor("OUTPUT0", pb_utils.get_input_tensor_by_name(request, "INPUT0").as_numpy() * 2)]
            )
            for request in requests
        ]
`;
const DOUBLE_CONFIG = `backend: "python" max_batch_size: 8 dynamic_batching { }
${tensor('input', 'INPUT0', 'INT32', '4')} ${tensor('output', 'OUTPUT0', 'INT32', '4')} instance_group { count: 1 kind: KIND_CPU }`;

/** Beside the sample repository. */
export function soakModels(hasPython: boolean): RepositoryFiles {
  return {
    'queued/config.pbtxt': queuedConfig(500, 2),
    'queued/1/': '',
    'repeat/config.pbtxt': REPEAT,
    'repeat/1/': '',
    'chain/config.pbtxt': CHAIN,
    'chain/1/': '',
    ...(hasPython ? { 'double/config.pbtxt': DOUBLE_CONFIG, 'double/1/model.py': DOUBLE } : {}),
  };
}

const bytesOf = (values: ArrayBufferView): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
const int32 = (values: readonly number[]): Uint8Array => bytesOf(Int32Array.from(values));

/** A request and what has to come back. */
export interface Asked {
  readonly request: ClientRequest;
  /** What is wrong about a successful answer; undefined = its values are right. */
  check(exchange: ClientExchange): string | undefined;
}

function request(
  model: string,
  inputs: ClientRequest['inputs'],
  parameters: ClientRequest['parameters'] = new Map(),
): ClientRequest {
  return { model, version: '', id: '', inputs, outputs: [], parameters };
}

/** Values of an output as plain numbers. */
function numbers(response: ClientResponse | undefined, output: string): number[] {
  const found = response?.outputs.find(({ name }) => name === output);
  if (found === undefined) return [];
  const { buffer } = Uint8Array.from(found.bytes);
  return [...(found.datatype === 'FP32' ? new Float32Array(buffer) : new Int32Array(buffer))];
}

function expectOutput(output: string, wanted: readonly number[]): Asked['check'] {
  return ({ responses }) => {
    const got = numbers(responses[0], output);
    const isSame = got.length === wanted.length && got.every((value, at) => value === wanted[at]);
    return isSame ? undefined : `${output} is ${got.join(',')} instead of ${wanted.join(',')}`;
  };
}

const FACTORS: Readonly<Record<string, number>> = { queued: 1, chain: 1, double: 2 };

/** `queued`, `chain` or `double`: `rows` of four numbers that start with `first`. */
export function rowsRequest(model: string, first: number, rows: number, priority: number): Asked {
  const values = Array.from({ length: rows * 4 }, (_, at) => first + at);
  const [input, output] = model === 'chain' ? ['IN', 'OUT'] : ['INPUT0', 'OUTPUT0'];
  const parameters = new Map(model === 'queued' ? [['priority', BigInt(priority)]] : []);
  const inputs = [{ name: input, datatype: 'INT32', shape: [rows, 4], bytes: int32(values) }];
  const wanted = values.map((value) => value * (FACTORS[model] ?? 1));
  return { request: request(model, inputs, parameters), check: expectOutput(output, wanted) };
}

/** Sixteen times `a` and `b`; their sum and difference have to come back. */
export function simpleRequest(a: number, b: number): Asked {
  const inputs = [a, b].map((value, at) => ({
    name: `INPUT${at}`,
    datatype: 'INT32',
    shape: [1, 16],
    bytes: int32(Array<number>(16).fill(value)),
  }));
  const checks = [
    expectOutput('OUTPUT0', Array<number>(16).fill(a + b)),
    expectOutput('OUTPUT1', Array<number>(16).fill(a - b)),
  ];
  const check: Asked['check'] = (exchange) =>
    checks.map((each) => each(exchange)).find((wrong) => wrong !== undefined);
  return { request: request('simple', inputs), check };
}

/** A decoupled request: `count` answers, each with its own number. */
export function repeatRequest(first: number, count: number): Asked {
  const values = Array.from({ length: count }, (_, at) => first + at);
  const delays = bytesOf(Uint32Array.from(values, () => 1));
  const inputs = [
    { name: 'IN', datatype: 'INT32', shape: [count], bytes: int32(values) },
    { name: 'DELAY', datatype: 'UINT32', shape: [count], bytes: delays },
    { name: 'WAIT', datatype: 'UINT32', shape: [1], bytes: bytesOf(Uint32Array.of(0)) },
  ];
  return {
    request: request('repeat', inputs),
    check: ({ responses }) => {
      const got = responses.map((response) => numbers(response, 'OUT')[0]).join(',');
      return got === values.join(',') ? undefined : `answers ${got} instead of ${values.join(',')}`;
    },
  };
}

/** One request of a sequence, and the running sum that has to come back. */
export function sequenceRequest(id: bigint, value: number, sum: number, start: boolean, end: boolean): Asked {
  const parameters = new Map<string, bigint | boolean>([
    ['sequence_id', id],
    ['sequence_start', start],
    ['sequence_end', end],
  ]);
  const input = { name: 'INPUT', datatype: 'FP32', shape: [1, 1], bytes: bytesOf(Float32Array.of(value)) };
  return { request: request('accumulate', [input], parameters), check: expectOutput('OUTPUT', [sum]) };
}
