// Decoupled models over real gRPC streams: what was sent back, message by message.

import type { ClientRequest } from '../../../src-main/client/infer-client.ts';
import type { WireWorld } from './wire-world.ts';

/** Configuration text of a `repeat` model. */
export function repeatConfig(more = ''): string {
  return `backend: "repeat" max_batch_size: 0 model_transaction_policy { decoupled: true }
input [ { name: "IN" data_type: TYPE_INT32 dims: [ -1 ] }, { name: "DELAY" data_type: TYPE_UINT32 dims: [ -1 ] }, { name: "WAIT" data_type: TYPE_UINT32 dims: [ 1 ] } ]
output [ { name: "OUT" data_type: TYPE_INT32 dims: [ 1 ] }, { name: "IDX" data_type: TYPE_UINT32 dims: [ 1 ] } ]
instance_group { kind: KIND_CPU count: 1 } ${more}`;
}

/** Configuration text of a `square` model. */
export function squareConfig(more = ''): string {
  return `backend: "square" max_batch_size: 0 model_transaction_policy { decoupled: true }
input [ { name: "IN" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "OUT" data_type: TYPE_INT32 dims: [ 1 ] } ]
instance_group { kind: KIND_CPU count: 1 } ${more}`;
}

const bytesOf = (values: Int32Array | Uint32Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** One response per value, `delayMs` apart. */
export function repeatRequest(model: string, values: readonly number[], delayMs = 1): ClientRequest {
  const count = values.length;
  return {
    model,
    version: '',
    id: '',
    inputs: [
      { name: 'IN', datatype: 'INT32', shape: [count], bytes: bytesOf(Int32Array.from(values)) },
      {
        name: 'DELAY',
        datatype: 'UINT32',
        shape: [count],
        bytes: bytesOf(new Uint32Array(count).fill(delayMs)),
      },
      { name: 'WAIT', datatype: 'UINT32', shape: [1], bytes: bytesOf(Uint32Array.of(0)) },
    ],
    outputs: [],
    parameters: new Map(),
  };
}

export interface StreamMessage {
  readonly id: string;
  /** First element of the first output; undefined for an empty response. */
  readonly value: number | undefined;
  readonly isFinal: boolean;
}

export interface StreamResult {
  readonly messages: readonly StreamMessage[];
  readonly values: readonly number[];
  readonly finals: readonly boolean[];
  readonly errors: readonly string[];
  /** gRPC status of the call. */
  readonly code: number;
}

/** Sends the requests on one stream, ends its own side, and collects everything until the server has ended its. */
export function streamOf(
  world: WireWorld,
  requests: readonly ClientRequest[],
  control: {
    readonly onMessage?: (count: number, cancel: () => void) => void;
    readonly keepOpen?: boolean;
  } = {},
): Promise<StreamResult> {
  const messages: StreamMessage[] = [];
  const errors: string[] = [];
  return new Promise((resolve) => {
    const stream = world.grpc.stream({
      onMessage: ({ errorMessage, response }) => {
        if (errorMessage === '') {
          const bytes = response.outputs[0]?.bytes;
          messages.push({
            id: response.id,
            value: bytes === undefined ? undefined : Buffer.from(bytes).readInt32LE(),
            isFinal: response.parameters.get('triton_final_response') === true,
          });
        } else errors.push(errorMessage);
        control.onMessage?.(messages.length + errors.length, () => stream.cancel());
      },
      onEnd: (code) => {
        resolve({
          messages,
          values: messages.flatMap(({ value }) => (value === undefined ? [] : [value])),
          finals: messages.map(({ isFinal }) => isFinal),
          errors,
          code,
        });
      },
    });
    for (const request of requests) stream.send(request);
    if (control.keepOpen !== true) stream.halfClose();
  });
}
