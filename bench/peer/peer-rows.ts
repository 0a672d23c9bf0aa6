// The rows of the comparison: what is sent, by which tool, over how many connections.

import type { ClientTensor } from '../../src-main/client/infer-client.ts';
import { encodeHttpRequest } from '../../src-main/client/http-codec.ts';
import { encodeInferRequest } from '../../src-main/grpc-wire/infer-request-encoder.ts';
import { MLP_INPUT_COUNT } from '../models.ts';

/** One row: a request and how it is sent. */
export interface PeerRow {
  readonly id: string;
  readonly title: string;
  readonly protocol: 'http' | 'grpc';
  readonly connections: number;
  /** Requests in flight on each connection; HTTP has one. */
  readonly streams: number;
  readonly request: PeerRequest;
}

interface PeerRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

type Format = 'binary' | 'json' | 'grpc';

function request(
  model: string,
  inputs: readonly ClientTensor[],
  format: Format,
  output: 'binary' | 'json',
): PeerRequest {
  if (format === 'grpc') {
    const message = encodeInferRequest({
      modelName: model,
      modelVersion: '',
      id: '',
      parameters: new Map(),
      inputs: inputs.map((input) => ({ ...input, parameters: new Map() })),
      outputs: [],
    });
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(message.length, 1);
    return {
      path: '/inference.GRPCInferenceService/ModelInfer',
      headers: { 'content-type': 'application/grpc', te: 'trailers' },
      body: Buffer.concat([prefix, message]),
    };
  }
  const whole = { model, version: '', id: '', inputs, outputs: [], parameters: new Map() };
  const { path, headers, body } = encodeHttpRequest(whole, format, output);
  return { path, headers, body: Buffer.from(body) };
}

function integers(name: string, factor: number): ClientTensor {
  const values = Int32Array.from({ length: 16 }, (_, index) => index * factor);
  return { name, datatype: 'INT32', shape: [1, 16], bytes: new Uint8Array(values.buffer) };
}

function wave(shape: readonly number[]): ClientTensor {
  const count = shape.reduce((product, dim) => product * dim, 1);
  const values = Float32Array.from({ length: count }, (_, index) => Math.sin(index / 100));
  return { name: 'INPUT', datatype: 'FP32', shape, bytes: new Uint8Array(values.buffer) };
}

const row = (
  id: string,
  title: string,
  protocol: PeerRow['protocol'],
  [connections, streams]: readonly [number, number],
  message: PeerRequest,
): PeerRow => ({ id, title, protocol, connections, streams, request: message });

/** In the order in which they are measured and shown. Requests are encoded once, here. */
export function peerRows(): readonly PeerRow[] {
  const pair = [integers('INPUT0', 1), integers('INPUT1', 2)];
  const small = request('tiny', pair, 'binary', 'binary');
  const call = request('tiny', pair, 'grpc', 'binary');
  const image = wave([1, 3, 224, 224]);
  const large = wave([4 * 1024 * 1024]);
  const resnet = request('resnet', [image], 'binary', 'binary');
  const bytes = request('large', [large], 'binary', 'binary');
  return [
    row('http-1', 'small model, HTTP binary, 1 connection', 'http', [1, 1], small),
    row('http-16', 'small model, HTTP binary, 16 connections', 'http', [16, 1], small),
    row('http-64', 'small model, HTTP binary, 64 connections', 'http', [64, 1], small),
    row(
      'json-16',
      'small model, JSON, 16 connections',
      'http',
      [16, 1],
      request('tiny', pair, 'json', 'json'),
    ),
    row('grpc-1', 'small model, gRPC, 1 stream', 'grpc', [1, 1], call),
    row('grpc-1x16', 'small model, gRPC, 16 streams on 1 connection', 'grpc', [1, 16], call),
    row('grpc-16', 'small model, gRPC, 16 connections', 'grpc', [16, 1], call),
    row(
      'mlp-32',
      'MLP, dynamic batching, 32 in flight',
      'http',
      [32, 1],
      request('mlp_batched', [wave([1, MLP_INPUT_COUNT])], 'binary', 'binary'),
    ),
    row(
      'ensemble-16',
      'ensemble of 3 tiny steps, 16 in flight',
      'http',
      [16, 1],
      request('chain', [wave([1, 16])], 'binary', 'binary'),
    ),
    row('resnet-1', 'ResNet-50-like, 2 instances, 1 in flight', 'http', [1, 1], resnet),
    row('resnet-4', 'ResNet-50-like, 2 instances, 4 in flight', 'http', [4, 1], resnet),
    row('large-1', '16 MiB FP32 identity, HTTP, 1 in flight', 'http', [1, 1], bytes),
    row('large-4', '16 MiB FP32 identity, HTTP, 4 in flight', 'http', [4, 1], bytes),
    row(
      'large-grpc',
      '16 MiB FP32 identity, gRPC, 1 in flight',
      'grpc',
      [1, 1],
      request('large', [large], 'grpc', 'binary'),
    ),
    row(
      'image-json-4',
      'FP32 image as JSON, 4 in flight',
      'http',
      [4, 1],
      request('image', [image], 'json', 'json'),
    ),
    ...pythonRows(),
  ];
}

function pythonRows(): readonly PeerRow[] {
  const pair = [integers('INPUT0', 1), integers('INPUT1', 2)];
  const addSub = request('python_add_sub', pair, 'binary', 'binary');
  const call = request('python_add_sub', pair, 'grpc', 'binary');
  const identity = request('python_identity', [wave([16])], 'binary', 'binary');
  const large = request('python_identity', [wave([4 * 1024 * 1024])], 'binary', 'binary');
  return [
    row('python-1', 'add/sub in Python, HTTP, 1 in flight', 'http', [1, 1], addSub),
    row('python-16', 'add/sub in Python, HTTP, 16 in flight', 'http', [16, 1], addSub),
    row('python-grpc-1x16', 'add/sub in Python, gRPC, 16 streams on 1 connection', 'grpc', [1, 16], call),
    row('python-identity-1', 'identity in Python, HTTP, 1 in flight', 'http', [1, 1], identity),
    row('python-identity-16', 'identity in Python, HTTP, 16 in flight', 'http', [16, 1], identity),
    row('python-large-1', '16 MiB FP32 identity in Python, HTTP, 1 in flight', 'http', [1, 1], large),
    row('python-large-4', '16 MiB FP32 identity in Python, HTTP, 4 in flight', 'http', [4, 1], large),
  ];
}
