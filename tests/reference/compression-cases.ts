// Compressed answers over gRPC: which encoding a level gives a client, and which messages are compressed.

import http2 from 'node:http2';

import { encodeInferRequest } from '../../src-main/grpc-wire/infer-request-encoder.ts';
import { ECHO_MODEL, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';

const ACCEPTED = [
  undefined,
  'identity',
  'gzip',
  'deflate',
  'identity, deflate, gzip',
  'deflate,gzip',
  'gzip, deflate',
  'br',
];

function framed(valueCount: number): Buffer {
  const message = encodeInferRequest({
    modelName: 'echo',
    modelVersion: '',
    id: 'a',
    parameters: new Map(),
    inputs: [
      {
        name: 'INPUT0',
        datatype: 'FP32',
        shape: [valueCount],
        parameters: new Map(),
        bytes: new Uint8Array(valueCount * 4),
      },
    ],
    outputs: [],
  });
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Encoding of the answer, and of each message whether it is compressed. */
function encodingOf(port: number, rpc: string, accepted: string | undefined, body: Buffer): Promise<object> {
  return new Promise((resolve) => {
    const session = http2.connect(`http://127.0.0.1:${port}`);
    const stream = session.request({
      ':method': 'POST',
      ':path': `/inference.GRPCInferenceService/${rpc}`,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...(accepted === undefined ? {} : { 'grpc-accept-encoding': accepted }),
    });
    const chunks: Buffer[] = [];
    let encoding = 'identity';
    stream.on('response', (headers) => (encoding = String(headers['grpc-encoding'] ?? 'identity')));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', (error) => resolve({ thrown: String(error) }));
    stream.on('end', () => {
      session.close();
      const bytes = Buffer.concat(chunks);
      const flags: unknown[] = [];
      for (let at = 0; at < bytes.length; at += 5 + bytes.readUInt32BE(at + 1)) flags.push(bytes[at]);
      resolve({ encoding, flags });
    });
    stream.end(body);
  });
}

const asked = (level: string): ReferenceCase => ({
  name: `compressed answers, ${level}`,
  run: async ({ grpcPort }) => {
    const answers: object[] = [];
    const ask = async (rpc: string, accepted: string | undefined, body: Buffer): Promise<void> => {
      const step = `${rpc} for ${accepted ?? 'nothing'}, ${body.length} bytes`;
      answers.push({ step, ...(await encodingOf(grpcPort, rpc, accepted, body)) });
    };
    for (const accepted of ACCEPTED) await ask('ModelInfer', accepted, framed(100));
    for (const valueCount of [1, 5000, 100_000])
      await ask('ModelInfer', 'identity, deflate, gzip', framed(valueCount));
    await ask('ModelStreamInfer', 'gzip', Buffer.concat([100_000, 1, 100].map(framed)));
    await ask('ServerMetadata', 'gzip', Buffer.alloc(5));
    return answers;
  },
});

const scene = (level: string): Scene => ({
  name: `compression ${level}`,
  repositories: () => [pythonFiles('echo', ECHO_MODEL)],
  args: [`--grpc-infer-response-compression-level=${level}`],
  together: 'compression',
  cases: [asked(level)],
});

export const COMPRESSION_SCENES: readonly Scene[] = ['none', 'low', 'medium', 'high'].map(scene);
