// Compressed answers over gRPC: which encoding a level gives a client, and which messages are compressed.

import { encodeInferRequest } from '../../src-main/grpc-wire/infer-request-encoder.ts';
import { grpcFrame, plainGrpcCall } from '../../src-main/testing/plain-grpc.ts';
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
  return grpcFrame(message);
}

/** Encoding of the answer, and of each message whether it is compressed. */
async function encodingOf(
  port: number,
  rpc: string,
  accepted: string | undefined,
  body: Buffer,
): Promise<object> {
  try {
    const { encoding, messages } = await plainGrpcCall(port, { rpc, accepted, body });
    return { encoding, flags: messages.map(({ isCompressed }) => Number(isCompressed)) };
  } catch (error) {
    return { thrown: String(error) };
  }
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
