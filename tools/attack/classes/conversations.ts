// What a client says on each port, as bytes, for attacks that stop in the middle of it.

import { randomBytes } from 'node:crypto';

import type { Random } from '../../../src-main/testing/http-fuzz.ts';
import { int32Request } from '../../../tests/conformance/checklist/grpc-caller.ts';
import {
  callHeaders,
  dataFrames,
  FLAG,
  FRAME,
  frame,
  grpcMessage,
  headerBlock,
  PREFACE,
} from '../../../tests/hostile/http2-frames.ts';
import { serviceMethods } from '../../../src-main/grpc-wire/messages.ts';
import type { Victim, VictimPorts } from '../victim.ts';

interface Conversation {
  readonly port: keyof VictimPorts;
  readonly bytes: Buffer;
}

const head = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');

const NUMBERS = JSON.stringify({
  inputs: [
    { name: 'INPUT0', datatype: 'INT32', shape: [400], data: Array.from({ length: 400 }, (_, i) => i) },
  ],
});
const LARGE = JSON.stringify({
  inputs: [
    { name: 'INPUT0', datatype: 'INT32', shape: [60_000], data: Array.from({ length: 60_000 }, (_, i) => i) },
  ],
});
const infer = (body: string, ...headers: string[]): string =>
  head('POST /v2/models/sure/infer', `Content-Length: ${body.length}`, ...headers) + body;

const HTTP: readonly string[] = [
  head('GET /v2/health/ready'),
  head('GET /v2/models/stats'),
  infer(NUMBERS),
  infer(LARGE),
  infer(NUMBERS) + infer(NUMBERS) + head('GET /v2'),
  infer(NUMBERS, 'Accept-Encoding: gzip'),
  infer(NUMBERS, 'Expect: 100-continue'),
  head('POST /v2/models/sure/infer', 'Transfer-Encoding: chunked') +
    `${NUMBERS.length.toString(16)}\r\n${NUMBERS}\r\n0\r\n\r\n`,
  head('POST /v2/models/sure/infer', 'Content-Length: 4', 'Transfer-Encoding: chunked') +
    `${NUMBERS.length.toString(16)}\r\n${NUMBERS}\r\n0\r\n\r\n`,
  head('POST /v2/models/sure/generate_stream', 'Content-Length: 14') + '{"INPUT0":[1]}',
  head('POST /v2/repository/index', 'Content-Length: 0'),
];

function http2Calls(): Buffer {
  const rpcs = ['ServerLive', 'ModelInfer', 'ModelStreamInfer'];
  const methods = serviceMethods('inference.GRPCInferenceService');
  const calls = rpcs.flatMap((rpc, at) => {
    const stream = 2 * at + 1;
    const request =
      rpc === 'ServerLive'
        ? {}
        : int32Request(
            'sure',
            Array.from({ length: 300 }, (_, i) => i),
          );
    const message = methods.get(rpc)?.request.encode(request) ?? Buffer.alloc(0);
    return [
      frame(FRAME.headers, FLAG.endHeaders, stream, headerBlock(callHeaders(rpc))),
      dataFrames(stream, grpcMessage(message)),
    ];
  });
  return Buffer.concat([PREFACE, frame(FRAME.settings, 0, 0), ...calls]);
}

/** A text frame of a client. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const size = payload.length;
  const length = size < 126 ? [size] : size < 65_536 ? [126, size >> 8, size & 255] : longLength(size);
  const first = length[0] ?? 0;
  const masked = payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x81, first | 0x80, ...length.slice(1)]), mask, masked]);
}

function longLength(size: number): number[] {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(size));
  return [127, ...bytes];
}

/** Lines of the head that ask for a WebSocket, without the request line. */
export const HANDSHAKE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

function windowTalk(token: string): readonly Buffer[] {
  const messages = [
    '{"type":"hello","version":1}',
    '{"type":"subscribe","name":"observe/sample"}',
    '{"type":"subscribe","name":"repository/changed"}',
    '{"type":"call","id":1,"name":"repository/snapshot","args":{}}',
    '{"type":"call","id":2,"name":"observe/statistics","args":{"model":"sure"}}',
    '{"type":"call","id":3,"name":"config/context","args":{"model":"simple"}}',
  ];
  const open = head(`GET /rpc?token=${token}`, ...HANDSHAKE);
  return [
    Buffer.concat([Buffer.from(open), ...messages.map(textFrame)]),
    Buffer.from(head('GET /rpc?token=wrong', ...HANDSHAKE)),
    Buffer.from(head('GET /index.html')),
    Buffer.from(head('GET /', 'Accept-Encoding: gzip')),
    Buffer.from(head('POST /upload', `Authorization: Bearer ${token}`, 'Content-Length: 0')),
    Buffer.from(
      head(
        'PATCH /upload/x?path=a',
        `Authorization: Bearer ${token}`,
        'upload-offset: 0',
        'Content-Length: 9',
      ) + 'abcdefghi',
    ),
  ];
}

/** One of the conversations that clients have with the ports. */
export function conversation(random: Random, { token }: Pick<Victim, 'token'>): Conversation {
  const port = random.pick(['http', 'http', 'grpc', 'metrics', 'ui', 'ui'] as const);
  if (port === 'http') return { port, bytes: Buffer.from(random.pick(HTTP), 'latin1') };
  if (port === 'grpc') return { port, bytes: http2Calls() };
  if (port === 'metrics') return { port, bytes: Buffer.from(head('GET /metrics') + head('GET /metrics')) };
  return { port, bytes: random.pick(windowTalk(token)) };
}
